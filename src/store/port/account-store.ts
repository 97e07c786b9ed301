import type { Once } from './answers.ts'
import type { Actor } from './audit.ts'

/** A person who logs in. Times are milliseconds since 1970. */
export interface UserRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly email: string | null
  /** argon2id in PHC string format. */
  readonly passwordHash: string
  readonly defaultAccountId: string
  readonly createdAt: number
  readonly disabledAt: number | null
}

export type AccountType = 'personal' | 'organization'
export type Role = 'owner' | 'administrator' | 'member'

/** What an organization tells of itself to people; null where it does not. */
export interface AccountWords {
  /** Shown in place of the name. */
  readonly title: string | null
  readonly description: string | null
}

/** Those of a personal account, and of an organization that has said none. */
export const NO_WORDS: AccountWords = { title: null, description: null }

export interface AccountRow extends AccountWords {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly type: AccountType
  /** E-mail of the people behind an organization. */
  readonly email: string | null
  readonly createdAt: number
}

export interface MemberRow {
  readonly user: UserRow
  readonly role: Role
}

/** A role that can be given and taken; an owner there is exactly one of. */
export type LesserRole = Exclude<Role, 'owner'>

export type TokenKind = 'session' | 'api'

/** A credential of a user, made in one account. Only the SHA-256 of the secret is kept. */
export interface TokenRow {
  readonly id: string
  readonly kind: TokenKind
  readonly name: string
  /** SHA-256 of the token's text, hexadecimal. */
  readonly hash: string
  readonly userId: string
  readonly accountId: string
  /** False: it works for every account of its user, when a request names one. */
  readonly oneAccount: boolean
  readonly readOnly: boolean
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  /** Time when it was first found to have ended by itself; from then on it is over, whatever the clock says. */
  readonly endedAt: number | null
}

/** Event on a meter, which empties evenly, `share` milliseconds an event, and is full at `windowMs / share` at once. Keys are digests. */
export interface MeterUse {
  readonly key: string
  readonly share: number
  readonly windowMs: number
}

/** All that authentication needs to know of a token, from one look-up. Revoked tokens and left accounts are not found. */
export interface ResolvedToken {
  readonly token: TokenRow
  readonly user: UserRow
  /** The account that was asked for, else the one that the token was made in. */
  readonly account: AccountRow
  readonly role: Role
}

/** Store of users, accounts, tokens; names and e-mails are unique but for case. `by` is for the audit: whoever opened the store if left out. */
export interface AccountStore {
  /** Creates a user with its personal account; `taken` names the field that somebody else has. */
  insertUser(
    user: UserRow,
    personalAccount: AccountRow,
    by?: Actor,
  ): Promise<'done' | { readonly taken: 'name' | 'email' }>
  findUserByLogin(nameOrEmail: string): Promise<UserRow | null>
  findUser(id: string): Promise<UserRow | null>
  listUsers(): Promise<readonly UserRow[]>
  setUserDisabled(userId: string, disabledAt: number | null, by?: Actor): Promise<void>
  setPasswordHash(userId: string, passwordHash: string, by?: Actor): Promise<void>

  /** With `once` the answer is kept with it, as `RecordStore.apply` does. */
  insertAccount(
    account: AccountRow,
    owner: string,
    by?: Actor,
    once?: Once,
  ): Promise<'done' | { readonly taken: 'name' }>
  findAccount(id: string): Promise<AccountRow | null>
  findAccountByName(name: string): Promise<AccountRow | null>
  /** In the order of their creation, personal accounts included. */
  listAccounts(): Promise<readonly AccountRow[]>
  accountsOf(userId: string): Promise<readonly (AccountRow & { readonly role: Role })[]>
  /** Gives an organization other words, those that are named; with `once` the answer is kept with it. */
  changeAccount(accountId: string, words: Partial<AccountWords>, by?: Actor, once?: Once): Promise<'done' | 'missing'>
  /** Removes an account that no record belongs to, with memberships and tokens; else tells how many records there are. */
  removeAccount(accountId: string, by?: Actor): Promise<'done' | 'missing' | { readonly records: number }>

  /** The owner first, then in the order of names. */
  membersOf(accountId: string): Promise<readonly MemberRow[]>
  /** Takes a user in or changes the role; `owner`: the user is the owner, who keeps that role until it is passed on. */
  putMember(accountId: string, userId: string, role: LesserRole, by?: Actor): Promise<'done' | 'owner'>
  /** Lets a member go, and ends the tokens that the member made in the account. */
  removeMember(accountId: string, userId: string, by?: Actor): Promise<'done' | 'missing' | 'owner'>
  /** Makes a member the owner and the owner an administrator; `missing`: no such member, or not the owner any more. */
  passOwnership(accountId: string, fromUserId: string, toUserId: string, by?: Actor): Promise<'done' | 'missing'>

  /** Puts a login that was refused into the audit; the user is null when nobody has the name. */
  noteFailedLogin(by: Actor): Promise<void>
  /**
   * Grows whenever a user, account, membership or token has changed or gone, by whichever process; not at additions, nor at uses of tokens.
   * Cheap enough for every request. Records of the account that is named are asked for next: what tells of their state may come with it.
   */
  readAccountsVersion(accountId?: string | null): Promise<number>
  insertToken(token: TokenRow, by?: Actor): Promise<void>
  /** Sees what any process did before the call. Null too where the user is not of the account asked for, or the token works for another only. */
  resolveToken(hash: string, accountId?: string | null): Promise<ResolvedToken | null>
  listTokens(userId: string): Promise<readonly TokenRow[]>
  /** Tells whether there was such a token. */
  revokeToken(userId: string, tokenId: string, by?: Actor): Promise<boolean>
  /** Notes a use; may be written later and lost on a crash. */
  touchToken(tokenId: string, lastUsedAt: number): void
  /** Notes that a token has ended by itself; the first time counts. */
  endToken(tokenId: string, endedAt: number): Promise<void>

  /** Counts on all meters or, when one is full, on none; gives milliseconds until all have room, 0 when counted. Processes share the meters. */
  countOn(meters: readonly MeterUse[], now: number): Promise<number>
  /** Takes events back, as far as they are there; a share of the whole window empties a meter. */
  takeBackFrom(meters: readonly MeterUse[], now: number): Promise<void>
  /** Tells whether a user has logged in from an address, which is given as a digest. */
  knowsAddress(userId: string, digest: string): Promise<boolean>
  /** Notes that a user has logged in from an address; those that were used last are kept. */
  noteAddress(userId: string, digest: string, usedAt: number): Promise<void>
}
