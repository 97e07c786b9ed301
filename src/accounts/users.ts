import { AppError, type ErrorSpec } from '../kernel/errors.ts'
import { newId } from '../kernel/names.ts'
import { NO_WORDS, type UserRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { assertNewPassword } from './new-password.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}$/

/** Refuses a user name that could be mistaken for an e-mail address or does not fit into an address bar. */
function assertUserName(name: string): void {
  if (!NAME.test(name)) throw invalidName(ACCOUNT_ERRORS.invalidUserName, name, 'a user name')
}

/** Refuses the name of an organization by the same rules. */
export function assertOrganizationName(name: string): void {
  if (!NAME.test(name)) throw invalidName(ACCOUNT_ERRORS.invalidAccountName, name, "an organization's name")
}

/** Refuses what is certainly no e-mail address; only a message to it could show that it is one. */
export function assertEmail(email: string): void {
  const at = email.indexOf('@')
  const wellFormed = at > 0 && at < email.length - 1 && at === email.lastIndexOf('@')
  if (wellFormed && email.length <= 254 && !/[\s\p{Cc}]/u.test(email)) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidEmail,
    `${quoted(email)} is not an e-mail address such as ada@example.org.`,
    { path: 'email' },
  )
}

function invalidName(spec: ErrorSpec, name: string, what: string): AppError {
  const rule = 'use 2 to 64 letters, digits, ".", "_" or "-", a letter or digit first.'
  return new AppError(spec, `${quoted(name)} cannot be ${what}: ${rule}`, { path: 'name' })
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** A user without anything secret. */
export type UserSummary = Omit<UserRow, 'passwordHash'>

/** Leaves the password hash behind. */
export function summarizeUser({ passwordHash: _, ...user }: UserRow): UserSummary {
  return user
}

/** Creates a user and the personal account that is the default for everything the user does. */
export async function createUser(
  deps: AccountDeps,
  request: { readonly name: string; readonly email?: string | null; readonly password: string },
): Promise<UserSummary> {
  const { name, password } = request
  const email = request.email ?? null
  assertUserName(name)
  if (email !== null) assertEmail(email)
  await assertNewPassword(password, { name, email })

  const slug = name.toLowerCase()
  const createdAt = deps.clock()
  const accountId = newId(deps.random)
  const user: UserRow = {
    id: newId(deps.random),
    name,
    slug,
    email,
    passwordHash: await deps.passwords.hash(password),
    defaultAccountId: accountId,
    createdAt,
    disabledAt: null,
  }
  const result = await deps.store.insertUser(user, {
    id: accountId,
    name,
    slug,
    type: 'personal',
    email: null,
    createdAt,
    ...NO_WORDS,
  })
  if (result === 'done') return summarizeUser(user)
  if (result.taken === 'name') throw nameTaken(name)
  throw new AppError(ACCOUNT_ERRORS.emailTaken, `Another user has the e-mail address "${email ?? ''}".`, {
    path: 'email',
  })
}

/** Users and organizations share one set of names. */
export function nameTaken(name: string): AppError {
  return new AppError(ACCOUNT_ERRORS.nameTaken, `The name "${name}" is taken. Choose another one.`, { path: 'name' })
}

/** Finds a user by name or e-mail for someone who manages users; never for a login, whose refusal must not tell. */
export async function findUser(deps: AccountDeps, nameOrEmail: string): Promise<UserRow> {
  const user = await deps.store.findUserByLogin(nameOrEmail)
  if (user !== null) return user
  throw new AppError(ACCOUNT_ERRORS.userNotFound, `There is no user ${JSON.stringify(nameOrEmail)}.`, {
    path: 'name',
    hint: '`quarry user list` names them all.',
  })
}

/** Keeps a user out: neither password nor token works until `enableUser`. Records stay. */
export async function disableUser(deps: AccountDeps, nameOrEmail: string): Promise<UserSummary> {
  const user = await findUser(deps, nameOrEmail)
  const disabledAt = user.disabledAt ?? deps.clock()
  await deps.store.setUserDisabled(user.id, disabledAt)
  return summarizeUser({ ...user, disabledAt })
}

/** Lets a disabled user in again, with the password and the tokens of before. */
export async function enableUser(deps: AccountDeps, nameOrEmail: string): Promise<UserSummary> {
  const user = await findUser(deps, nameOrEmail)
  await deps.store.setUserDisabled(user.id, null)
  return summarizeUser({ ...user, disabledAt: null })
}

/** Lists all users, disabled ones included. */
export async function listUsers(deps: AccountDeps): Promise<readonly UserSummary[]> {
  return (await deps.store.listUsers()).map(summarizeUser)
}

/** Gives a user a new password and ends the sessions that the old one opened; API tokens stay. */
export async function setPassword(deps: AccountDeps, nameOrEmail: string, password: string): Promise<void> {
  const user = await findUser(deps, nameOrEmail)
  await assertNewPassword(password, user)
  await deps.store.setPasswordHash(user.id, await deps.passwords.hash(password))
  for (const token of await deps.store.listTokens(user.id)) {
    if (token.kind === 'session') await deps.store.revokeToken(user.id, token.id)
  }
}
