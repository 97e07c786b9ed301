import { AppError } from '../kernel/errors.ts'
import type { ResolvedToken } from '../store/port/account-store.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { ACCOUNT_EVENTS } from './events.ts'
import { NOWHERE, type Session } from './session.ts'
import { tokenHash } from './token-secret.ts'
import { hasEnded } from './token-summary.ts'

/**
 * Finds out who asks, and in which account: the one that is named, else the token's own. Whatever is wrong with the credential, the
 * refusal is one and the same.
 */
export async function resolveSession(
  deps: AccountDeps,
  credentials: { readonly accountId: string | null; readonly token: string },
): Promise<Session> {
  const found = await deps.store.resolveToken(tokenHash(credentials.token), credentials.accountId)
  const now = deps.clock()
  if (found === null || found.user.disabledAt !== null) throw unauthorized()
  if (hasEnded(found.token, deps.settings, now)) {
    if (found.token.endedAt === null) await noteEnd(deps, found.token.id, now)
    throw unauthorized()
  }
  deps.store.touchToken(found.token.id, now)
  return sessionOf(found)
}

/** Writes down that a token has ended, before it is refused: it stays ended when the clock is put back. A full disk lets nobody in. */
async function noteEnd(deps: AccountDeps, tokenId: string, now: number): Promise<void> {
  try {
    await deps.store.endToken(tokenId, now)
  } catch (error) {
    deps.log.tell(ACCOUNT_EVENTS.tokenEndFailed, { tokenId }, error)
  }
}

/** The one answer to a credential that is missing, malformed, unknown, expired, revoked or of a disabled user. */
export function unauthorized(): AppError {
  return new AppError(
    ACCOUNT_ERRORS.unauthorized,
    'You must be logged in to do this: the credential is missing, malformed, unknown, expired or revoked.',
    { hint: 'Send the headers X-Account-Id and X-Auth-Token, or Authorization: Bearer TOKEN.' },
  )
}

function sessionOf({ token, user, account, role }: ResolvedToken): Session {
  return {
    user: { id: user.id, name: user.name, slug: user.slug, email: user.email },
    account,
    role,
    token: { id: token.id, kind: token.kind, oneAccount: token.oneAccount },
    readOnly: token.readOnly,
    scope: { kind: 'account', accountId: account.id },
    origin: NOWHERE,
  }
}
