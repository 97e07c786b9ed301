import type { Command } from 'commander'
import { loadConfig } from '../../app/config.ts'
import { databaseFile, openServices, type Services } from '../../app/open-services.ts'
import type { Config } from '../../app/settings.ts'
import { AppError } from '../../kernel/errors.ts'
import { presenceOf } from '../../kernel/file-fault.ts'
import { CLI_ERRORS } from './errors.ts'
import { tell } from './output.ts'

/** The flags that every command on a data directory has. */
export interface DataFlags {
  readonly data?: string
  readonly config?: string
  /** False where a command has been told to leave the space group out. */
  readonly symmetry?: boolean
}

/** Gives a command the flags that say which data directory it is about. */
export function withDataFlags(command: Command): Command {
  return command
    .option('--data <dir>', 'data directory (default: QUARRY_DATA, else ./data)')
    .option('--config <file>', 'configuration file (default: QUARRY_CONFIG, else quarry.json in the data directory)')
}

export function configOf({ data, config, symmetry }: DataFlags): Config {
  return loadConfig(
    {
      ...(data === undefined ? {} : { data }),
      ...(config === undefined ? {} : { config }),
      ...(symmetry === false ? { symmetry: 'off' } : {}),
    },
    process.env,
  )
}

/** Opens the data that the settings name for a command, and closes it whatever happens. Only with `create` is a missing database made. */
export async function withServices<T>(
  flags: DataFlags,
  run: (services: Services) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const config = configOf(flags)
  const isNew = create && isWithoutData(config)
  if (!create) assertHasData(config)
  const services = await openServices(config, { creates: create })
  if (isNew) tell(`There was no data in ${config.data}: a new database was made there.`)
  try {
    return await run(services)
  } finally {
    await services.close()
  }
}

/** Whether the data directory has no database. One that this user may not see is not missing: opening it tells whose it is. */
function isWithoutData(config: Config): boolean {
  return config.databaseUrl === '' && presenceOf(databaseFile(config)) === 'missing'
}

/** Refuses a data directory without a database, before anything would create one. */
export function assertHasData(config: Config): void {
  if (!isWithoutData(config)) return
  const what = presenceOf(config.data) === 'there' ? 'has no Quarry database' : 'does not exist'
  throw new AppError(CLI_ERRORS.noData, `The data directory ${config.data} ${what}.`, {
    hint: 'Name another one with --data DIR or QUARRY_DATA; `quarry serve` and `quarry user create` make a new one.',
  })
}
