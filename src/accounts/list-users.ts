import type { AccountDeps } from './deps.ts'
import { summarizeUser, type UserSummary } from './user-summary.ts'

/** Lists all users, disabled ones included. */
export async function listUsers(deps: AccountDeps): Promise<readonly UserSummary[]> {
  return (await deps.store.listUsers()).map(summarizeUser)
}
