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

/** What records belong to. */
export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly type: AccountType
  readonly createdAt: number
}

export type TokenKind = 'session' | 'api'

/** A credential of a user for one account. Only the SHA-256 of the secret is kept. */
export interface TokenRow {
  readonly id: string
  readonly kind: TokenKind
  readonly name: string
  /** SHA-256 of the token's text, hexadecimal. */
  readonly hash: string
  readonly userId: string
  readonly accountId: string
  readonly readOnly: boolean
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
}

/** All that authentication needs to know of a token, from one look-up. Revoked tokens and left accounts are not found. */
export interface ResolvedToken {
  readonly token: TokenRow
  readonly user: UserRow
  readonly account: AccountRow
  readonly role: Role
}

/** Where users, accounts and tokens live. Names and e-mails are unique without regard to case. */
export interface AccountStore {
  /** Creates a user with its personal account; `taken` names the field that somebody else has. */
  insertUser(user: UserRow, personalAccount: AccountRow): Promise<'done' | { readonly taken: 'name' | 'email' }>
  findUserByLogin(nameOrEmail: string): Promise<UserRow | null>
  findUser(id: string): Promise<UserRow | null>
  listUsers(): Promise<readonly UserRow[]>
  setUserDisabled(userId: string, disabledAt: number | null): Promise<void>
  setPasswordHash(userId: string, passwordHash: string): Promise<void>

  insertAccount(account: AccountRow, owner: string): Promise<'done' | { readonly taken: 'name' }>
  findAccount(id: string): Promise<AccountRow | null>
  accountsOf(userId: string): Promise<readonly (AccountRow & { readonly role: Role })[]>

  insertToken(token: TokenRow): Promise<void>
  /** Sees what any process did to the token before the call. */
  resolveToken(hash: string): Promise<ResolvedToken | null>
  listTokens(userId: string): Promise<readonly TokenRow[]>
  /** Tells whether there was such a token. */
  revokeToken(userId: string, tokenId: string): Promise<boolean>
  /** Notes a use; may be written later and lost on a crash. */
  touchToken(tokenId: string, lastUsedAt: number): void
}
