import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import { explainFileFault } from '../kernel/file-fault.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import { nearestName } from '../kernel/names.ts'
import { APP_ERRORS } from './errors.ts'
import {
  allowedValues,
  type Config,
  flagOf,
  type NumberSetting,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  settingOf,
  variableOf,
} from './settings.ts'

const MIB = 2 ** 20

/** Flags of the command line: the text after a flag, or true and false for a switch. */
export type Flags = Readonly<Partial<Record<SettingName, string | boolean | undefined>>>

export type Environment = Readonly<Record<string, string | undefined>>

export interface ConfigFile {
  readonly path: string
  readonly content: JsonObject
}

/** The variable that names the configuration file; it is not a setting, for a file cannot name itself. */
export const CONFIG_VARIABLE = 'QUARRY_CONFIG'

/** Settles every setting: the flag, else the environment, else the file, else the default. Refuses all that is wrong in one go. */
export function readConfig(flags: Flags, environment: Environment, file: ConfigFile | null): Config {
  const problems = [...unknownVariables(environment), ...(file === null ? [] : wrongKeys(file))]
  const config: Partial<Record<SettingName, string | number | boolean>> = {}
  for (const name of SETTING_NAMES) {
    const given = givenValue(name, flags, environment, file)
    const value = given === null ? settingOf(name).default : readValue(settingOf(name), given.value, given.isText)
    if (value === null) problems.push(wrongValue(name, given))
    else config[name] = value
  }
  if (problems.length === 0) problems.push(...contradictions(config as Config))
  if (problems.length > 0) throw new AppError(APP_ERRORS.invalidSetting, problems.join('\n'), { problems })
  return config as Config
}

/** Settings that are each allowed, but not together. */
function contradictions(config: Config): string[] {
  const { urlLimit, headerLimit, heldMbPerUser, heldMb } = config
  const isWithoutKey = config.filesBucket !== '' && (config.filesBucketKeyId === '' || config.filesBucketSecret === '')
  const largest = (['bodyLimit', 'uploadLimit'] as const).filter((name) => config[name] > heldMbPerUser * MIB)
  return [
    ...(urlLimit < headerLimit
      ? []
      : [`The setting urlLimit (${urlLimit}) must be below headerLimit (${headerLimit}), which counts the URL too.`]),
    ...(isWithoutKey
      ? [
          `The bucket filesBucket needs a key: filesBucketKeyId and filesBucketSecret, as ${variableOf('filesBucketKeyId')} and ${variableOf('filesBucketSecret')}.`,
        ]
      : []),
    ...largest.map(
      (name) =>
        `The setting ${name} (${config[name]}) must not be more than heldMbPerUser (${heldMbPerUser} MiB): nobody could send a body of that length.`,
    ),
    ...(heldMbPerUser <= heldMb
      ? []
      : [
          `The setting heldMbPerUser (${heldMbPerUser}) must not be more than heldMb (${heldMb}), which counts all users.`,
        ]),
  ]
}

/** A value as it was found, and the place to correct it. Texts of flags and variables still have to be read. */
interface Given {
  readonly value: Json
  readonly isText: boolean
  readonly origin: string
}

function givenValue(name: SettingName, flags: Flags, environment: Environment, file: ConfigFile | null): Given | null {
  const flag = flags[name]
  if (flag !== undefined) return { value: flag, isText: true, origin: `the flag ${flagOf(name)}` }
  const variable = environment[variableOf(name)]
  if (variable !== undefined) return { value: variable, isText: true, origin: `the environment, ${variableOf(name)}` }
  const field = file === null ? undefined : ownField(file.content, name)
  if (file === null || field === undefined) return null
  return { value: field, isText: false, origin: file.path }
}

function readValue(setting: Setting, value: Json, isText: boolean): string | number | boolean | null {
  switch (setting.kind) {
    case 'integer':
      return readInteger(value, isText, setting.least, setting.most)
    case 'number':
      return readNumber(value, isText, setting)
    case 'switch':
      return readSwitch(value, isText)
    case 'choice':
      return typeof value === 'string' && setting.choices.includes(value) ? value : null
    case 'text':
      return typeof value === 'string' && (value.trim() !== '' || setting.default === '') ? value : null
    case 'secret':
      return typeof value === 'string' ? value : null
    case 'address':
      return readAddress(value)
    case 'database':
      return readDatabaseUrl(value)
  }
}

function readInteger(value: Json, isText: boolean, least: number, most: number): number | null {
  const number = isText && typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most ? number : null
}

