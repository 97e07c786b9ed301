import type { AccountRow, AccountType, TokenKind, TokenRow, UserRow } from '../port/account-store.ts'

export interface UserColumns {
  userId: string
  userName: string
  userSlug: string
  email: string | null
  passwordHash: string
  defaultAccountId: string
  userCreatedAt: number
  disabledAt: number | null
}

export interface AccountColumns {
  accountId: string
  accountName: string
  accountSlug: string
  accountType: AccountType
  accountEmail: string | null
  accountCreatedAt: number
  accountTitle: string | null
  accountDescription: string | null
}

export interface TokenColumns {
  tokenId: string
  kind: TokenKind
  tokenName: string
  hash: string
  tokenUser: string
  tokenAccount: string
  oneAccount: number | boolean
  readOnly: number | boolean
  tokenCreatedAt: number
  lastUsedAt: number | null
  expiresAt: number | null
  endedAt: number | null
}

export function userOf(row: UserColumns): UserRow {
  return {
    id: row.userId,
    name: row.userName,
    slug: row.userSlug,
    email: row.email,
    passwordHash: row.passwordHash,
    defaultAccountId: row.defaultAccountId,
    createdAt: row.userCreatedAt,
    disabledAt: row.disabledAt,
  }
}

export function accountOf(row: AccountColumns): AccountRow {
  return {
    id: row.accountId,
    name: row.accountName,
    slug: row.accountSlug,
    type: row.accountType,
    email: row.accountEmail,
    createdAt: row.accountCreatedAt,
    title: row.accountTitle,
    description: row.accountDescription,
  }
}

export function tokenOf(row: TokenColumns): TokenRow {
  return {
    id: row.tokenId,
    kind: row.kind,
    name: row.tokenName,
    hash: row.hash,
    userId: row.tokenUser,
    accountId: row.tokenAccount,
    oneAccount: Boolean(row.oneAccount),
    readOnly: Boolean(row.readOnly),
    createdAt: row.tokenCreatedAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    endedAt: row.endedAt,
  }
}
