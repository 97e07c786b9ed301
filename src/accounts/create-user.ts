import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { UserRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { assertNewPassword } from './new-password.ts'
import { assertEmail, assertUserName } from './user-name.ts'
import { summarizeUser, type UserSummary } from './user-summary.ts'

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
  })
  if (result !== 'done') throw taken(result.taken, result.taken === 'name' ? name : (email ?? ''))
  return summarizeUser(user)
}

function taken(field: 'name' | 'email', value: string): AppError {
  return field === 'name'
    ? new AppError(ACCOUNT_ERRORS.nameTaken, `The name "${value}" is taken. Choose another one.`, { path: 'name' })
    : new AppError(ACCOUNT_ERRORS.emailTaken, `Another user has the e-mail address "${value}".`, { path: 'email' })
}
