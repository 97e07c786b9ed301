import { AppError } from '../kernel/errors.ts'
import type { UserRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'

/** Finds a user by name or e-mail for someone who manages users; never for a login, whose refusal must not tell. */
export async function findUser(deps: AccountDeps, nameOrEmail: string): Promise<UserRow> {
  const user = await deps.store.findUserByLogin(nameOrEmail)
  if (user !== null) return user
  throw new AppError(ACCOUNT_ERRORS.userNotFound, `There is no user ${JSON.stringify(nameOrEmail)}.`, { path: 'name' })
}
