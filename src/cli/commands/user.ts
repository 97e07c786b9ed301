import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { createUser, disableUser, enableUser, listUsers, setPassword, type UserSummary } from '../../accounts/users.ts'
import { instant, print, printJson, printTable, tell } from '../console/output.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface UserFlags extends DataFlags {
  readonly email?: string
  readonly json?: boolean
}

/** Adds `quarry user`: who may log in. */
export function addUserCommand(program: Command): void {
  const user = program.command('user').description('Manage the people who may log in.')

  withPassword(withDataFlags(user.command('create')))
    .description('Create a user with a personal account. Makes the data directory if there is none.')
    .argument('<name>', '2 to 64 letters, digits and . _ -')
    .option('--email <address>', 'an e-mail address, which may be used to log in')
    .option('--json', 'print the user as JSON')
    .action(create)

  withDataFlags(user.command('list'))
    .description('List all users, disabled ones included.')
    .option('--json', 'print the users as JSON')
    .action(list)

  withDataFlags(user.command('disable'))
    .description('Keep a user out: neither the password nor any token works any more. Records stay.')
    .argument('<name>', 'the name or e-mail address of the user')
    .action(disable)

  withDataFlags(user.command('enable'))
    .description('Let a disabled user in again, with the password and the tokens of before.')
    .argument('<name>', 'the name or e-mail address of the user')
    .action(enable)

  withPassword(withDataFlags(user.command('password')))
    .description('Give a user a new password and end the open logins. API tokens stay.')
    .argument('<name>', 'the name or e-mail address of the user')
    .action(changePassword)
}

function withPassword(command: Command): Command {
  return command.requiredOption(
    '--password-stdin',
    'read the password, of 12 characters or more, from the first line of stdin, or ask for it',
  )
}

async function create(name: string, flags: UserFlags): Promise<void> {
  const password = await readPassword()
  const user = await withServices(
    flags,
    ({ accounts }) => createUser(accounts, { name, email: flags.email ?? null, password }),
    { create: true },
  )
  if (flags.json) printJson(presentUser(user))
  else print(`created user ${user.name}`)
}

async function list(flags: UserFlags): Promise<void> {
  const users = await withServices(flags, ({ accounts }) => listUsers(accounts))
  if (flags.json) return printJson(users.map(presentUser))
  printTable(
    users,
    [
      ['NAME', (user) => user.name],
      ['E-MAIL', (user) => user.email ?? ''],
      ['CREATED', (user) => instant(user.createdAt)],
      ['DISABLED', (user) => instant(user.disabledAt)],
    ],
    'There are no users.',
  )
}

async function disable(name: string, flags: DataFlags): Promise<void> {
  const user = await withServices(flags, ({ accounts }) => disableUser(accounts, name))
  print(`disabled user ${user.name}`)
}

async function enable(name: string, flags: DataFlags): Promise<void> {
  const user = await withServices(flags, ({ accounts }) => enableUser(accounts, name))
  print(`enabled user ${user.name}`)
}

async function changePassword(name: string, flags: DataFlags): Promise<void> {
  const password = await readPassword()
  await withServices(flags, ({ accounts }) => setPassword(accounts, name, password))
  tell(`changed the password of ${name}`)
}

function presentUser(user: UserSummary) {
  return {
    _id: user.id,
    name: user.name,
    email: user.email,
    accountId: user.defaultAccountId,
    createdAt: instant(user.createdAt),
    disabledAt: user.disabledAt === null ? null : instant(user.disabledAt),
  }
}

/** Reads a password from stdin: the first line of a pipe, or what is typed at a prompt, unseen. */
async function readPassword(): Promise<string> {
  const isTyped = process.stdin.isTTY === true
  if (isTyped) process.stderr.write('Password: ')
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: isTyped })
  try {
    const { value } = await lines[Symbol.asyncIterator]().next()
    return (value as string | undefined) ?? ''
  } finally {
    lines.close()
    if (isTyped) process.stderr.write('\n')
  }
}
