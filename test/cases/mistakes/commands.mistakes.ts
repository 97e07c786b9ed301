import type { JsonObject } from '../../../src/kernel/json.ts'

/** A command as a user types it who means something else; `{data}` stands for a data directory with the user `ada` in it. */
export interface MistakenCommand {
  readonly meant: string
  readonly parameters: string
  readonly exitCode: number
  /** What stderr has to say. */
  readonly says: string
}

type CommandRow = readonly [meant: string, parameters: string, exitCode: number, says: string]

const COMMAND_ROWS: readonly CommandRow[] = [
  ['user', 'users list', 2, 'Did you mean user?'],
  ['the name of a new user', 'user create --data {data}', 2, '--password-stdin'],
  ['a name of letters', 'user create A/B --password-stdin --data {data}', 1, 'use 2 to 64 letters, digits'],
  ['another name', 'user create ada --password-stdin --data {data}', 1, 'is taken. Choose another one.'],
  ['somebody', 'user disable nobody --data {data}', 1, 'There is no user "nobody".'],
  ['a token for somebody', 'token create --user nobody --name t --data {data}', 1, 'There is no user "nobody".'],
  ['a token for ada', 'token create --name t --data {data}', 2, '--user <name>'],
  ['the materials', 'export --user ada --kind material --data {data}', 2, 'Did you mean materials?'],
  ['lattice.a', 'export --user ada --kind materials --query {"latice.a":3} --data {data}', 0, '"latice.a"'],
  ['lattice.a, explained', 'explain --user ada --kind materials --query {"latice.a":3} --data {data}', 0, '"latice.a"'],
  ['JSON', "export --user ada --query {'formula':'Si'} --data {data}", 2, 'JSON uses double quotes'],
  ['a file elsewhere', 'import nosuch.cif --user ada --data {data}', 2, 'Check its name.'],
  ['CIF', 'convert --to pdf package.json', 2, 'Formats that are written'],
  ['--port', 'serve --prot 80 --data {data}', 2, 'Did you mean --port?'],
  ['port 80', 'serve --port http --data {data}', 2, 'an integer from 0 to 65535'],
  ['a backup beside the database', 'backup {data}/quarry.db --data {data}', 1, 'Choose another name'],
  ['administrator', 'organization add lab bob --role boss --data {data}', 2, 'administrator, member'],
]

export const COMMANDS: readonly MistakenCommand[] = COMMAND_ROWS.map(([meant, parameters, exitCode, says]) => ({
  meant,
  parameters,
  exitCode,
  says,
}))

/** Settings as an operator writes them who means something else. */
export interface MistakenSettings {
  readonly meant: string
  readonly flags?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  readonly file?: JsonObject
  readonly says: string
}

export const SETTINGS_MISTAKES: readonly MistakenSettings[] = [
  { meant: 'QUARRY_PORT', environment: { QUARRY_PROT: '80' }, says: 'Did you mean QUARRY_PORT?' },
  { meant: 'QUARRY_DATA', environment: { QUARRY_DATA_DIR: '/srv' }, says: 'QUARRY_DATA_DIR is no setting' },
  { meant: 'a port', environment: { QUARRY_PORT: '3000/tcp' }, says: 'an integer from 0 to 65535' },
  { meant: 'no port', environment: { QUARRY_PORT: '' }, says: 'an integer from 0 to 65535' },
  { meant: 'a level of the log', environment: { QUARRY_LOG_LEVEL: 'warning' }, says: 'one of silent, error, warn' },
  { meant: 'a level in capitals', environment: { QUARRY_LOG_LEVEL: 'INFO' }, says: 'one of silent, error, warn' },
  { meant: 'true', environment: { QUARRY_STRICT: '1' }, says: 'true or false' },
  { meant: 'true, in words', environment: { QUARRY_STRICT: 'yes' }, says: 'true or false' },
  { meant: 'true, in Python', environment: { QUARRY_TRUST_PROXY: 'True' }, says: 'true or false' },
  { meant: 'five seconds', environment: { QUARRY_TIME_BUDGET_MS: '5s' }, says: 'an integer from 10 to 3600000' },
  { meant: 'five seconds, in seconds', environment: { QUARRY_TIME_BUDGET_MS: '5' }, says: 'an integer from 10' },
  { meant: 'ten megabytes', environment: { QUARRY_BODY_LIMIT: '10MB' }, says: 'an integer from 1024' },
  { meant: 'all processors', flags: { workers: '-1' }, says: 'an integer from 1 to 64' },
  { meant: 'an address with its scheme', flags: { publicUrl: 'lab.example' }, says: 'https://lab.example/quarry' },
  { meant: 'port, in a file', file: { prot: 80 }, says: 'Did you mean port?' },
  { meant: 'a number, in a file', file: { port: '80' }, says: 'an integer from 0 to 65535' },
  { meant: 'false, in a file', file: { samples: 'no' }, says: 'true or false' },
  { meant: 'log-level, in a file', file: { 'log-level': 'info' }, says: 'Did you mean logLevel?' },
  { meant: 'the name of a variable, in a file', file: { QUARRY_PORT: 80 }, says: 'unknown setting "QUARRY_PORT"' },
  { meant: 'settings by room', file: { server: { port: 80 } }, says: 'unknown setting "server"' },
  { meant: 'the data, in a file', file: { data: '/srv' }, says: 'give it as --data or QUARRY_DATA' },
  { meant: 'nothing', file: { host: null }, says: 'a text that is not empty' },
  { meant: 'symmetry, switched off', file: { symmetry: false }, says: 'one of on, off' },
]
