// The arrows gate: the rooms of rooms.cjs turned into rules for dependency-cruiser.
const { ROOMS, PACKAGE_HOMES, CORE_RULES, INNER_DOORS } = require('./rooms.cjs')

const rule = (name, from, to) => ({ name, severity: 'error', from, to })
const anyOf = (names) => names.join('|')

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule('no-unknown-room', { path: `^src/(?!(${anyOf(Object.keys(ROOMS))})/)` }, {}),
    rule('nothing-unresolved', { path: '^src/' }, { couldNotResolve: true }),
    // What runs in a browser shares one room with the server, and tables.
    rule('web-arrows', { path: '^web/' }, { path: '^(src/(?!page/|.*[.]tsv)|test/|scripts/|bench/)' }),
    rule('nobody-imports-web', { path: '^src/' }, { path: '^web/' }),
    rule('tests-stay-outside', { path: '^src/' }, { path: '^(test|scripts|bench)/' }),
    rule('only-declared-packages', { path: '^src/' }, { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] }),
    rule(
      'commands-are-loaded-late',
      { path: '^src/cli/(main|program)[.]ts$' },
      { path: '^src/cli/commands/', dynamic: false },
    ),
    ...Object.entries(ROOMS).map(([room, allowed]) =>
      rule(
        `${room}-arrows`,
        { path: `^src/${room}/` },
        { path: '^src/', pathNot: `^src/(${anyOf([room, ...allowed])})/` },
      ),
    ),
    ...Object.entries(PACKAGE_HOMES).map(([name, home]) =>
      rule(`${name}-home`, { path: '^src/', pathNot: home }, { path: `node_modules/(@types/)?${name}/` }),
    ),
    ...CORE_RULES.map(({ name, from, to }) => rule(name, from, { path: to })),
    ...INNER_DOORS.map(({ name, from, to }) => rule(name, { path: from }, { path: to })),
  ],
  options: {
    // Type-only imports are arrows too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
