import type { Addition } from './addition.ts'

/** What is served, and in what form it comes and goes. */
export const RECORD_ADDITIONS: readonly Addition[] = [
  {
    what: 'an endpoint',
    about:
      'The routes of a noun are one file. The server, the description at `/openapi.json`, the page `/docs` and the refusals of wrong addresses are made from `all-routes.ts`.',
    places: [
      {
        where: 'src/records/use-cases/NOUN.ts',
        write: 'what it does, without HTTP; of users and accounts in `src/accounts/NOUN.ts`',
        example: [
          {
            file: 'src/records/use-cases/NAME.ts',
            put: "/** An example. */\nexport const NAMEValue = (): string => 'NAME'\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/http/routes/NAME.ts', says: 'NAME.ts' },
      },
      {
        where: 'src/http/routes/NOUN.ts',
        write: 'a `Route`: method, path, who may call it, `operation` (what its description says), handler',
        example: [
          {
            file: 'src/http/routes/NAME.ts',
            put: `import { assertMayWrite } from '../../accounts/session.ts'
import { NAMEValue } from '../../records/use-cases/NAME.ts'
import { API_PREFIX } from '../address.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { object, TEXT } from '../openapi/schemas.ts'
import { readNoBody } from '../request/body.ts'
import { assertNoParameters } from '../request/parameters.ts'

/** An example. */
export function NAMERoute(): Route {
  return {
    method: 'POST',
    path: \`\${API_PREFIX}/NAME\`,
    access: 'session',
    operation: {
      id: 'showNAME',
      tag: 'Server',
      summary: 'Show an example',
      success: { status: 200, description: 'The example.', schema: object({ NAME: TEXT }) },
      failures: [403],
    },
    handler: (context) => {
      assertMayWrite(sessionOf(context))
      assertNoParameters(context)
      readNoBody(context)
      return dataResponse({ NAME: NAMEValue() })
    },
  }
}
`,
          },
        ],
        noticedBy: { by: 'types', file: 'src/http/routes/all-routes.ts', says: 'NAME.ts' },
      },
      {
        where: 'src/http/routes/all-routes.ts',
        write: 'a line in `allRoutes`',
        example: [
          {
            file: 'src/http/routes/all-routes.ts',
            after: "import { memberRoutes } from './members.ts'\n",
            put: "import { NAMERoute } from './NAME.ts'\n",
          },
          {
            file: 'src/http/routes/all-routes.ts',
            after: '    ...memberRoutes(services),\n',
            put: '    NAMERoute(),\n',
          },
        ],
        noticedBy: { by: 'dead code', says: 'src/http/routes/NAME.ts' },
      },
      {
        where: 'src/app/operator-kinds.ts',
        write: 'a new first word of a path among `RESERVED_WORDS`',
        example: [{ file: 'src/app/operator-kinds.ts', after: "    'account accounts api ", put: 'NAME ' }],
        noticedBy: {
          by: 'test',
          file: 'test/app/operator-kinds.test.ts',
          named: 'cannot have a word that the addresses of the API have',
          says: 'NAME',
        },
      },
      {
        where: 'docs/reference/api.md',
        write: 'a row',
        example: [
          {
            file: 'docs/reference/api.md',
            after: '| POST | `/logout` | session | | the same |\n',
            put: '| POST | `/NAME` | session | | an example |\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/http/api-page.test.ts',
          named: 'the reference of the API has every route',
          says: 'POST /NAME',
        },
      },
      {
        where: 'test/http/access.test.ts',
        write: 'a scenario: which status each actor gets',
        example: [
          {
            file: 'test/http/access.test.ts',
            after: "  { method: 'GET', path: '/tokens', expected: USERS },\n",
            put: "  { method: 'POST', path: '/NAME', expected: { ...USERS, readOnly: 403 } },\n",
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/http/access.test.ts',
          named: 'every route has its scenarios',
          says: 'POST /NAME',
        },
      },
      {
        where: 'test/http/audit.test.ts',
        write: 'where it writes: a row of `WRITES` with the actions that the audit gets',
        example: [
          {
            file: 'test/http/audit.test.ts',
            after: 'const WRITES: readonly Write[] = [\n',
            put: "  { route: 'POST /NAME', request: async () => ['POST', 'NAME'], actions: [] },\n",
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/http/audit.test.ts',
          named: 'every route that writes is among them',
          says: 'POST /NAME',
        },
      },
    ],
  },
  {
    what: 'a file format',
    about:
      'Messages, help and the API name formats from the registry. One that can be written goes through the round-trip test by itself; a media type of its own is in `src/http/request/accepted-format.ts`. A reader hands over what it does not use as `rest` of the `Crystal`: text formats put what they take apart into `NamedValues` (`common/rest.ts`) and take from them, JSON ones read fields with `take` and `takeWhole` (`json/json-fields.ts`) and give `restOf` the document; `readStructure` decides what is kept. Names of atoms go through `SpeciesNames` (`common/species-names.ts`): null is no atom and its site is left out; add the format to the table of `test/structure-formats/species-names.test.ts`. It ends with `requireAtoms`. A form that `src/structure/formats/known-forms.ts` names as not read loses its row there, and its example in `test/structure-formats/known-forms.test.ts`.',
    places: [
      {
        where: 'src/structure/formats/common/format.ts',
        write: 'its name in `FormatName`',
        example: [
          { file: 'src/structure/formats/common/format.ts', after: 'export type FormatName =\n', put: "  | 'NAME'\n" },
        ],
        noticedBy: { by: 'types', file: 'src/structure/formats/NAME.ts', says: '"NAME"' },
      },
      {
        where: 'src/structure/formats/NAME.ts',
        write: 'a `StructureFormat`: how to tell it, read it and write it; a folder when it is large',
        example: [
          {
            file: 'src/structure/formats/NAME.ts',
            put: `import { FORMAT_ERRORS, refusal } from '../errors.ts'
import type { StructureFormat } from './common/format.ts'

/** An example. */
export const NAMEFormat: StructureFormat = {
  name: 'NAME',
  title: 'An example',
  extensions: ['NAME'],
  recognizes: () => false,
  parse: () => {
    throw refusal(FORMAT_ERRORS.noStructure, 'An example has no atoms.')
  },
}
`,
          },
        ],
        noticedBy: { by: 'types', file: 'src/structure/formats/registry.ts', says: 'NAME.ts' },
      },
      {
        where: 'src/structure/formats/registry.ts',
        write: 'a line, where detection should ask for it; other names that people use',
        example: [
          {
            file: 'src/structure/formats/registry.ts',
            after: "import { pdbFormat } from './pdb.ts'\n",
            put: "import { NAMEFormat } from './NAME.ts'\n",
          },
          { file: 'src/structure/formats/registry.ts', after: '  pdbFormat,\n', put: '  NAMEFormat,\n' },
        ],
        noticedBy: { by: 'dead code', says: 'src/structure/formats/NAME.ts' },
      },
      {
        where: 'test/structure-formats/NAME.test.ts',
        write: 'what is read from real files of it, and what is refused',
        example: [
          {
            file: 'test/structure-formats/NAME.test.ts',
            put: `import { expect, it } from 'vitest'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

it('is refused without atoms', () => {
  expect(() => readStructure('', { format: 'NAME' })).toThrow('no atoms')
})
`,
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/docs/coverage.test.ts',
          named: 'has a row for NAME, which tests read',
          says: "no test in test/structure-formats reads 'NAME'",
        },
      },
      {
        where: 'docs/reference/formats.md',
        write: 'a row; a section for what is assumed and refused',
        example: [
          {
            file: 'docs/reference/formats.md',
            after: '| name | format | read | written | told by |\n|---|---|---|---|---|\n',
            put: '| `NAME` | an example | yes | no | `.NAME` |\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/docs/coverage.test.ts',
          named: 'has a row for NAME, which tests read',
          says: 'docs/reference/formats.md has no row for `NAME`',
        },
      },
      {
        where: 'docs/reference/cli.md',
        write: '`npm run docs`: help names all formats',
        example: 'generated',
        noticedBy: {
          by: 'test',
          file: 'test/docs/generated-pages.test.ts',
          named: 'docs/reference/cli.md is as',
          says: 'NAME',
        },
      },
    ],
  },
  {
    what: 'a check before a write',
    about:
      'It holds for all that builds a record: creations, imports, copies, changes of one or many, former versions that come back (for those, `asNew` is null). It refuses, names a record that is there in place of the new one, or adds what the writer is told; it runs once an attempt. Its order among the others counts. A refusal is an error of the catalogue, and has a case in `test/records`.',
    places: [
      {
        where: 'src/records/use-cases/write-checks.ts',
        write: 'a `Check`',
        example: [
          {
            file: 'src/records/use-cases/write-checks.ts',
            put: '\n/** An example. */\nexport const NAMECheck: Check = async () => ({})\n',
          },
        ],
        noticedBy: { by: 'types', file: 'src/records/use-cases/write-stages.ts', says: 'NAMECheck' },
      },
      {
        where: 'src/records/use-cases/write-stages.ts',
        write: 'its place in `CHECKS`',
        example: [
          {
            file: 'src/records/use-cases/write-stages.ts',
            after: "import type { Afterwards, Check, Following } from './write.ts'\nimport {\n",
            put: '  NAMECheck,\n',
          },
          {
            file: 'src/records/use-cases/write-stages.ts',
            after: 'readonly Check[] = [\n  equalContent,\n',
            put: '  NAMECheck,\n',
          },
        ],
        noticedBy: { by: 'dead code', says: 'NAMECheck' },
      },
    ],
  },
  {
    what: 'a step after a write',
    about:
      'What is done when a write is on disk, for all that writes records, one by one or many at once; a failure of it is told to the log, not to the writer. What has to happen in the same transaction is a `Following` in the list above it.',
    places: [
      {
        where: 'src/records/use-cases/NOUN.ts',
        write: 'a function of the type `Afterwards`',
        example: [
          {
            file: 'src/records/use-cases/NAME-after.ts',
            put: "import type { Afterwards } from './write.ts'\n\n/** An example. */\nexport const NAMEAfter: Afterwards = async () => {}\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/records/use-cases/write-stages.ts', says: 'NAME-after.ts' },
      },
      {
        where: 'src/records/use-cases/write-stages.ts',
        write: 'its place in `AFTERWARDS`',
        example: [
          {
            file: 'src/records/use-cases/write-stages.ts',
            after: "import { dropOldEntries } from './undo-entries.ts'\n",
            put: "import { NAMEAfter } from './NAME-after.ts'\n",
          },
          {
            file: 'src/records/use-cases/write-stages.ts',
            after: 'readonly Afterwards[] = [dropOldEntries',
            put: ', NAMEAfter',
          },
        ],
        noticedBy: { by: 'dead code', says: 'src/records/use-cases/NAME-after.ts' },
      },
    ],
  },
  {
    what: 'a record kind',
    about:
      'It then has every endpoint that materials have. An operator adds one [without code](../how-to/add-a-record-kind.md), which also tells what a kind can compute. The web page makes its list, its page and its form from the schema; what it shows in another way is in `web/pages/records`.',
    places: [
      {
        where: 'src/records/kinds/NAME.ts',
        write: 'its schema and the `RecordKind`; a folder when it is large',
        example: [
          {
            file: 'src/records/kinds/NAME.ts',
            put: `import { plainKind, schemaOf } from '../plain-kind.ts'

/** An example. */
export const NAMEKind = plainKind({
  name: 'NAME',
  collection: 'NAMEs',
  schema: schemaOf('NAME', 'an example', ['name'], { name: { type: 'string' } }),
})
`,
          },
        ],
        noticedBy: { by: 'types', file: 'src/records/kinds/record-kinds.ts', says: 'NAME.ts' },
      },
      {
        where: 'src/records/kinds/record-kinds.ts',
        write: 'a line in `RECORD_KINDS`',
        example: [
          {
            file: 'src/records/kinds/record-kinds.ts',
            after: "import { materialKind } from './material/material-kind.ts'\n",
            put: "import { NAMEKind } from './NAME.ts'\n",
          },
          { file: 'src/records/kinds/record-kinds.ts', after: '  methodKind,\n', put: '  NAMEKind,\n' },
        ],
        noticedBy: { by: 'dead code', says: 'src/records/kinds/NAME.ts' },
      },
      {
        where: 'test/http/support/records.ts',
        write: 'in `MAKERS`, a function that makes such a record: every action is then tried by every actor',
        example: [
          {
            file: 'test/http/support/records.ts',
            after: '  projects: (name, fields = {}) => ({ name, ...fields }),\n',
            put: '  NAMEs: (name, fields = {}) => ({ name, ...fields }),\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/http/access.test.ts',
          named: 'every route has its scenarios',
          says: 'GET /NAMEs,',
        },
      },
      {
        where: 'docs/reference/records.md',
        write: 'a row of its kind, rows of the fields that the server fills',
        example: [
          {
            file: 'docs/reference/records.md',
            after: '| kind | collection | needs | worth knowing |\n|---|---|---|---|\n',
            put: '| NAME | `NAMEs` | `name` | an example |\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/docs/coverage.test.ts',
          named: 'tells of a NAME',
          says: 'docs/reference/records.md does not tell of `NAMEs`',
        },
      },
      {
        where: 'docs/reference/api.md',
        write: 'its collection, among those that have the same actions',
        example: [
          { file: 'docs/reference/api.md', after: '`workflows`, `jobs`, `projects`, `properties`', put: ', `NAMEs`' },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/docs/coverage.test.ts',
          named: 'tells of a NAME',
          says: 'docs/reference/api.md does not name `NAMEs`',
        },
      },
    ],
  },
]
