import { AppError } from '../kernel/errors.ts'
import type { RequesterScope } from '../query/plan.ts'
import type { AccountRow, Role, TokenKind } from '../store/port/account-store.ts'
import type { Actor, Origin } from '../store/port/audit.ts'
import type { ReadTerms } from '../store/port/record-store.ts'
import { ACCOUNT_ERRORS } from './errors.ts'

/** Requester, as a credential tells. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly slug: string; readonly email: string | null }
  readonly account: AccountRow
  readonly role: Role
  readonly token: {
    readonly id: string
    readonly kind: TokenKind
    /** The token works for this account and for no other of the user's. */
    readonly oneAccount: boolean
  }
  readonly readOnly: boolean
  /** Expiry of its token, unless that was used since the look-up; milliseconds since 1970, or `Infinity`. */
  readonly endsAt: number
  readonly scope: RequesterScope
  /** From where, for the log and the audit. */
  readonly origin: Origin
}

/** The origin of a session that belongs to no request yet. */
export const NOWHERE: Origin = { via: 'http', address: null, request: null }

/** Actor of a session, as the audit keeps it. */
export function actorOf({ origin: { via, address, request }, user, account }: Session): Actor {
  return { via, address, request, user: user.id, account: account.id }
}

/** The account that a session's token is kept to; undefined when it works for all of its user's. */
export function keptTo({ token, account }: Session): string | undefined {
  return token.oneAccount ? account.id : undefined
}

/** For whom a session reads, as the store wants to know it. */
export function termsOf({ user, origin }: Session): ReadTerms {
  return { user: user.id, request: origin.request }
}

/** Refuses a session whose token may only read; every use case that writes calls it first. */
export function assertMayWrite(session: Session): void {
  if (!session.readOnly) return
  throw new AppError(
    ACCOUNT_ERRORS.readOnly,
    'This token is read-only: it may list and read, but not create, change or delete.',
    { hint: 'Use a token that was created without the read-only scope, or log in.' },
  )
}

export interface RequestCredentials {
  readonly accountId: string | null
  readonly token: string
}

/** A session with the moment that it was looked up. */
export interface CachedSession {
  readonly session: Session
  /** Version of users, accounts, members and tokens. */
  readonly version: number
  readonly since: number
}
