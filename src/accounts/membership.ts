import { AppError } from '../kernel/errors.ts'
import type { AccountRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { listAccounts, type Membership } from './list-accounts.ts'
import type { Session } from './session.ts'

/** Finds an account that the asker belongs to and the token reaches; any other is as unknown as one that never was. */
export async function membershipIn(deps: AccountDeps, session: Session, accountId: string): Promise<Membership> {
  const memberships = await listAccounts(deps, session.user.id)
  const membership = memberships.find(({ account }) => account.id === accountId)
  if (membership === undefined) throw accountNotFound(accountId)
  assertTokenReaches(session, accountId)
  return membership
}

/** Finds an organization in which the asker may do what its administrators, or only its owner, may do. */
export async function organizationFor(
  deps: AccountDeps,
  session: Session,
  accountId: string,
  least: 'owner' | 'administrator',
): Promise<AccountRow> {
  const { account, role } = await membershipIn(deps, session, accountId)
  assertOrganization(account)
  if (role === 'owner' || role === least) return account
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

/** The answer for an account that is not there and for one that the asker does not belong to. */
export function accountNotFound(accountId: string): AppError {
  const shown = JSON.stringify(accountId.slice(0, 64))
  return new AppError(ACCOUNT_ERRORS.accountNotFound, `There is no account ${shown} among yours.`, {
    path: 'accountId',
    hint: 'GET /accounts lists your accounts.',
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
