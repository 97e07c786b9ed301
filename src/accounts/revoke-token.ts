import { AppError } from '../kernel/errors.ts'
import type { Actor } from '../store/port/audit.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { listTokens } from './list-tokens.ts'

/** Who ends a token. */
export interface RevokeTerms {
  /** The account that they are kept to. */
  readonly keptTo?: string | undefined
  readonly by?: Actor
}

/**
 * Ends one of a user's tokens for good. Another user's token is as unknown as one that never was, and so is a token that somebody who is
 * kept to one account does not see.
 */
export async function revokeToken(
  deps: AccountDeps,
  userId: string,
  tokenId: string,
  { keptTo, by }: RevokeTerms = {},
): Promise<void> {
  const isSeen = keptTo === undefined || (await listTokens(deps, userId, keptTo)).some(({ id }) => id === tokenId)
  if (isSeen && (await deps.store.revokeToken(userId, tokenId, by))) return
  const hint = 'This token is kept to one account, and sees the tokens that are kept to it as well.'
  throw new AppError(ACCOUNT_ERRORS.tokenNotFound, `You have no token ${JSON.stringify(tokenId)}.`, {
    path: 'id',
    ...(keptTo === undefined ? {} : { hint }),
  })
}
