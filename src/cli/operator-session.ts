import type { AccountDeps } from '../accounts/deps.ts'
import { findUser } from '../accounts/find-user.ts'
import type { Session } from '../accounts/session.ts'

/**
 * The session of whoever holds the data directory and acts as a user, in the user's personal account. It needs no
 * credential: that person could read and change the database anyway.
 */
export async function operatorSession(accounts: AccountDeps, nameOrEmail: string): Promise<Session> {
  const user = await findUser(accounts, nameOrEmail)
  const { id, name, slug, email, defaultAccountId } = user
  const account = (await accounts.store.accountsOf(id)).find((candidate) => candidate.id === defaultAccountId)
  if (account === undefined) throw new Error(`user ${id} is not a member of its default account`)
  return {
    user: { id, name, slug, email },
    account,
    role: account.role,
    token: { id: 'command-line', kind: 'api' },
    readOnly: false,
    scope: { kind: 'account', accountId: account.id },
  }
}
