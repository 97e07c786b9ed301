import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/names.ts'
import { remedied } from '../page/remedies.ts'
import type { AccountRow, Role } from '../store/port/account-store.ts'
import type { Once } from '../store/port/answers.ts'
import type { Actor } from '../store/port/audit.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { type GivenWords, readWords } from './organization-words.ts'
import { actorOf, assertMayWrite, type Session } from './session.ts'
import { assertEmail, assertOrganizationName, nameTaken } from './users.ts'

const MOST_OWNED = 100

/** Creates an account that several users can belong to; the requester is its owner. `once`: with what it is kept, where it is carried out once. */
export async function createOrganization(
  deps: AccountDeps,
  session: Session,
  request: { readonly name: string; readonly email?: string | null } & GivenWords,
  once?: (created: Membership) => Once,
): Promise<Membership> {
  assertMayWrite(session)
  assertTokenReachesAll(session)
  const { name } = request
  const email = request.email ?? null
  assertOrganizationName(name)
  if (email !== null) assertEmail(email)
  const { title = null, description = null } = readWords(request)
  await assertFewOwned(deps, session.user.id)

  const createdAt = deps.clock()
  const slug = name.toLowerCase()
  const id = newId(deps.random)
  const account: AccountRow = { id, name, slug, type: 'organization', email, createdAt, title, description }
  const created: Membership = { account, role: 'owner', isDefault: false }
  const result = await deps.store.insertAccount(account, session.user.id, actorOf(session), once?.(created))
  if (result === 'done') return created
  throw nameTaken(name)
}

/** A token for one account could not even read what it makes here. */
function assertTokenReachesAll({ token, account }: Session): void {
  if (!token.oneAccount) return
  throw new AppError(
    ACCOUNT_ERRORS.tokenOfOneAccount,
    `This token works for the account ${account.name} only, so it creates no other.`,
    { hint: 'Log in, or use a token that was not created for one account.' },
  )
}

async function assertFewOwned(deps: AccountDeps, userId: string): Promise<void> {
  const accounts = await deps.store.accountsOf(userId)
  const owned = accounts.filter(({ type, role }) => type === 'organization' && role === 'owner').length
  if (owned < MOST_OWNED) return
  throw new AppError(ACCOUNT_ERRORS.tooMany, `You own ${owned} organizations, the most one user may own.`, {
    hint: 'Delete organizations without records, or pass their ownership on.',
  })
}

/** An account as one of its members sees it. */
export interface Membership {
  readonly account: AccountRow
  readonly role: Role
  /** Records of this user go here unless the request says otherwise. */
  readonly isDefault: boolean
}

/** Lists the accounts that a user belongs to. */
export async function listAccounts(deps: AccountDeps, userId: string): Promise<readonly Membership[]> {
  const user = await deps.store.findUser(userId)
  if (user === null) throw new AppError(ACCOUNT_ERRORS.userNotFound, 'There is no such user any more.')
  const accounts = await deps.store.accountsOf(userId)
  return accounts.map(({ role, ...account }) => ({ account, role, isDefault: account.id === user.defaultAccountId }))
}

/** Finds an account that the requester belongs to and the token reaches; any other is as unknown as one that never was. */
export async function membershipIn(deps: AccountDeps, session: Session, accountId: string): Promise<Membership> {
  const memberships = await listAccounts(deps, session.user.id)
  const membership = memberships.find(({ account }) => account.id === accountId)
  if (membership === undefined) throw accountNotFound(accountId)
  assertTokenReaches(session, accountId)
  return membership
}

/** Finds an organization in which the requester may do what its administrators, or only its owner, may do. */
export async function organizationFor(
  deps: AccountDeps,
  session: Session,
  accountId: string,
  least: 'owner' | 'administrator',
): Promise<AccountRow> {
  return (await membershipFor(deps, session, accountId, least)).account
}

/** The same, with what the requester is in it. */
export async function membershipFor(
  deps: AccountDeps,
  session: Session,
  accountId: string,
  least: 'owner' | 'administrator',
): Promise<Membership> {
  const membership = await membershipIn(deps, session, accountId)
  const { account, role } = membership
  assertOrganization(account)
  if (role === 'owner' || role === least) return membership
  const who = least === 'owner' ? 'its owner' : 'its owner and its administrators'
  throw new AppError(ACCOUNT_ERRORS.roleNotEnough, `In ${account.name} you are ${role}; only ${who} may do this.`, {
    hint: 'The list of members says who that is.',
  })
}

/** Refuses to let a token that was made for one account act in another. */
export function assertTokenReaches(session: Session, accountId: string): void {
  if (!session.token.oneAccount || accountId === session.account.id) return
  throw new AppError(
    ACCOUNT_ERRORS.tokenOfOneAccount,
    `This token works for the account ${session.account.name} and for no other.`,
    { hint: 'Log in, or use a token that was not created for one account.' },
  )
}

/** The answer for an account that is not there and for one that the requester does not belong to. */
export function accountNotFound(accountId: string): AppError {
  const shown = JSON.stringify(accountId.slice(0, 64))
  return new AppError(ACCOUNT_ERRORS.accountNotFound, `There is no account ${shown} among yours.`, {
    path: 'accountId',
    ...remedied('listAccounts'),
  })
}

/** Refuses to change who belongs to a personal account. */
export function assertOrganization(account: AccountRow): void {
  if (account.type === 'organization') return
  throw new AppError(
    ACCOUNT_ERRORS.personalAccount,
    `${account.name} is a personal account: it has one member, and stays as long as its user.`,
    { hint: 'Create an organization to share records.' },
  )
}

/** Gives an organization another title or description: owner and administrators may. `once`: with what it is kept, where it is carried out once. */
export async function changeOrganization(
  deps: AccountDeps,
  session: Session,
  { accountId, words: given }: { readonly accountId: string; readonly words: GivenWords },
  once?: (changed: Membership) => Once,
): Promise<Membership> {
  assertMayWrite(session)
  const words = readWords(given)
  const membership = await membershipFor(deps, session, accountId, 'administrator')
  const changed: Membership = { ...membership, account: { ...membership.account, ...words } }
  const result = await deps.store.changeAccount(accountId, words, actorOf(session), once?.(changed))
  if (result === 'done') return changed
  throw accountNotFound(accountId)
}

/** Data of an account, beside records, that nobody would miss. */
export interface KeptBeside {
  count(accountId: string): Promise<number>
  drop(accountId: string, by: Actor): Promise<void>
}

/** Removes an organization that has no records; its owner may. Memberships end, and tokens that were made in it die. */
export async function deleteOrganization(
  deps: AccountDeps,
  session: Session,
  accountId: string,
  beside?: KeptBeside,
): Promise<AccountRow> {
  assertMayWrite(session)
  const account = await organizationFor(deps, session, accountId, 'owner')
  const by = actorOf(session)
  const result = await deps.store.removeAccount(accountId, by)
  if (result === 'done') return account
  if (result === 'missing') throw accountNotFound(accountId)
  const records = result.records - ((await beside?.count(accountId)) ?? 0)
  if (records === 0) {
    await beside?.drop(accountId, by)
    return deleteOrganization(deps, session, accountId)
  }
  const what = records === 1 ? '1 record, which' : `${records} records, which`
  throw new AppError(ACCOUNT_ERRORS.accountNotEmpty, `${account.name} has ${what} would be lost; it was not deleted.`, {
    hint: 'Copy the records to another account and delete them for good here, then delete the organization.',
    records,
  })
}
