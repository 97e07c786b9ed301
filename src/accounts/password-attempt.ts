import { isOf } from '../kernel/errors.ts'
import type { UserRow } from '../store/port/account-store.ts'
import type { Actor } from '../store/port/audit.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { ACCOUNT_EVENTS } from './events.ts'

/** Somebody shows a password as the one of a user. */
export interface PasswordAttempt {
  /** The name under which it is shown. */
  readonly login: string
  readonly password: string
  readonly address: string
  readonly by: Actor
}

/** Tells whether a password is that of a user who is not disabled. Failures are slowed down, logged, audited, and all take as long. */
export async function isPasswordOf(
  deps: AccountDeps,
  user: UserRow | null,
  { login, password, address, by }: PasswordAttempt,
): Promise<boolean> {
  const attempt = await deps.throttle
    .begin({ login, address, user })
    .catch((error: unknown) => noteSlowDown(deps, by, error))
  const isRight = await deps.passwords.verify(user?.passwordHash ?? null, password).catch(attempt.giveUp)
  if (user === null || !isRight || user.disabledAt !== null) {
    await noteFailure(deps, by, user)
    return false
  }
  await attempt.succeed(user)
  return true
}

function noteSlowDown({ log }: AccountDeps, { request, address }: Actor, error: unknown): never {
  const isSlowDown = isOf(ACCOUNT_ERRORS.tooManyLogins, error)
  if (isSlowDown) log.tell(ACCOUNT_EVENTS.loginSlowedDown, { request, address })
  throw error
}

/** The same work whatever was wrong. What was given as a name is not kept unless somebody has it: people type passwords there. */
async function noteFailure(deps: AccountDeps, by: Actor, user: UserRow | null): Promise<void> {
  const { request, address } = by
  deps.log.tell(ACCOUNT_EVENTS.loginFailed, { request, user: user?.name ?? null, address })
  try {
    await deps.store.noteFailedLogin(by)
  } catch (error) {
    deps.log.tell(ACCOUNT_EVENTS.auditFailed, { request }, error)
  }
}
