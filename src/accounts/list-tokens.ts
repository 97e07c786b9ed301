import type { AccountDeps } from './deps.ts'
import { endOfToken, summarizeToken, type TokenSummary } from './token-summary.ts'

/** Lists a user's API tokens, expired ones included, and the sessions that are still open. */
export async function listTokens(deps: AccountDeps, userId: string): Promise<readonly TokenSummary[]> {
  const tokens = await deps.store.listTokens(userId)
  const now = deps.clock()
  return tokens.filter((token) => token.kind === 'api' || endOfToken(token, deps.settings) > now).map(summarizeToken)
}
