import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS } from '../accounts/settings.ts'
import { DEFAULT_HELD } from '../http/bounds/held.ts'
import { DEFAULT_HTTP_SETTINGS, type HttpSettings } from '../http/settings.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryBounds } from '../query/plan.ts'
import { DEFAULT_RECORD_LIMITS, type RecordLimits } from '../records/record-kind.ts'
import { DEFAULT_RECORD_TIME_MS, DEFAULT_SYMMETRY_TIME_MS } from '../records/work/record-threads.ts'
import { DEFAULT_AUDIT_BOUNDS } from '../store/changes/audit-entries.ts'
import { DEFAULT_MOST_REVISIONS } from '../store/changes/record-tables.ts'
import { DEFAULT_MEMORY_MB } from '../store/threads/store-options.ts'
import { DEFAULT_LIMITS } from '../structure/crystal.ts'
import {
  DEFAULT_TOLERANCE_ANGSTROM,
  LEAST_TOLERANCE_ANGSTROM,
  MOST_TOLERANCE_ANGSTROM,
} from '../structure/symmetry/symmetry-report.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Section of a setting in `--help` and in the documentation. */
export type SettingGroup = 'Server' | 'Requests' | 'Queries' | 'Records' | 'Accounts'

interface DescribedSetting {
  readonly group: SettingGroup
  /** One sentence for people who decide; it follows the name. */
  readonly doc: string
}

export interface NumberSetting extends DescribedSetting {
  readonly kind: 'integer' | 'number'
  readonly default: number
  readonly least: number
  readonly most: number
}

export interface SwitchSetting extends DescribedSetting {
  readonly kind: 'switch'
  readonly default: boolean
  /** Effect of the flag where that is the opposite of the setting. */
  readonly flagDoc?: string
}

export interface ChoiceSetting<Choice extends string = string> extends DescribedSetting {
  readonly kind: 'choice'
  readonly default: Choice
  readonly choices: readonly Choice[]
}

export interface TextSetting extends DescribedSetting {
  readonly kind: 'text'
  readonly default: string
  /** Set where the configuration file comes too late to say it: the name of the directory that the file is in. */
  readonly notInFile?: true
}

/** HTTP address of something; empty for none in particular. It is kept without a slash at its end. */
export interface AddressSetting extends DescribedSetting {
  readonly kind: 'address'
  readonly default: ''
}

/** URL of a database, with all that a connection needs; empty for none. It may have a password: nothing shows it. */
export interface DatabaseSetting extends DescribedSetting {
  readonly kind: 'database'
  readonly default: ''
}

/** Text that nothing shows and no flag gives, as others on the machine see flags; empty for none. */
export interface SecretSetting extends DescribedSetting {
  readonly kind: 'secret'
  readonly default: ''
}

export type Setting =
  | NumberSetting
  | SwitchSetting
  | ChoiceSetting
  | TextSetting
  | AddressSetting
  | DatabaseSetting
  | SecretSetting

type NumberIn<T> = { [Name in keyof T]: T[Name] extends number ? Name : never }[keyof T]

/** The least and the most that a number may be. */
type SettingRange = readonly [number, number]

const integer = (group: SettingGroup, value: number, [least, most]: SettingRange, doc: string): NumberSetting => ({
  kind: 'integer',
  group,
  default: value,
  least,
  most,
  doc,
})

const told = (name: keyof HttpSettings['identity'], doc: string): TextSetting => {
  return { kind: 'text', group: 'Server', default: DEFAULT_HTTP_SETTINGS.identity[name], doc }
}

const page = (doc: string): AddressSetting => ({ kind: 'address', group: 'Server', default: '', doc })

// The defaults are those of the rooms that use them.
const requests = (name: NumberIn<HttpSettings>, range: SettingRange, doc: string) =>
  integer('Requests', DEFAULT_HTTP_SETTINGS[name], range, doc)

const queries = (name: keyof QueryBounds, range: SettingRange, doc: string) =>
  integer('Queries', DEFAULT_QUERY_BOUNDS[name], range, doc)

