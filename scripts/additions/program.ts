import { SCHEMA_VERSION } from '../../src/store/sqlite/schema/migrate.ts'
import type { Addition } from './addition.ts'

/** What the program is started with, and what it starts from. */
export const PROGRAM_ADDITIONS: readonly Addition[] = [
  {
    what: 'a CLI command',
    places: [
      {
        where: 'src/cli/commands/NAME.ts',
        write: '`addNameCommand`: description, arguments, options, action',
        example: [
          {
            file: 'src/cli/commands/NAME.ts',
            put: `import type { Command } from 'commander'
import { print } from '../console/output.ts'

/** Adds an example. */
export function addNAMECommand(program: Command): void {
  program
    .command('NAME')
    .description('Print an example.')
    .action(() => print('NAME'))
}
`,
          },
        ],
        noticedBy: { by: 'types', file: 'src/cli/program.ts', says: 'NAME.ts' },
      },
      {
        where: 'src/cli/program.ts',
        write: 'a line in `COMMANDS`, at its place in the help',
        example: [
          {
            file: 'src/cli/program.ts',
            after: "  import: async () => (await import('./commands/import.ts')).addImportCommand,\n",
            put: "  NAME: async () => (await import('./commands/NAME.ts')).addNAMECommand,\n",
          },
        ],
        noticedBy: { by: 'dead code', says: 'src/cli/commands/NAME.ts' },
      },
      {
        where: 'test/cli/program.test.ts',
        write: 'a line in `PROMISED`; what it does is in a test of its noun beside it',
        example: [{ file: 'test/cli/program.test.ts', after: "  'quarry import',\n", put: "  'quarry NAME',\n" }],
        noticedBy: {
          by: 'test',
          file: 'test/cli/program.test.ts',
          named: 'has the commands that the documentation promises',
          says: 'quarry NAME',
        },
      },
      {
        where: 'docs/reference/cli.md',
        write: '`npm run docs`',
        example: 'generated',
        noticedBy: {
          by: 'test',
          file: 'test/docs/generated-pages.test.ts',
          named: 'docs/reference/cli.md is as',
          says: 'quarry NAME',
        },
      },
    ],
  },
  {
    what: 'a migration',
    about:
      'It changes what is small; what takes long goes into `backlog`. Those of released versions never change. `test/releases` opens a file of each release with it. A table that cannot be derived is moved between stores: `store/port/rows.ts`, and `rows/` of both; `test/store/move-rows.test.ts` asks for it.',
    places: [
      {
        where: 'src/store/sqlite/schema/NUMBER-NAME.sql',
        write: 'the script, with the next number',
        example: [
          {
            file: `src/store/sqlite/schema/${String(SCHEMA_VERSION + 1).padStart(4, '0')}-NAME.sql`,
            put: 'CREATE TABLE NAME (x INTEGER) STRICT;\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/docs/embedded-store.test.ts',
          named: 'tells of no table and no column that is not there',
          says: 'NAME(x)',
        },
      },
      {
        where: 'src/store/sqlite/README.md',
        write: 'what a table has, and what of it is derived',
        example: [
          {
            file: 'src/store/sqlite/README.md',
            after: 'What is derived from the records, and made anew by `reindex`:\n',
            put: '\n- `NAME(x)` is an example.\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/docs/embedded-store.test.ts',
          named: 'tells of every table',
          says: 'NAME',
        },
      },
    ],
  },
  {
    what: 'a mutant',
    about:
      'Code that is delicate gets its mutants with it; they follow when it changes. `npm run mutants -- --only PART` makes them.',
    places: [
      {
        where: 'scripts/mutants/in-PART.ts',
        write: 'a sentence, the file, a text that it has once, what that becomes, the tests of which one has to fail',
        example: [
          {
            file: 'scripts/mutants/in-NAME.ts',
            put: `import type { Mutant } from './mutant.ts'

/** An example. */
export const NAME_MUTANTS: readonly Mutant[] = [
  {
    name: 'NAME: a site that is hardly occupied is left out',
    file: 'src/structure/formats/cif/atoms.ts',
    find: 'if (occupancy === 0) {',
    replace: 'if (occupancy < 0.1) {',
    tests: ['test/structure-formats/cif.test.ts'],
  },
]
`,
          },
        ],
        noticedBy: { by: 'types', file: 'scripts/mutants/all-mutants.ts', says: 'in-NAME.ts' },
      },
      {
        where: 'scripts/mutants/all-mutants.ts',
        write: 'a line for a new file',
        example: [
          {
            file: 'scripts/mutants/all-mutants.ts',
            after: "import { MEMORY_MUTANTS } from './in-memory.ts'\n",
            put: "import { NAME_MUTANTS } from './in-NAME.ts'\n",
          },
          {
            file: 'scripts/mutants/all-mutants.ts',
            after: '  ...MEMORY_MUTANTS,\n',
            put: '  ...NAME_MUTANTS,\n',
          },
        ],
        noticedBy: { by: 'dead code', says: 'scripts/mutants/in-NAME.ts' },
      },
    ],
  },
]
