import type { TokenRow } from '../store/port/account-store.ts'
import { type AccountSettings, DAY_MS } from './settings.ts'

/** A token without its hash: what its user may see after it was created. */
export type TokenSummary = Omit<TokenRow, 'hash' | 'userId'>

/** Leaves the hash behind. */
export function summarizeToken({ hash: _hash, userId: _userId, ...token }: TokenRow): TokenSummary {
  return token
}

/** When a token ends by itself: at its fixed time, or for a session some days after its last use. */
export function endOfToken(token: TokenRow, settings: AccountSettings): number {
  const fixed = token.expiresAt ?? Number.POSITIVE_INFINITY
  if (token.kind === 'api') return fixed
  return Math.min(fixed, lastUseOf(token) + settings.sessionDays * DAY_MS)
}

/** The last sign of life of a token. */
export function lastUseOf(token: TokenRow): number {
  return token.lastUsedAt ?? token.createdAt
}
