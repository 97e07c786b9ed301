import { runCli } from '../../test/support/cli.ts'

/** The headers of a request. */
export type Credentials = Readonly<Record<string, string>>

/** Creates a user in a data directory, which is made when it is not there. */
export async function createUser(data: string, name: string): Promise<void> {
  await quarry(['user', 'create', name, '--password-stdin', '--data', data], 'rather-unlikely-horse-7\n')
}

/** Creates a token of a user's. */
export async function createToken(data: string, name: string, flags: readonly string[] = []): Promise<Credentials> {
  return JSON.parse(await quarry(['token', 'create', '--user', name, '--json', ...flags, '--data', data], ''))
}

async function quarry(parameters: readonly string[], input: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli(parameters, { input })
  if (exitCode !== 0) throw new Error(`quarry ${parameters.join(' ')}: ${stderr}`)
  return stdout
}
