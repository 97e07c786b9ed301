import { type Command, InvalidArgumentError } from 'commander'
import type { AccountDeps } from '../../accounts/deps.ts'
import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import { createToken, listTokens, revokeToken, type TokenSummary } from '../../accounts/tokens.ts'
import { findUser, listUsers } from '../../accounts/users.ts'
import { AppError } from '../../kernel/errors.ts'
import { instant, print, printJson, printTable, tell } from '../console/output.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface TokenFlags extends DataFlags {
  readonly user: string
  readonly account?: string
  readonly name: string
  readonly expires?: number
  readonly readOnly?: boolean
  readonly json?: boolean
}

/** Adds `quarry token`: the credentials that programs use. */
export function addTokenCommand(program: Command): void {
  const token = program.command('token').description('Manage the tokens that programs use instead of a password.')

  withDataFlags(token.command('create'))
    .description("Create a token that acts as a user, in the user's personal account first. It is shown this once.")
    .requiredOption('--user <name>', 'the name or e-mail address of the user')
    .option('--account <name>', "keep the token to one of the user's accounts (default: it works for all)")
    .option('--name <text>', 'what the token is recognized by', 'command line')
    .option('--expires <time>', 'when it ends by itself: 90d, 12w, 1y (default: never)', readDays)
    .option('--read-only', 'a token that cannot change anything')
    .option('--json', 'print the two request headers as JSON')
    .action(create)

  withDataFlags(token.command('list'))
    .description("List a user's tokens and open logins, without the secrets.")
    .requiredOption('--user <name>', 'the name or e-mail address of the user')
    .option('--json', 'print the tokens as JSON')
    .action(list)

  withDataFlags(token.command('revoke'))
    .description('End a token: it is dead from the next request on.')
    .argument('<id>', 'the id of the token, from `quarry token list`')
    .action(revoke)
}

async function create(flags: TokenFlags): Promise<void> {
  const { secret, token } = await withServices(flags, async ({ accounts }) => {
    const user = await findUser(accounts, flags.user)
    return createToken(accounts, {
      userId: user.id,
      accountId: flags.account === undefined ? user.defaultAccountId : await idOfAccount(accounts, flags.account),
      oneAccount: flags.account !== undefined,
      name: flags.name,
      expiresInDays: flags.expires ?? null,
      readOnly: flags.readOnly ?? false,
    })
  })
  const headers = { 'X-Account-Id': token.accountId, 'X-Auth-Token': secret }
  if (flags.json) return printJson(headers)
  for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`)
  tell(`Token ${token.id}, ${describeEnd(token)}. It is not shown again.`)
}

async function list(flags: TokenFlags): Promise<void> {
  const tokens = await withServices(flags, async ({ accounts }) => {
    const user = await findUser(accounts, flags.user)
    return listTokens(accounts, user.id)
  })
  if (flags.json) return printJson(tokens.map(presentToken))
  printTable(
    tokens,
    [
      ['ID', (token) => token.id],
      ['KIND', (token) => token.kind],
      ['NAME', (token) => token.name],
      ['ACCESS', (token) => (token.readOnly ? 'read' : 'read, write')],
      ['CREATED', (token) => instant(token.createdAt)],
      ['LAST USED', (token) => instant(token.lastUsedAt)],
      ['EXPIRES', (token) => instant(token.expiresAt)],
    ],
    `${flags.user} has no tokens.`,
  )
}

async function revoke(id: string, flags: DataFlags): Promise<void> {
  await withServices(flags, async ({ accounts }) => revokeToken(accounts, await ownerOf(accounts, id), id))
  print(`revoked token ${id}`)
}

/** That the user belongs to it is for `createToken` to see to. */
async function idOfAccount(accounts: AccountDeps, name: string): Promise<string> {
  const account = await accounts.store.findAccountByName(name)
  if (account !== null) return account.id
  throw new AppError(ACCOUNT_ERRORS.accountNotFound, `There is no account ${JSON.stringify(name)}.`, {
    path: '--account',
    hint: 'An account has the name of its user or organization; `quarry organization list` shows organizations.',
  })
}

/** The person at the command line knows the token's id, but a use case only ends tokens of a given user. */
async function ownerOf(accounts: AccountDeps, tokenId: string): Promise<string> {
  for (const user of await listUsers(accounts)) {
    const tokens = await accounts.store.listTokens(user.id)
    if (tokens.some(({ id }) => id === tokenId)) return user.id
  }
  throw new AppError(ACCOUNT_ERRORS.tokenNotFound, `There is no token ${JSON.stringify(tokenId)}.`, {
    hint: '`quarry token list --user NAME` shows the ids.',
  })
}

const DAYS_IN = { d: 1, w: 7, y: 365 } as const

function readDays(text: string): number {
  const [, count, unit] = /^(\d{1,5})([dwy])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('Write a number of days, weeks or years: 90d, 12w, 1y.')
  return Number(count) * DAYS_IN[unit as keyof typeof DAYS_IN]
}

function describeEnd(token: TokenSummary): string {
  return token.expiresAt === null ? 'valid until it is revoked' : `valid until ${instant(token.expiresAt)}`
}

function presentToken(token: TokenSummary) {
  return {
    _id: token.id,
    kind: token.kind,
    name: token.name,
    accountId: token.accountId,
    oneAccount: token.oneAccount,
    readOnly: token.readOnly,
    createdAt: instant(token.createdAt),
    lastUsedAt: token.lastUsedAt === null ? null : instant(token.lastUsedAt),
    expiresAt: token.expiresAt === null ? null : instant(token.expiresAt),
  }
}
