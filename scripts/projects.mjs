// Which command runs which projects of vitest.config.ts. Every project is in one of them (`test/architecture/projects.test.ts`).

/** `npm test`: what a fault shows in nearly always. */
export const EVERYDAY = ['apart', 'core', 'smoke', 'sqlite']

/** `npm run test:more`, which continuous integration runs too. */
export const MORE = ['addresses', 'browser', 'postgres', 'processes', 'proofs']

/**
 * Tests of `npm test` that are about the rooms whose coverage is held (`scripts/coverage.mjs`): folders and files. They alone are run with it: it makes whatever is run slower, and
 * a room is covered by what is about it.
 */
export const COVERED = [
  ...['accounts', 'engine', 'query', 'contract'].map((folder) => `test/${folder}/`),
  ...['', '-building', '-chemistry', '-formats', '-matching', '-symmetry'].map((kind) => `test/structure${kind}/`),
  ...[
    'distinct',
    'list',
    'material-parameters',
    'mistakes',
    'organizations',
    'page-session',
    'password',
    'saved-queries',
    'session',
    'surveys',
    'tokens',
    'warnings',
  ].map((name) => `test/http/${name}.test.ts`),
  'test/optimade/filters.test.ts',
]

/** @param {readonly string[]} names */
export function projectOptions(names) {
  return names.map((name) => `--project=${name}`)
}
