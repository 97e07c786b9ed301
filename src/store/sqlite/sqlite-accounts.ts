import type { AccountColumns, TokenColumns, UserColumns } from '../accounts/account-columns.ts'
import type { AccountReads } from '../accounts/stored-accounts.ts'
import type { Role } from '../port/account-store.ts'
import type { Connection } from './base/database.ts'
import { type CurrentState, untilWritten } from './read/current-state.ts'
import { meterReader } from './write/account-writer.ts'

const USER_COLUMNS = `user.id AS userId, user.name AS userName, user.slug AS userSlug, user.email, user.password_hash AS passwordHash,
  user.default_account AS defaultAccountId, user.created_at AS userCreatedAt, user.disabled_at AS disabledAt`
const ACCOUNT_COLUMNS = `account.id AS accountId, account.name AS accountName, account.slug AS accountSlug,
  account.type AS accountType, account.email AS accountEmail, account.created_at AS accountCreatedAt,
  account.title AS accountTitle, account.description AS accountDescription`
const TOKEN_COLUMNS = `token.id AS tokenId, token.kind, token.name AS tokenName, token.hash, token.user AS tokenUser,
  token.account AS tokenAccount, token.one_account AS oneAccount, token.read_only AS readOnly,
  token.created_at AS tokenCreatedAt, token.last_used_at AS lastUsedAt, token.expires_at AS expiresAt, token.ended_at AS endedAt`

export function accountReads(connection: Connection, state: CurrentState): AccountReads {
  const user = `SELECT ${USER_COLUMNS} FROM user`
  const statements = {
    userById: connection.prepare<[string], UserColumns>(`${user} WHERE id = ?`),
    userByName: connection.prepare<[string], UserColumns>(`${user} WHERE name_key = ?`),
    userByEmail: connection.prepare<[string], UserColumns>(`${user} WHERE email_key = ?`),
    users: connection.prepare<[], UserColumns>(`${user} ORDER BY created_at, id`),
    accountById: connection.prepare<[string], AccountColumns>(`SELECT ${ACCOUNT_COLUMNS} FROM account WHERE id = ?`),
    accountByName: connection.prepare<[string], AccountColumns>(
      `SELECT ${ACCOUNT_COLUMNS} FROM account WHERE name_key = ?`,
    ),
    accounts: connection.prepare<[], AccountColumns>(`SELECT ${ACCOUNT_COLUMNS} FROM account ORDER BY created_at, id`),
    membersOf: connection.prepare<[string], UserColumns & { role: Role }>(
      `SELECT ${USER_COLUMNS}, membership.role FROM membership JOIN user ON user.id = membership.user
       WHERE membership.account = ? ORDER BY membership.role <> 'owner', user.name_key`,
    ),
    accountsOf: connection.prepare<[string], AccountColumns & { role: Role }>(
      `SELECT ${ACCOUNT_COLUMNS}, membership.role FROM membership JOIN account ON account.id = membership.account
       WHERE membership.user = ? ORDER BY account.created_at, account.id`,
    ),
    tokensOf: connection.prepare<[string], TokenColumns>(
      `SELECT ${TOKEN_COLUMNS} FROM token WHERE user = ? ORDER BY created_at, id`,
    ),
    waitOf: meterReader(connection),
    knownAddress: connection
      .prepare<[string, string], number>('SELECT 1 FROM known_address WHERE user = ? AND digest = ?')
      .pluck(),
    resolved: connection.prepare<[string | null, string], TokenColumns & UserColumns & AccountColumns & { role: Role }>(
      `SELECT ${TOKEN_COLUMNS}, ${USER_COLUMNS}, ${ACCOUNT_COLUMNS}, membership.role
       FROM token
       JOIN user ON user.id = token.user
       JOIN account ON account.id = coalesce(?, token.account)
       JOIN membership ON membership.user = token.user AND membership.account = account.id
       WHERE token.hash = ? AND (token.one_account = 0 OR account.id = token.account)`,
    ),
  }
  const findVersion = connection.prepare<[], number>('SELECT version FROM accounts_version').pluck()
  const version = untilWritten<void>(
    state,
    () => 'version',
    () => findVersion.get() ?? 0,
  )
  const at = (): typeof statements => {
    state.hold()
    return statements
  }
  return {
    userById: (id) => at().userById.get(id),
    userByName: (key) => at().userByName.get(key),
    userByEmail: (key) => at().userByEmail.get(key),
    users: () => at().users.all(),
    accountById: (id) => at().accountById.get(id),
    accountByName: (key) => at().accountByName.get(key),
    accounts: () => at().accounts.all(),
    accountsOf: (userId) => at().accountsOf.all(userId),
    membersOf: (accountId) => at().membersOf.all(accountId),
    tokensOf: (userId) => at().tokensOf.all(userId),
    resolved: (accountId, hash) => at().resolved.get(accountId, hash),
    waitOf: (meters, now) => at().waitOf(meters, now),
    knowsAddress: (userId, digest) => at().knownAddress.get(userId, digest) !== undefined,
    version: () => version(),
  }
}
