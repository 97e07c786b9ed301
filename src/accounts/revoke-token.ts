import { AppError } from '../kernel/errors.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'

/** Ends one of a user's tokens for good. Another user's token is as unknown as one that never was. */
export async function revokeToken(deps: AccountDeps, userId: string, tokenId: string): Promise<void> {
  if (await deps.store.revokeToken(userId, tokenId)) return
  throw new AppError(ACCOUNT_ERRORS.tokenNotFound, `You have no token ${JSON.stringify(tokenId)}.`, { path: 'id' })
}
