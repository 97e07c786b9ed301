import type { AccountDeps } from './deps.ts'
import { findUser } from './find-user.ts'
import { summarizeUser, type UserSummary } from './user-summary.ts'

/** Keeps a user out: neither password nor token works until `enableUser`. Records stay. */
export async function disableUser(deps: AccountDeps, nameOrEmail: string): Promise<UserSummary> {
  const user = await findUser(deps, nameOrEmail)
  const disabledAt = user.disabledAt ?? deps.clock()
  await deps.store.setUserDisabled(user.id, disabledAt)
  return summarizeUser({ ...user, disabledAt })
}
