import { hash } from 'node:crypto'
import { AppError } from '../kernel/errors.ts'
import { newId, type RandomSource } from '../kernel/names.ts'
import { remedied } from '../page/remedies.ts'
import type { TokenRow } from '../store/port/account-store.ts'
import type { Actor } from '../store/port/audit.ts'
import type { AccountDeps } from './deps.ts'
import { ACCOUNT_ERRORS } from './errors.ts'
import { assertTokenReaches } from './organizations.ts'
import type { Session } from './session.ts'
import { type AccountSettings, DAY_MS } from './settings.ts'

/** Makes the text of a token: 32 random bytes in base64url, 43 characters. */
export function newTokenSecret(random: RandomSource): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** Gives what is kept of a token: with 256 random bits, a plain digest cannot be guessed back. */
export function tokenHash(secret: string): string {
  return hash('sha256', secret)
}

/** A token without its hash: what its user may see after it was created. */
export type TokenSummary = Omit<TokenRow, 'hash' | 'userId' | 'endedAt'>

function summarizeToken({ hash: _hash, userId: _userId, endedAt: _endedAt, ...token }: TokenRow): TokenSummary {
  return token
}

/** Tells whether a token has ended by itself: now, or at any time before that somebody saw it. */
export function hasEnded(token: TokenRow, settings: AccountSettings, now: number): boolean {
  return token.endedAt !== null || now >= endOfToken(token, settings)
}

/** Expiry of a token: its fixed time, or for a session some days after its last use or its beginning. */
export function endOfToken(token: TokenRow, { sessionDays, sessionMostDays }: AccountSettings): number {
  const fixed = token.expiresAt ?? Number.POSITIVE_INFINITY
  if (token.kind === 'api') return fixed
  return Math.min(fixed, lastUseOf(token) + sessionDays * DAY_MS, token.createdAt + sessionMostDays * DAY_MS)
}

export function lastUseOf(token: TokenRow): number {
  return token.lastUsedAt ?? token.createdAt
}

export const TOKEN_NAME_LENGTH = 100
export const TOKEN_DAYS = { least: 1, most: 3650 } as const

export interface TokenRequest {
  readonly userId: string
  readonly accountId: string
  /** Keeps the token to that account; else it works for every account of the user that a request names. */
  readonly oneAccount?: boolean
  readonly name: string
  /** Absent or null: until it is revoked. */
  readonly expiresInDays?: number | null
  readonly readOnly?: boolean
}

/** Makes an API token of a user in one of the user's accounts. The secret is in this answer and nowhere else. */
export async function createToken(
  deps: AccountDeps,
  request: TokenRequest,
  by?: Actor,
): Promise<{ readonly secret: string; readonly token: TokenSummary }> {
  const name = request.name.trim()
  assertTokenName(name)
  const days = request.expiresInDays ?? null
  if (days !== null) assertDays(days)
  await assertMember(deps, request)
  await assertRoom(deps, request.userId)

  const secret = newTokenSecret(deps.random)
  const createdAt = deps.clock()
  const token: TokenRow = {
    id: newId(deps.random),
    kind: 'api',
    name,
    hash: tokenHash(secret),
    userId: request.userId,
    accountId: request.accountId,
    oneAccount: request.oneAccount ?? false,
    readOnly: request.readOnly ?? false,
    createdAt,
    lastUsedAt: null,
    expiresAt: days === null ? null : createdAt + days * DAY_MS,
    endedAt: null,
  }
  await deps.store.insertToken(token, by)
  return { secret, token: summarizeToken(token) }
}

/** Accounts that a token made in a session reaches: never more than the session's own token. */
export function reachOfToken(
  session: Session,
  accountId: string | undefined,
): Required<Pick<TokenRequest, 'accountId' | 'oneAccount'>> {
  if (accountId === undefined) return { accountId: session.account.id, oneAccount: session.token.oneAccount }
  assertTokenReaches(session, accountId)
  return { accountId, oneAccount: true }
}

function assertTokenName(name: string): void {
  if (name.length > 0 && name.length <= TOKEN_NAME_LENGTH && !/\p{Cc}/u.test(name)) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidTokenName,
    `A token needs a name of 1 to ${TOKEN_NAME_LENGTH} characters without control characters, such as "laptop".`,
    { path: 'name' },
  )
}

function assertDays(days: number): void {
  if (Number.isInteger(days) && days >= TOKEN_DAYS.least && days <= TOKEN_DAYS.most) return
  throw new AppError(
    ACCOUNT_ERRORS.invalidTokenExpiry,
    `expiresInDays is a whole number from ${TOKEN_DAYS.least} to ${TOKEN_DAYS.most}, or absent for no expiry; not ${days}.`,
    { path: 'expiresInDays' },
  )
}

async function assertMember(deps: AccountDeps, { userId, accountId }: TokenRequest): Promise<void> {
  const accounts = await deps.store.accountsOf(userId)
  if (accounts.some(({ id }) => id === accountId)) return
  throw new AppError(ACCOUNT_ERRORS.notAMember, `You do not belong to the account ${JSON.stringify(accountId)}.`, {
    path: 'accountId',
    ...remedied('listAccounts'),
  })
}

async function assertRoom(deps: AccountDeps, userId: string): Promise<void> {
  const tokens = (await deps.store.listTokens(userId)).filter(({ kind }) => kind === 'api')
  const most = deps.settings.apiTokensPerUser
  if (tokens.length < most) return
  throw new AppError(ACCOUNT_ERRORS.tooManyTokens, `You have ${most} API tokens, the most one user may have.`, {
    hint: 'Delete tokens that you do not use any more.',
  })
}

/** Lists a user's API tokens, expired ones too, and open sessions; to somebody kept to one account, only the tokens that are kept to it. */
export async function listTokens(deps: AccountDeps, userId: string, keptTo?: string): Promise<readonly TokenSummary[]> {
  const tokens = await deps.store.listTokens(userId)
  const now = deps.clock()
  return tokens
    .filter((token) => keptTo === undefined || (token.oneAccount && token.accountId === keptTo))
    .filter((token) => token.kind === 'api' || !hasEnded(token, deps.settings, now))
    .map(summarizeToken)
}

export interface RevokeTerms {
  /** Account that the requester is kept to. */
  readonly keptTo?: string | undefined
  readonly by?: Actor
}

/** Ends one of a user's tokens for good. One that the requester does not see is as unknown as one that never was. */
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