const records = (name: keyof RecordLimits, range: SettingRange, doc: string) =>
  integer('Records', DEFAULT_RECORD_LIMITS[name], range, doc)

const accounts = (name: keyof AccountSettings, range: SettingRange, doc: string) =>
  integer('Accounts', DEFAULT_ACCOUNT_SETTINGS[name], range, doc)

/** Settings, each once; flag and variable follow from the name in the file: `timeBudgetMs`, `--time-budget-ms`, `QUARRY_TIME_BUDGET_MS`. */
export const SETTINGS = {
  data: {
    kind: 'text',
    group: 'Server',
    default: 'data',
    notInFile: true,
    doc: 'The directory that holds the database and, where there is one, `quarry.json`.',
  },
  databaseUrl: {
    kind: 'database',
    group: 'Server',
    default: '',
    doc: 'The PostgreSQL database that keeps everything, in place of a file in the data directory: `postgres://quarry@db.lab.example/quarry?sslmode=verify-full`. `sslmode` and `sslrootcert`, a file of certificates to trust, mean what they mean to libpq. It may have a password, so give it as a variable or in the file rather than as a flag, which others on the machine can see.',
  },
  databaseReplicaUrl: {
    kind: 'database',
    group: 'Server',
    default: '',
    doc: 'A streaming replica of the server of `databaseUrl`: documents and columns are read from it as far as it has them. What is newest is asked of the first, so that answers are as new as without.',
  },
  filesBucket: {
    kind: 'address',
    group: 'Server',
    default: '',
    doc: 'The bucket that keeps the files of records, in place of a folder in the data directory: an address in the protocol of S3, with the name of the bucket at its end, `https://s3.lab.example/quarry`. What arrives is gathered in the data directory first.',
  },
  filesBucketRegion: {
    kind: 'text',
    group: 'Server',
    default: 'us-east-1',
    doc: 'The region that requests to `filesBucket` are signed for.',
  },
  filesBucketKeyId: {
    kind: 'secret',
    group: 'Server',
    default: '',
    doc: 'The id of the key to `filesBucket`, which may read, write, delete and list its objects.',
  },
  filesBucketSecret: {
    kind: 'secret',
    group: 'Server',
    default: '',
    doc: 'The secret of that key.',
  },
  host: {
    kind: 'text',
    group: 'Server',
    default: '127.0.0.1',
    doc: 'The address to listen on; `0.0.0.0` or `::` for all interfaces, behind a proxy that speaks TLS.',
  },
  port: integer('Server', 3000, [0, 65_535], 'The port to listen on; 0 takes a free one.'),
  publicUrl: {
    kind: 'address',
    group: 'Server',
    default: '',
    doc: 'Where people and programs reach the server, with the path that a proxy puts before it: `https://lab.example/quarry`. Addresses in answers begin with it; without it, with the host and scheme of each request.',
  },
  providerName: told('providerName', 'What clients of OPTIMADE call the provider of the data.'),
  providerDescription: told('providerDescription', 'What clients of OPTIMADE are told about the provider.'),
  providerHomepage: page('A page about the provider, for clients of OPTIMADE.'),
  maintainerEmail: told(
    'maintainerEmail',
    'An address of mail at which clients of OPTIMADE reach whoever runs the server.',
  ),
  issueTrackerUrl: page('A page where faults of the server can be told, for clients of OPTIMADE.'),
  sourceUrl: page('Where the source is that the server runs, for clients of OPTIMADE.'),
  workers: integer(
    'Server',
    1,
    [1, 64],
    'Processes that answer requests, over the one database. Caches, threads and `requestLimit` are of each process by itself.',
  ),
  samples: {
    kind: 'switch',
    group: 'Server',
    default: true,
    doc: 'Loads the library of well-known crystals, methods and calculations at the first start on a new data directory; `quarry samples` adds and removes it later.',
    flagDoc: 'Starts without the library of well-known crystals, methods and calculations.',
  },
  logLevel: {
    kind: 'choice',
    group: 'Server',
    default: 'warn',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    doc: 'How much is written to stderr, one JSON object a line.',
  },
  auditDays: integer(
    'Server',
    DEFAULT_AUDIT_BOUNDS.days,
    [1, 3650],
    'For how many days the audit keeps who did what: `quarry audit` shows it.',
  ),
  auditRows: integer(
    'Server',
    DEFAULT_AUDIT_BOUNDS.rows,
    [1000, 1_000_000_000],
    'How many rows the audit has at most, some 150 bytes each; the oldest go first.',
  ),
  accessLog: {
    kind: 'switch',
    group: 'Server',
    default: false,
    doc: 'Writes a line for every request to the log, whatever `logLevel` is: who asked for what, from where, and with what result.',
  },
  responseCacheMb: integer(
    'Server',
    DEFAULT_HTTP_SETTINGS.responseCacheBytes / MIB,
    [0, 65_536],
    'Part of `memoryMb` for whole answers, in MiB, half of it at the most; 0 remembers none.',
  ),
  memoryMb: integer(
    'Server',
    DEFAULT_MEMORY_MB,
    [16, 1_048_576],
    'Memory of a process for what it keeps in order to answer, in MiB, all threads together: columns, what is worked out from them, documents, tails and whole answers.',
  ),
  metrics: {
    kind: 'choice',
    group: 'Server',
    default: DEFAULT_HTTP_SETTINGS.metrics,
    choices: ['loopback', 'public', 'off'],
    doc: 'Who may read `/metrics`: programs on the same machine that come without a proxy, everybody, or nobody.',
  },
  freeSpaceMb: integer(
    'Server',
    256,
    [0, 1_048_576],
    'Free space on the disk of the data directory, in MiB; the disk of a database server is its own matter: with less, writes that need room are refused with 507, and `/readyz` answers 503. 0 leaves it to the disk to be full.',
  ),
  readerThreads: integer(
    'Server',
    2,
    [1, 16],
    'Threads for queries that read many records; over a database, each has a connection.',
  ),
  workerThreads: integer(
    'Server',
    0,
    [0, 64],
    'Threads that read, check and compute what clients send; 0 takes one less than there are processors, in a server two at least.',
  ),

  bodyLimit: requests(
    'bodyLimit',
    [KIB, 1024 * MIB],
    'The longest body with a record in it, in bytes; all others have smaller limits.',
  ),
  uploadLimit: requests(
    'uploadLimit',
    [KIB, 1024 * MIB],
    'The longest form with structure files and archives, in bytes.',
  ),
  urlLimit: requests('urlLimit', [KIB, MIB], 'The longest URL, in characters; encoding makes three of one.'),
  headerLimit: requests('headerLimit', [8 * KIB, 2 * MIB], 'Request line and headers together, in bytes.'),
  requestLimit: requests(
    'requestLimit',
    [1, 100_000],
    'Requests that are answered at a time; the next one gets a 503.',
  ),
  quotaRequests: requests(
    'quotaRequests',
    [0, 1_000_000_000],
    'How many requests one user may send in a minute, in each process; beyond it 429. 0: as many as he likes.',
  ),
  quotaCpuMs: requests(
    'quotaCpuMs',
    [0, 1_000_000_000],
    'How much processor time the requests of one user may take in a minute, in each process; beyond it 429. 0: all they need.',
  ),
  heldMbPerUser: integer(
    'Requests',
    DEFAULT_HELD.perUser / MIB,
    [1, 65_536],
    'Memory that the bodies of one user and the answers that he has not read yet may take, in MiB; beyond it 429.',
  ),
  heldMb: integer(
    'Requests',
    DEFAULT_HELD.inAll / MIB,
    [1, 1_048_576],
    'The same for all users together; beyond it 503.',
  ),
  stallTimeoutMs: requests(
    'stallTimeoutMs',
    [100, 3_600_000],
    'How long a client may send nothing of a body, or take nothing of an answer, before it is given up.',
  ),
  arrivalTimeoutMs: requests(
    'arrivalTimeoutMs',
    [100, 3_600_000],
    'How long a request may take to arrive; a bulk load, which arrives as it is stored, has no such limit.',
  ),
  idleTimeoutMs: requests('idleTimeoutMs', [100, 3_600_000], 'How long an idle connection is kept.'),
  trustProxy: {
    kind: 'switch',
    group: 'Requests',
    default: DEFAULT_HTTP_SETTINGS.trustProxy,
    doc: 'Takes the address of a client from `X-Forwarded-For`, and the address that the client used for the server from `Forwarded` or `X-Forwarded-Proto`, `-Host` and `-Prefix`; only behind a proxy that sets them.',
  },

  queryBytes: queries('maxBytes', [256, 16 * MIB], 'The longest `query` or `projection`, in bytes of JSON text.'),
  queryDepth: queries(
    'maxDepth',
    [4, 256],
    'How many operators a query may have within each other, and how many parts a path may have.',
  ),
  queryClauses: queries(
    'maxClauses',
    [1, 100_000],
    'How many conditions a query may have: operators, and values that fields equal.',
  ),
  queryInValues: queries('maxInValues', [1, 1_000_000], 'How many values one `$in`, `$nin` or `$all` may list.'),
  strict: {
    kind: 'switch',
    group: 'Queries',
    default: DEFAULT_HTTP_SETTINGS.strict,
    doc: 'Refuses requests over HTTP that would be answered with a warning, unless they have `strict=false`.',
  },
  timeBudgetMs: integer(
    'Queries',
    5000,
    [10, 3_600_000],
    'How long a query may keep a processor, in milliseconds, before it is refused with 503. One that has lasted six times as long, waiting for its turn, the storage or a processor, is refused because the server is busy.',
  ),

  slowQueryMs: integer(
    'Queries',
    1000,
    [0, 3_600_000],
    'Queries that take longer are told to the log, with their fields and operators but not their values; 0 tells of none.',
  ),

  recordBytes: records('bytes', [KIB, 512 * MIB], 'The longest record, in bytes of JSON text.'),
  recordDepth: records('depth', [8, 256], 'How deeply the objects and arrays of a record may be nested.'),
  recordLeaves: records('leaves', [100, 10_000_000], 'How many numbers, texts, booleans and nulls a record may have.'),
  recordRevisions: integer(
    'Records',
    DEFAULT_MOST_REVISIONS,
    [0, 1000],
    'How many earlier versions of a record are kept; the oldest go first.',
  ),
  quotaRecords: integer(
    'Records',
    0,
    [0, 1_000_000_000],
    'How many records one account may have, with those that were removed and not purged; beyond it 429. 0: as many as it likes.',
  ),
  quotaStoredMb: integer(
    'Records',
    0,
    [0, 100_000_000],
    'How much one account may have stored, in MiB: texts of records and the files that they list, earlier versions left out; beyond it 429. 0: as much as the disk holds.',
  ),
  structureLength: integer(
    'Records',
    DEFAULT_LIMITS.textLength,
    [KIB, 128 * MIB],
    'The longest structure file, in characters.',
  ),
  structureAtoms: integer(
    'Records',
    DEFAULT_LIMITS.atoms,
    [1, DEFAULT_LIMITS.atoms],
    'How many atoms the cell of a structure file may have.',
  ),
  recordTimeMs: integer(
    'Records',
    DEFAULT_RECORD_TIME_MS,
    [100, 600_000],
    'How long reading and checking one record or structure file may keep a processor, in milliseconds.',
  ),
  symmetryTimeMs: integer(
    'Records',
    DEFAULT_SYMMETRY_TIME_MS,
    [10, 600_000],
    'How long the search for the space group of one material may keep a processor, in milliseconds; what takes longer is stored without.',
  ),
  symmetryTolerance: {
    kind: 'number',
    group: 'Records',
    default: DEFAULT_TOLERANCE_ANGSTROM,
    least: LEAST_TOLERANCE_ANGSTROM,
    most: MOST_TOLERANCE_ANGSTROM,
    doc: 'How far atoms may be from where symmetry wants them, in ångström: the space group of records is found within it, and whatever is asked without a tolerance of its own. Stored records keep theirs until `quarry recompute`.',
  },
  warmUp: {
    kind: 'choice',
    group: 'Records',
    default: 'on',
    choices: ['on', 'off'],
    doc: 'Whether a server does once at its start, for nobody, what the first requests would wait for, before it listens: it starts its threads, reads the columns that it was asked for before it ended, and makes a material that it does not store, which it goes on with for some seconds while nobody else makes any. `off` starts with some tens of megabytes less.',
  },
  symmetry: {
    kind: 'choice',
    group: 'Records',
    default: 'on',
    choices: ['on', 'off'],
    doc: 'Whether the space group of materials is found at every write; `off` makes bulk loads faster.',
  },

  sessionDays: accounts('sessionDays', [1, 3650], 'A login ends after this many days without use.'),
  sessionMostDays: accounts(
    'sessionMostDays',
    [1, 3650],
    'A login ends this many days after its beginning, however much it is used.',
  ),
  sessionsPerUser: accounts('sessionsPerUser', [1, 100_000], 'Open logins of one user; one more ends the oldest.'),
  apiTokensPerUser: accounts('apiTokensPerUser', [1, 100_000], 'API tokens that one user may have.'),
  loginFailuresPerPair: accounts(
    'loginFailuresPerPair',
    [1, 10_000],
    'Failed logins that one name may have from one address in the window.',
  ),
  loginFailuresPerName: accounts(
    'loginFailuresPerName',
    [1, 100_000],
    'Failed logins that one name may have in the window, from all addresses from which its user has not logged in before.',
  ),
  loginFailuresPerAddress: accounts(
    'loginFailuresPerAddress',
    [1, 1_000_000],
    'Failed logins that one address may have in the window; for each user who has logged in from it before, they are counted apart.',
  ),
  loginWindowSeconds: accounts('loginWindowSeconds', [1, 86_400], 'The window after which failed logins are forgiven.'),
  passwordMemoryKib: accounts('passwordMemoryKib', [1024, 4 * MIB], 'Memory of one argon2id computation, in KiB.'),
  passwordPasses: accounts('passwordPasses', [1, 100], 'Passes of one argon2id computation over its memory.'),
  passwordConcurrency: accounts('passwordConcurrency', [1, 64], 'Passwords that are computed at the same time.'),
  passwordQueue: accounts('passwordQueue', [0, 100_000], 'Passwords that may wait; the next one is refused with 503.'),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof SETTINGS

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

type ValueOf<S extends Setting> = S extends NumberSetting
  ? number
  : S extends SwitchSetting
    ? boolean
    : S extends ChoiceSetting<infer Choice>
      ? Choice
      : string

/** The value of every setting: what the server runs with. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }

/** Gives the setting with its type widened to what all settings have in common. */
export function settingOf(name: SettingName): Setting {
  return SETTINGS[name]
}

/** The flag of `quarry serve`: `--time-budget-ms`; a switch that is on by default has the flag that turns it off. */
export function flagOf(name: SettingName): string {
  const setting = settingOf(name)
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return setting.kind === 'switch' && setting.default ? `--no-${words}` : `--${words}`
}

/** The environment variable: `QUARRY_TIME_BUDGET_MS`. */
export function variableOf(name: SettingName): string {
  return `QUARRY_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** Allowed values, to finish a sentence: `an integer from 0 to 65535`. */
export function allowedValues(setting: Setting): string {
  switch (setting.kind) {
    case 'integer':
      return `an integer from ${setting.least} to ${setting.most}`
    case 'number':
      return `a number from ${setting.least} to ${setting.most}`
    case 'switch':
      return 'true or false'
    case 'choice':
      return `one of ${setting.choices.join(', ')}`
    case 'text':
      return 'a text that is not empty'
    case 'secret':
      return 'a text'
    case 'address':
      return 'an address such as https://lab.example/quarry, without parameters'
    case 'database':
      return 'the address of a PostgreSQL database, such as postgres://quarry@db.lab.example/quarry, with letters other than those of ASCII and signs in names and passwords percent-encoded'
  }
}
