import { ACCOUNT_ERRORS } from '../../accounts/errors.ts'
import { assertTokenReaches } from '../../accounts/organizations.ts'
import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import type { RecordDeps } from '../work/deps.ts'

/** Finds an account of the user by its id, the session's by none; `path` is where the client named it. */
export async function memberAccount(
  deps: RecordDeps,
  session: Session,
  id: string | undefined,
  path: string,
): Promise<AccountRow> {
  if (id === undefined || id === session.account.id) return session.account
  const accounts = await deps.accounts.accountsOf(session.user.id)
  const account = accounts.find((candidate) => candidate.id === id)
  if (account !== undefined) {
    assertTokenReaches(session, id)
    return account
  }
  throw new AppError(
    ACCOUNT_ERRORS.notAMember,
    `You are not a member of the account ${JSON.stringify(id.slice(0, 64))}.`,
    { path, hint: `Leave it out, and ${session.account.slug} is meant.` },
  )
}