function readNumber(value: Json, isText: boolean, { least, most }: NumberSetting): number | null {
  const number = isText && typeof value === 'string' && /^\d{0,9}(\.\d{0,9})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= least && number <= most ? number : null
}

function readSwitch(value: Json, isText: boolean): boolean | null {
  if (typeof value === 'boolean') return value
  return isText && (value === 'true' || value === 'false') ? value === 'true' : null
}

/** Scheme, host and path as they are compared and put before other paths; no name, password, parameter or mark. */
function readAddress(value: Json): string | null {
  if (value === '') return value
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { protocol, origin, pathname, href } = new URL(value)
  const isPlain = /^https?:$/.test(protocol) && href === origin + pathname && !pathname.includes('//')
  return isPlain ? (origin + pathname).replace(/\/$/, '') : null
}

/** Whether a text is the address of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
}

/** As it is: what it says of host, user and options is for the driver. */
function readDatabaseUrl(value: Json): string | null {
  if (value === '') return value
  return typeof value === 'string' && isDatabaseUrl(value) ? value : null
}

function wrongValue(name: SettingName, given: Given | null): string {
  const isSecret = ['database', 'secret'].includes(settingOf(name).kind)
  const shown = isSecret ? 'something else' : JSON.stringify(given?.value)
  const found = given === null ? '' : ` is ${shown} (from ${given.origin})`
  return `The setting ${name}${found}: it must be ${allowedValues(settingOf(name))}.`
}

function unknownVariables(environment: Environment): string[] {
  const known = [CONFIG_VARIABLE, ...SETTING_NAMES.map(variableOf)]
  return Object.keys(environment)
    .filter((variable) => variable.startsWith('QUARRY_') && !known.includes(variable))
    .map((variable) => `The environment variable ${variable} is no setting.${suggestion(variable, known)}`)
}

function wrongKeys({ path, content }: ConfigFile): string[] {
  const known = SETTING_NAMES.filter((name) => !isLeftOutOfFile(name))
  return Object.keys(content)
    .filter((key) => !(known as readonly string[]).includes(key))
    .map((key) =>
      (SETTING_NAMES as readonly string[]).includes(key)
        ? `The setting ${key} cannot be in ${path}; give it as ${flagOf(key as SettingName)} or ${variableOf(key as SettingName)}.`
        : `${path} has the unknown setting ${JSON.stringify(key)}.${suggestion(key, known)}`,
    )
}

function isLeftOutOfFile(name: SettingName): boolean {
  const setting = settingOf(name)
  return setting.kind === 'text' && setting.notInFile === true
}

function suggestion(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known)
  return nearest === null ? '' : ` Did you mean ${nearest}?`
}

/** The name of the file in the data directory that is read when there is no `--config`. */
export const CONFIG_FILE_NAME = 'quarry.json'

/** Settles the settings with the file that is named, which must exist, or `quarry.json` in the data directory, which may. */
export function loadConfig(flags: Flags & { readonly config?: string }, environment: Environment): Config {
  const { config: flag, ...settings } = flags
  const named = flag ?? environment[CONFIG_VARIABLE]
  const file = named === undefined ? readIfThere(defaultFile(settings, environment)) : readNamed(resolve(named))
  const config = readConfig(settings, environment, file)
  return { ...config, data: resolve(config.data) }
}

function defaultFile(flags: Flags, environment: Environment): string {
  const data = flags.data ?? environment[variableOf('data')] ?? SETTINGS.data.default
  return resolve(join(String(data), CONFIG_FILE_NAME))
}

function readNamed(path: string): ConfigFile {
  const file = readIfThere(path)
  if (file === null) throw new AppError(APP_ERRORS.unreadableConfig, `The configuration file ${path} does not exist.`)
  return file
}

function readIfThere(path: string): ConfigFile | null {
  try {
    return { path, content: parseObject(readFileSync(path, 'utf8')) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    if (code !== undefined) throw unreadable(path, error)
    throw new AppError(
      APP_ERRORS.unreadableConfig,
      `The configuration file ${path} cannot be read: ${(error as Error).message}`,
      { hint: 'It is one JSON object, such as {"port": 8080, "timeBudgetMs": 2000}.' },
      error,
    )
  }
}

function unreadable(path: string, error: unknown): AppError {
  const { reason, hint } = explainFileFault(error, path, 'read')
  return new AppError(
    APP_ERRORS.unreadableConfig,
    `The configuration file ${path} cannot be read: ${reason}.`,
    { hint },
    error,
  )
}

function parseObject(text: string): ConfigFile['content'] {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) throw new Error('it is not a JSON object')
  return value
}
