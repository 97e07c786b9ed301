import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { UserRow } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { DAY_MS } from './settings.ts'
import { newTokenSecret, tokenHash } from './token-secret.ts'
import { hasEnded, lastUseOf } from './token-summary.ts'

/** The pair that authenticates requests. The token is shown here and never again. */
export interface Credentials {
  readonly accountId: string
  readonly token: string
}

/** Opens a session for the user's default account. Every refusal of name or password is the same, and takes as long. */
export async function logIn(
  deps: AccountDeps,
  request: { readonly login: string; readonly password: string; readonly address: string },
): Promise<Credentials> {
  const user = await deps.store.findUserByLogin(request.login)
  const attempt = await deps.throttle.begin({ ...request, user })
  const right = await deps.passwords.verify(user?.passwordHash ?? null, request.password).catch(attempt.giveUp)
  if (user === null || !right || user.disabledAt !== null) throw wrongLogin()
  await attempt.succeed(user)
  await endForgottenSessions(deps, user)

  const token = newTokenSecret(deps.random)
  const now = deps.clock()
  await deps.store.insertToken({
    id: newId(deps.random),
    kind: 'session',
    name: 'login',
    hash: tokenHash(token),
    userId: user.id,
    accountId: user.defaultAccountId,
    oneAccount: false,
    readOnly: false,
    createdAt: now,
    lastUsedAt: null,
    expiresAt: now + deps.settings.sessionMostDays * DAY_MS,
    endedAt: null,
  })
  return { accountId: user.defaultAccountId, token }
}

/** Scripts log in and never out: this keeps the sessions of one user few. */
async function endForgottenSessions(deps: AccountDeps, user: UserRow): Promise<void> {
  const sessions = (await deps.store.listTokens(user.id)).filter(({ kind }) => kind === 'session')
  const newestFirst = sessions.sort((a, b) => lastUseOf(b) - lastUseOf(a))
  for (const [place, session] of newestFirst.entries()) {
    const ended = hasEnded(session, deps.settings, deps.clock())
    if (ended || place >= deps.settings.sessionsPerUser - 1) await deps.store.revokeToken(user.id, session.id)
  }
}

function wrongLogin(): AppError {
  return new AppError(ACCOUNT_ERRORS.wrongLogin, 'The user name or the password is wrong.', {
    hint: 'Send username (or e-mail address) and password, form-encoded or as JSON.',
  })
}
