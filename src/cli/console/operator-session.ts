import type { AccountDeps } from '../../accounts/deps.ts'
import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import type { Session } from '../../accounts/session.ts'
import { findUser } from '../../accounts/users.ts'
import type { Services } from '../../app/open-services.ts'
import { commandOrigin } from '../../app/origin.ts'
import { AppError } from '../../kernel/errors.ts'
import { nameKey, nearestName } from '../../kernel/names.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import type { AccountRow, UserRow } from '../../store/port/account-store.ts'
import { CLI_ERRORS } from './errors.ts'

/** Session of whoever holds the data directory, as a user; it needs no credential: that person could change the database anyway. */
export async function operatorSession(
  accounts: AccountDeps,
  nameOrEmail: string,
  accountName?: string,
): Promise<Session> {
  const user = await findUser(accounts, nameOrEmail)
  if (accountName === undefined) return sessionIn(accounts, user, user.defaultAccountId)
  const own = await accounts.store.accountsOf(user.id)
  const account = own.find(({ id, name }) => id === accountName || nameKey(name) === nameKey(accountName))
  if (account === undefined) throw notAnAccountOf(user, accountName, own)
  return sessionIn(accounts, user, account.id)
}

/** The session of the same person, who acts as the owner of an organization. */
export async function ownerSession(accounts: AccountDeps, organization: string): Promise<Session> {
  const account = await accounts.store.findAccountByName(organization)
  const [owner] = account?.type === 'organization' ? await accounts.store.membersOf(account.id) : []
  if (account === null || owner === undefined) throw noOrganization(organization)
  return sessionIn(accounts, owner.user, account.id)
}

async function sessionIn(accounts: AccountDeps, user: UserRow, accountId: string): Promise<Session> {
  const { id, name, slug, email } = user
  const account = (await accounts.store.accountsOf(id)).find((candidate) => candidate.id === accountId)
  if (account === undefined) throw new Error(`user ${id} is not a member of account ${accountId}`)
  return {
    user: { id, name, slug, email },
    account,
    role: account.role,
    token: { id: 'command-line', kind: 'api', oneAccount: false },
    readOnly: false,
    endsAt: Number.POSITIVE_INFINITY,
    scope: { kind: 'account', accountId: account.id },
    origin: commandOrigin(),
  }
}

function notAnAccountOf(user: UserRow, wanted: string, own: readonly AccountRow[]): AppError {
  const names = own.map(({ name }) => name).join(', ')
  return new AppError(
    ACCOUNT_ERRORS.notAMember,
    `${user.name} does not belong to the account ${JSON.stringify(wanted)}.`,
    { path: 'account', hint: `The accounts of ${user.name} are: ${names}.` },
  )
}

function noOrganization(name: string): AppError {
  return new AppError(ACCOUNT_ERRORS.accountNotFound, `There is no organization ${JSON.stringify(name)}.`, {
    path: 'name',
    hint: '`quarry organization list` shows those there are.',
  })
}

/** Finds the kind that `--kind` names; which kinds there are is known only with the data directory, which may add some. */
export function kindNamed({ kinds }: Services, collection: string): RecordKind {
  const kind = kinds.find((candidate) => candidate.collection === collection)
  if (kind !== undefined) return kind
  const collections = kinds.map((candidate) => candidate.collection)
  const near = nearestName(collection, collections)
  const hint = near === null ? `Kinds are: ${collections.join(', ')}.` : `Did you mean ${near}?`
  throw new AppError(CLI_ERRORS.usage, `There is no kind ${JSON.stringify(collection)}.`, { path: '--kind', hint })
}
