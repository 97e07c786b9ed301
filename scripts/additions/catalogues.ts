import type { Addition, Place } from './addition.ts'

/** A page that follows from the code. */
function generated(where: string, says: string): Place {
  return {
    where,
    write: '`npm run docs`',
    example: 'generated',
    noticedBy: { by: 'test', file: 'test/docs/generated-pages.test.ts', named: `${where} is as`, says },
  }
}

/** A test that says the name of a row. */
function metByTest(constant: string, where: string): Place {
  return {
    where,
    write: 'a test that meets it, and says so by its code, name or constant',
    example: [{ file: 'test/architecture/NAME.test.ts', put: `export const met = '${constant}'\n` }],
    noticedBy: {
      by: 'test',
      file: 'test/architecture/catalogues.test.ts',
      named: `${constant} is met by a test`,
      says: constant,
    },
  }
}

const used = (constant: string): Place['noticedBy'] => ({
  by: 'test',
  file: 'test/architecture/catalogues.test.ts',
  named: `${constant} is used`,
  says: `nothing in src names ${constant}`,
})

const STORE_EACH = 'src/records/import/store-each.ts'
const FAULT = '  deps.log.tell(RECORD_EVENTS.recordFailed, {}, fault)\n'

/** What is told to clients and operators, and what operators choose. */
export const CATALOGUE_ADDITIONS: readonly Addition[] = [
  {
    what: 'an error',
    about: 'A code is the HTTP status and two digits, and has one meaning.',
    places: [
      {
        where: 'src/ROOM/errors.ts',
        write: 'a row: code, title',
        example: [
          {
            file: 'src/records/errors.ts',
            after: 'export const RECORD_ERRORS = defineErrors({\n',
            put: "  NAME: { code: 409XX, title: 'NAME is an example.' },\n",
          },
        ],
        noticedBy: { by: 'types', file: STORE_EACH, says: "'NAME'" },
      },
      {
        where: 'src/ROOM/…',
        write: '`throw new AppError(…)` where the knowledge is: what, where, what would be right',
        example: [
          {
            file: STORE_EACH,
            after: FAULT,
            put: "  if (fault.name === 'NAME') throw new AppError(RECORD_ERRORS.NAME, 'An example.')\n",
          },
        ],
        noticedBy: used('RECORD_ERRORS.NAME'),
      },
      metByTest('RECORD_ERRORS.NAME', 'test/…'),
      generated('docs/reference/errors.md', '409XX'),
    ],
  },
  {
    what: 'a warning',
    about: 'Codes are 200 and two digits.',
    places: [
      {
        where: 'src/ROOM/…/warnings.ts',
        write: 'a row: code, title',
        example: [
          {
            file: 'src/records/warnings/warnings.ts',
            after: 'export const RECORD_WARNINGS = defineWarnings({\n',
            put: "  NAME: { code: 200XX, title: 'NAME is an example.' },\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/records/warnings/write-warnings.ts', says: "'NAME'" },
      },
      {
        where: 'src/ROOM/…',
        write:
          'where it is found: of a query in `src/query/warnings`, of a record in `src/records/warnings/write-warnings.ts`',
        example: [
          { file: 'src/records/warnings/write-warnings.ts', after: 'const finders = [ofNames', put: ', ofNAME' },
          {
            file: 'src/records/warnings/write-warnings.ts',
            put: "\nfunction ofNAME(): WriteWarning[] {\n  return [warning(RECORD_WARNINGS.NAME, 'name', 'An example.')]\n}\n",
          },
        ],
        noticedBy: used('RECORD_WARNINGS.NAME'),
      },
      metByTest('RECORD_WARNINGS.NAME', 'test/cases/mistakes/FAMILY.mistakes.ts'),
      generated('docs/reference/warnings.md', '200XX'),
    ],
  },
  {
    what: 'an event of the log',
    places: [
      {
        where: 'src/ROOM/events.ts',
        write: 'a row: name, level, title, fields, whether the audit has it',
        example: [
          {
            file: 'src/records/events.ts',
            after: 'export const RECORD_EVENTS = defineEvents({\n',
            put: "  NAME: { name: 'NAME.happened', level: 'info', title: 'An example.', audit: true },\n",
          },
        ],
        noticedBy: { by: 'types', file: STORE_EACH, says: "'NAME'" },
      },
      {
        where: 'src/ROOM/…',
        write: '`log.tell(…)` where it happens',
        example: [{ file: STORE_EACH, after: FAULT, put: '  deps.log.tell(RECORD_EVENTS.NAME, {})\n' }],
        noticedBy: used('RECORD_EVENTS.NAME'),
      },
      {
        where: 'src/store/port/audit.ts',
        write: 'where the audit has it: an action of its name',
        example: [
          {
            file: 'src/store/port/audit.ts',
            after: 'export const AUDIT_ACTIONS = {\n',
            put: "  'NAME.happened': 'An example.',\n",
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/docs/generated-pages.test.ts',
          named: 'has an action of the audit for every event that is marked so',
          says: 'NAME.happened',
        },
      },
      metByTest('RECORD_EVENTS.NAME', 'test/…'),
      generated('docs/reference/events.md', 'NAME.happened'),
    ],
  },
  {
    what: 'a metric',
    about: 'A plain number where it arises, read when somebody asks.',
    places: [
      {
        where: 'src/ROOM/metrics.ts',
        write: 'a row: name, kind, title, labels',
        example: [
          {
            file: 'src/accounts/metrics.ts',
            after: 'export const ACCOUNT_METRICS = defineMetrics({\n',
            put: "  NAME: { name: 'quarry_NAME', kind: 'gauge', title: 'An example.' },\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/accounts/metrics.ts', says: "'NAME'" },
      },
      {
        where: 'the `ReadMetrics` of the room',
        write: 'a line that reads it',
        example: [
          {
            file: 'src/accounts/metrics.ts',
            after: '  return [[ACCOUNT_METRICS.passwordsUnderWay, passwords.underWay]',
            put: ', [ACCOUNT_METRICS.NAME, 1]',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/http/metrics.test.ts',
          named: 'have every metric of the reference',
          says: 'quarry_NAME',
        },
      },
      generated('docs/reference/metrics.md', 'quarry_NAME'),
    ],
  },
  {
    what: 'a setting',
    about: 'Flag, variable, line of the file and help follow from the entry.',
    places: [
      {
        where: 'src/app/settings.ts',
        write: 'an entry in `SETTINGS`; what a room has by itself is in its own `settings.ts`',
        example: [
          {
            file: 'src/app/settings.ts',
            after: 'export const SETTINGS = {\n',
            put: "  NAME: { kind: 'switch', group: 'Queries', default: false, doc: 'An example.' },\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/app/open-services.ts', says: "'NAME'" },
      },
      {
        where: 'src/app/compose.ts, open-services.ts',
        write: 'where it is handed to whom it is for',
        example: [
          {
            file: 'src/app/open-services.ts',
            after: '    slowQueryMs: config.slowQueryMs,\n',
            put: '    ...(config.NAME ? {} : {}),\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/architecture/catalogues.test.ts',
          named: 'NAME is read',
          says: 'nothing in src reads the setting NAME',
        },
      },
      generated('docs/reference/configuration.md', 'NAME'),
      generated('docs/reference/cli.md', '--NAME'),
    ],
  },
]
