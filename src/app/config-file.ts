import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import { explainFileFault } from '../kernel/file-fault.ts'
import { isJsonObject } from '../kernel/json.ts'
import { CONFIG_VARIABLE, type ConfigFile, type Environment, type Flags, readConfig } from './config.ts'
import { APP_ERRORS } from './errors.ts'
import { type Config, SETTINGS, variableOf } from './settings.ts'

/** The name of the file in the data directory that is read when there is no `--config`. */
export const CONFIG_FILE_NAME = 'quarry.json'

/**
 * Settles the settings with the configuration file that applies: the one that is named, which must exist, or else
 * `quarry.json` in the data directory, which may. The data directory comes back as an absolute path.
 */
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
