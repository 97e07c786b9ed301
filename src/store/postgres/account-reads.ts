import type { AccountColumns, TokenColumns, UserColumns } from '../accounts/account-columns.ts'
import { waitFor } from '../accounts/account-write.ts'
import type { AccountReads, WithRole } from '../accounts/stored-accounts.ts'
import { ACCOUNTS_HOME, isKept, PUBLIC_HOME, type Sql } from './base/database.ts'
import type { Homes } from './read/homes.ts'

export function accountReads(sql: Sql, homes: Homes): AccountReads {
  const users = sql`
    app_user.id AS "userId", app_user.name AS "userName", app_user.slug AS "userSlug", app_user.email,
    app_user.password_hash AS "passwordHash", app_user.default_account AS "defaultAccountId",
    app_user.created_at AS "userCreatedAt", app_user.disabled_at AS "disabledAt"`
  const accounts = sql`
    account.id AS "accountId", account.name AS "accountName", account.slug AS "accountSlug", account.type AS "accountType",
    account.email AS "accountEmail", account.created_at AS "accountCreatedAt",
    account.title AS "accountTitle", account.description AS "accountDescription"`
  const tokens = sql`
    token.id AS "tokenId", token.kind, token.name AS "tokenName", token.hash, token.app_user AS "tokenUser",
    token.account AS "tokenAccount", token.one_account AS "oneAccount", token.read_only AS "readOnly",
    token.created_at AS "tokenCreatedAt", token.last_used_at AS "lastUsedAt", token.expires_at AS "expiresAt", token.ended_at AS "endedAt"`
  /** The first row under a key, if there is one. */
  const first = async <Row>(key: string, read: () => Promise<readonly Row[]>): Promise<Row | undefined> =>
    isKept(key) ? (await read())[0] : undefined

  return {
    userById: (id) => first(id, () => sql<UserColumns[]>`SELECT ${users} FROM app_user WHERE id = ${id}`),
    userByName: (key) => first(key, () => sql<UserColumns[]>`SELECT ${users} FROM app_user WHERE name_key = ${key}`),
    userByEmail: (key) => first(key, () => sql<UserColumns[]>`SELECT ${users} FROM app_user WHERE email_key = ${key}`),
    users: () => sql<UserColumns[]>`SELECT ${users} FROM app_user ORDER BY created_at, id`,
    accountById: (id) => first(id, () => sql<AccountColumns[]>`SELECT ${accounts} FROM account WHERE id = ${id}`),
    accountByName: (key) =>
      first(key, () => sql<AccountColumns[]>`SELECT ${accounts} FROM account WHERE name_key = ${key}`),
    accounts: () => sql<AccountColumns[]>`SELECT ${accounts} FROM account ORDER BY created_at, id`,
    accountsOf: (userId) => sql<(AccountColumns & WithRole)[]>`
      SELECT ${accounts}, membership.role FROM membership JOIN account ON account.id = membership.account
      WHERE membership.app_user = ${userId} ORDER BY account.created_at, account.id`,
    membersOf: (accountId) => sql<(UserColumns & WithRole)[]>`
      SELECT ${users}, membership.role FROM membership JOIN app_user ON app_user.id = membership.app_user
      WHERE membership.account = ${accountId} ORDER BY membership.role <> 'owner', app_user.name_key`,
    tokensOf: (userId) =>
      sql<TokenColumns[]>`SELECT ${tokens} FROM token WHERE app_user = ${userId} ORDER BY created_at, id`,
    resolved: (accountId, hash) =>
      first(
        `${accountId ?? ''}${hash}`,
        () => sql<(TokenColumns & UserColumns & AccountColumns & WithRole)[]>`
        SELECT ${tokens}, ${users}, ${accounts}, membership.role
        FROM token
        JOIN app_user ON app_user.id = token.app_user
        JOIN account ON account.id = coalesce(${accountId}, token.account)
        JOIN membership ON membership.app_user = token.app_user AND membership.account = account.id
        WHERE token.hash = ${hash} AND (NOT token.one_account OR account.id = token.account)`,
      ),
    async waitOf(meters, now) {
      const rows = await sql<{ key: string; emptyAt: number }[]>`
        SELECT key, empty_at AS "emptyAt" FROM login_meter WHERE key = ANY(${meters.map(({ key }) => key)})`
      const levels = new Map(rows.map(({ key, emptyAt }) => [key, emptyAt]))
      return Math.max(0, ...meters.map((meter) => waitFor(levels.get(meter.key), meter, now)))
    },
    knowsAddress: async (userId, digest) =>
      (await sql`SELECT 1 FROM known_address WHERE app_user = ${userId} AND digest = ${digest}`).length > 0,
    async version(accountId) {
      // It goes with the same statement; whether it can be answered is for whoever asks for it.
      if (accountId !== null) homes.ask([PUBLIC_HOME, accountId]).catch(() => {})
      const [state] = await homes.ask([ACCOUNTS_HOME])
      return state?.version ?? 0
    },
  }
}
