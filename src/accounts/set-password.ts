import type { AccountDeps } from './deps.ts'
import { findUser } from './find-user.ts'
import { assertNewPassword } from './new-password.ts'

/** Gives a user a new password and ends the sessions that the old one opened; API tokens stay. */
export async function setPassword(deps: AccountDeps, nameOrEmail: string, password: string): Promise<void> {
  const user = await findUser(deps, nameOrEmail)
  await assertNewPassword(password, user)
  await deps.store.setPasswordHash(user.id, await deps.passwords.hash(password))
  for (const token of await deps.store.listTokens(user.id)) {
    if (token.kind === 'session') await deps.store.revokeToken(user.id, token.id)
  }
}
