import type { TokenRow } from '../store/port/account-store.ts'
import { type AccountSettings, DAY_MS } from './settings.ts'

/** A token without its hash: what its user may see after it was created. */
export type TokenSummary = Omit<TokenRow, 'hash' | 'userId' | 'endedAt'>

/** Leaves the hash behind. */
export function summarizeToken({ hash: _hash, userId: _userId, endedAt: _endedAt, ...token }: TokenRow): TokenSummary {
  return token
}

/** Tells whether a token has ended by itself: now, or at any time before that somebody saw it. */
export function hasEnded(token: TokenRow, settings: AccountSettings, now: number): boolean {
  return token.endedAt !== null || now >= endOfToken(token, settings)
}

/** When a token ends by itself: at its fixed time, or for a session some days after its last use or after its beginning. */
function endOfToken(token: TokenRow, { sessionDays, sessionMostDays }: AccountSettings): number {
  const fixed = token.expiresAt ?? Number.POSITIVE_INFINITY
  if (token.kind === 'api') return fixed
  return Math.min(fixed, lastUseOf(token) + sessionDays * DAY_MS, token.createdAt + sessionMostDays * DAY_MS)
}

/** The last sign of life of a token. */
export function lastUseOf(token: TokenRow): number {
  return token.lastUsedAt ?? token.createdAt
}
