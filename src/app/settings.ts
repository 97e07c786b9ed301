import { DEFAULT_ACCOUNT_SETTINGS } from '../accounts/settings.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Where a setting stands in `--help` and in the documentation. */
export type SettingGroup = 'Server' | 'Requests' | 'Queries' | 'Accounts'

interface Described {
  readonly group: SettingGroup
  /** One sentence for people who decide; it follows the name. */
  readonly doc: string
}

export interface IntegerSetting extends Described {
  readonly kind: 'integer'
  readonly default: number
  readonly least: number
  readonly most: number
}

export interface SwitchSetting extends Described {
  readonly kind: 'switch'
  readonly default: boolean
}

export interface ChoiceSetting<Choice extends string = string> extends Described {
  readonly kind: 'choice'
  readonly default: Choice
  readonly choices: readonly Choice[]
}

export interface TextSetting extends Described {
  readonly kind: 'text'
  readonly default: string
  /** Set where the configuration file comes too late to say it: the name of the directory that the file is in. */
  readonly notInFile?: true
}

export type Setting = IntegerSetting | SwitchSetting | ChoiceSetting | TextSetting

const integer = (group: SettingGroup, value: number, least: number, most: number, doc: string): IntegerSetting => ({
  kind: 'integer',
  group,
  default: value,
  least,
  most,
  doc,
})

const accounts = (name: keyof typeof DEFAULT_ACCOUNT_SETTINGS, least: number, most: number, doc: string) =>
  integer('Accounts', DEFAULT_ACCOUNT_SETTINGS[name], least, most, doc)

/**
 * Everything that an operator can choose, each thing once. The key is the name in the configuration file; the flag and
 * the environment variable follow from it: `timeBudgetMs`, `--time-budget-ms`, `QUARRY_TIME_BUDGET_MS`.
 */
export const SETTINGS = {
  data: {
    kind: 'text',
    group: 'Server',
    default: 'data',
    notInFile: true,
    doc: 'The directory that holds the database and, where there is one, `quarry.json`.',
  },
  host: {
    kind: 'text',
    group: 'Server',
    default: '127.0.0.1',
    doc: 'The address to listen on; `0.0.0.0` or `::` for all interfaces, behind a proxy that speaks TLS.',
  },
  port: integer('Server', 3000, 0, 65_535, 'The port to listen on; 0 takes a free one.'),
  samples: {
    kind: 'switch',
    group: 'Server',
    default: true,
    doc: 'Loads the library of well-known crystals and methods, once, into a new data directory.',
  },
  logLevel: {
    kind: 'choice',
    group: 'Server',
    default: 'info',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    doc: 'How much is written to stderr, one JSON object a line.',
  },
  readerThreads: integer('Server', 1, 1, 16, 'Threads for queries that read many records.'),

  bodyBytes: integer('Requests', 10 * MIB, KIB, 1024 * MIB, 'The longest body of a request.'),
  urlBytes: integer('Requests', 256 * KIB, KIB, 1024 * KIB, 'The longest URL of a request, encoded.'),

  queryBytes: integer('Queries', 64 * KIB, 256, 16 * MIB, 'The longest `query` or `projection`, decoded.'),
  queryDepth: integer('Queries', 64, 4, 256, 'How deeply a query may be nested.'),
  queryClauses: integer('Queries', 1000, 1, 100_000, 'How many clauses a query may have.'),
  queryInValues: integer('Queries', 10_000, 1, 1_000_000, 'How many values `$in`, `$nin` and `$all` may list.'),
  timeBudgetMs: integer('Queries', 5000, 10, 3_600_000, 'How long a query may run before it is refused with 503.'),

  sessionDays: accounts('sessionDays', 1, 3650, 'A login ends after this many days without use.'),
  sessionsPerUser: accounts('sessionsPerUser', 1, 100_000, 'Open logins of one user; one more ends the oldest.'),
  apiTokensPerUser: accounts('apiTokensPerUser', 1, 100_000, 'API tokens that one user may have.'),
  loginFailuresPerName: accounts(
    'loginFailuresPerName',
    1,
    10_000,
    'Failed logins that one name may have in the window.',
  ),
  loginFailuresPerAddress: accounts(
    'loginFailuresPerAddress',
    1,
    1_000_000,
    'Failed logins that one address may have in the window.',
  ),
  loginWindowSeconds: accounts('loginWindowSeconds', 1, 86_400, 'The window after which failed logins are forgiven.'),
  passwordMemoryKib: accounts('passwordMemoryKib', 1024, 4 * MIB, 'Memory of one argon2id computation, in KiB.'),
  passwordPasses: accounts('passwordPasses', 1, 100, 'Passes of one argon2id computation over its memory.'),
  passwordConcurrency: accounts('passwordConcurrency', 1, 64, 'Passwords that are computed at the same time.'),
  passwordQueue: accounts('passwordQueue', 0, 100_000, 'Passwords that may wait; the next one is refused with 503.'),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof SETTINGS

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

type ValueOf<S extends Setting> = S extends IntegerSetting
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

/** What a value must be, to finish a sentence: `an integer from 0 to 65535`. */
export function allowedValues(setting: Setting): string {
  switch (setting.kind) {
    case 'integer':
      return `an integer from ${setting.least} to ${setting.most}`
    case 'switch':
      return 'true or false'
    case 'choice':
      return `one of ${setting.choices.join(', ')}`
    case 'text':
      return 'a text that is not empty'
  }
}
