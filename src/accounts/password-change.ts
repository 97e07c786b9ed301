import { AppError } from '../kernel/errors.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { assertNewPassword } from './new-password.ts'
import { actorOf, assertMayWrite, type Session } from './session.ts'
import { endOtherSessions, isPasswordOf } from './sessions.ts'

export interface PasswordChange {
  readonly current: string
  readonly password: string
}

/** Changes the password of whoever shows the present one: a session left open is not enough. Ends and counts the other sessions. */
export async function changePassword(
  deps: AccountDeps,
  session: Session,
  { current, password }: PasswordChange,
): Promise<number> {
  assertMayWrite(session)
  const { id, name: login } = session.user
  const user = await deps.store.findUser(id)
  const by = actorOf(session)
  await assertNewPassword(password, session.user)
  const address = by.address ?? ''
  if (user === null || !(await isPasswordOf(deps, user, { login, password: current, address, by }))) {
    throw new AppError(ACCOUNT_ERRORS.wrongPassword, 'The current password is wrong; nothing was changed.', {
      path: 'currentPassword',
      hint: 'Whoever has forgotten it gets a new one from the operator of this server.',
    })
  }
  await deps.store.setPasswordHash(id, await deps.passwords.hash(password), by)
  return endOtherSessions(deps, session)
}
