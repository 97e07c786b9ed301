import type { AccountDeps } from './deps.ts'
import { findUser } from './find-user.ts'
import { summarizeUser, type UserSummary } from './user-summary.ts'

/** Lets a disabled user in again, with the password and the tokens of before. */
export async function enableUser(deps: AccountDeps, nameOrEmail: string): Promise<UserSummary> {
  const user = await findUser(deps, nameOrEmail)
  await deps.store.setUserDisabled(user.id, null)
  return summarizeUser({ ...user, disabledAt: null })
}
