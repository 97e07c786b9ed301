import type { AccountDeps } from './deps.ts'
import { hasEnded, summarizeToken, type TokenSummary } from './token-summary.ts'

/**
 * Lists a user's API tokens, expired ones included, and the sessions that are still open; to somebody who is kept to one account, the
 * tokens that are kept to it as well.
 */
export async function listTokens(deps: AccountDeps, userId: string, keptTo?: string): Promise<readonly TokenSummary[]> {
  const tokens = await deps.store.listTokens(userId)
  const now = deps.clock()
  return tokens
    .filter((token) => keptTo === undefined || (token.oneAccount && token.accountId === keptTo))
    .filter((token) => token.kind === 'api' || !hasEnded(token, deps.settings, now))
    .map(summarizeToken)
}
