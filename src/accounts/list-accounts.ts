import { AppError } from '../kernel/errors.ts'
import type { AccountRow, Role } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'

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
