import { AppError } from '../kernel/errors.ts'
import { nameKey } from '../kernel/names.ts'
import { remedied } from '../page/remedies.ts'
import type { AccountRow, LesserRole, MemberRow, Role, UserRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { assertOrganization, membershipIn, organizationFor } from './organizations.ts'
import { actorOf, assertMayWrite, type Session } from './session.ts'
import { summarizeUser, type UserSummary } from './users.ts'

const MOST_MEMBERS = 1000

export interface Member {
  readonly user: UserSummary
  readonly role: Role
}

/** A user by name or id, and what the user is to be in an account. */
export interface NamedMember {
  readonly user: string
  readonly role: Role
}

/** Lists who belongs to an account, for those who do. */
export async function listMembers(deps: AccountDeps, session: Session, accountId: string): Promise<readonly Member[]> {
  await membershipIn(deps, session, accountId)
  return (await deps.store.membersOf(accountId)).map(presentMember)
}

/** Takes a user in or changes a member's role: owner and administrators may, but only the owner, an administrator then, makes an owner. */
export async function putMember(
  deps: AccountDeps,
  session: Session,
  accountId: string,
  { user: nameOrId, role }: NamedMember,
): Promise<Member> {
  assertMayWrite(session)
  const account = await organizationFor(deps, session, accountId, role === 'owner' ? 'owner' : 'administrator')
  const user = await findColleague(deps, nameOrId)
  if (role === 'owner') await passOwnership(deps, session, account, user)
  else await putLesser(deps, session, account, { user, role })
  return presentMember({ user, role })
}

/** Lets a member go, who loses access at once. Owner and administrators may, and whoever leaves. */
export async function removeMember(
  deps: AccountDeps,
  session: Session,
  accountId: string,
  nameOrId: string,
): Promise<Member> {
  assertMayWrite(session)
  const { account } = await membershipIn(deps, session, accountId)
  assertOrganization(account)
  const members = await deps.store.membersOf(accountId)
  const key = nameKey(nameOrId)
  const member = members.find(({ user }) => user.id === nameOrId || nameKey(user.name) === key)
  // Members may know who else is a member; other users are not looked up.
  if (member === undefined) throw memberNotFound(account, nameOrId)
  if (member.user.id !== session.user.id) await organizationFor(deps, session, accountId, 'administrator')
  const result = await deps.store.removeMember(accountId, member.user.id, actorOf(session))
  if (result === 'missing') throw memberNotFound(account, nameOrId)
  if (result === 'owner') throw ownerStays(account, member.user)
  return presentMember(member)
}

async function putLesser(
  deps: AccountDeps,
  session: Session,
  account: AccountRow,
  { user, role }: { readonly user: UserRow; readonly role: LesserRole },
): Promise<void> {
  const members = await deps.store.membersOf(account.id)
  if (members.length >= MOST_MEMBERS && !members.some((member) => member.user.id === user.id)) {
    throw new AppError(ACCOUNT_ERRORS.tooMany, `${account.name} has ${MOST_MEMBERS} members, the most it may have.`, {
      hint: 'Remove members who do not take part any more.',
    })
  }
  if ((await deps.store.putMember(account.id, user.id, role, actorOf(session))) === 'owner')
    throw ownerStays(account, user)
}

async function passOwnership(deps: AccountDeps, session: Session, account: AccountRow, to: UserRow): Promise<void> {
  if (to.id === session.user.id) return
  if ((await deps.store.passOwnership(account.id, session.user.id, to.id, actorOf(session))) === 'done') return
  throw memberNotFound(account, to.name)
}

/** Finds a user by id or name; not by e-mail address, so that nobody can find out who has one. */
async function findColleague(deps: AccountDeps, nameOrId: string): Promise<UserRow> {
  const byName = nameOrId.includes('@') ? null : await deps.store.findUserByLogin(nameOrId)
  const user = byName ?? (await deps.store.findUser(nameOrId))
  if (user !== null && user.disabledAt === null) return user
  throw new AppError(ACCOUNT_ERRORS.userNotFound, `There is no user ${JSON.stringify(nameOrId.slice(0, 64))}.`, {
    path: 'user',
    hint: 'Give the name or the id of the user, not an e-mail address.',
  })
}

function presentMember({ user, role }: MemberRow): Member {
  return { user: summarizeUser(user), role }
}

function memberNotFound(account: AccountRow, nameOrId: string): AppError {
  const shown = JSON.stringify(nameOrId.slice(0, 64))
  return new AppError(ACCOUNT_ERRORS.memberNotFound, `${account.name} has no member ${shown}.`, {
    path: 'user',
    ...remedied('listMembers', { id: account.id }),
  })
}

function ownerStays(account: AccountRow, user: UserRow): AppError {
  return new AppError(
    ACCOUNT_ERRORS.ownerStays,
    `${user.name} owns ${account.name}, and an account always has an owner; nothing was changed.`,
    { hint: 'Make another member the owner first; the former owner is an administrator then.' },
  )
}
