import type { AccountDeps } from './deps.ts'
import { actorOf, type Session } from './session.ts'

/** Ends the session: the token that it came with is dead for good, also when it is an API token. */
export async function logOut(deps: AccountDeps, session: Session): Promise<void> {
  await deps.store.revokeToken(session.user.id, session.token.id, actorOf(session))
}
