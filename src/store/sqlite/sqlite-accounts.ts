import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Log } from '../../kernel/log.ts'
import { nameKey } from '../../kernel/names.ts'
import { STORE_EVENTS } from '../events.ts'
import type {
  AccountRow,
  AccountStore,
  AccountType,
  LesserRole,
  MemberRow,
  MeterUse,
  ResolvedToken,
  Role,
  TokenKind,
  TokenRow,
  UserRow,
} from '../port/account-store.ts'
import type { Actor } from '../port/audit.ts'
import type { Sign } from '../sign.ts'
import { assertOpen, type Connection } from './base/database.ts'
import { meterReader } from './base/meters.ts'
import { type CurrentState, untilWritten } from './read/current-state.ts'
import { TOUCH_INTERVAL_MS } from './write/account-writer.ts'
import type { AccountWrite, AccountWriteResult } from './write/write-job.ts'
import type { WriteQueue } from './write/write-queue.ts'

const USER_COLUMNS = `user.id AS userId, user.name AS userName, user.slug AS userSlug, user.email, user.password_hash AS passwordHash,
  user.default_account AS defaultAccountId, user.created_at AS userCreatedAt, user.disabled_at AS disabledAt`
const ACCOUNT_COLUMNS = `account.id AS accountId, account.name AS accountName, account.slug AS accountSlug,
  account.type AS accountType, account.email AS accountEmail, account.created_at AS accountCreatedAt`
const TOKEN_COLUMNS = `token.id AS tokenId, token.kind, token.name AS tokenName, token.hash, token.user AS tokenUser,
  token.account AS tokenAccount, token.one_account AS oneAccount, token.read_only AS readOnly,
  token.created_at AS tokenCreatedAt, token.last_used_at AS lastUsedAt, token.expires_at AS expiresAt, token.ended_at AS endedAt`

interface UserColumns {
  userId: string
  userName: string
  userSlug: string
  email: string | null
  passwordHash: string
  defaultAccountId: string
  userCreatedAt: number
  disabledAt: number | null
}

interface AccountColumns {
  accountId: string
  accountName: string
  accountSlug: string
  accountType: AccountType
  accountEmail: string | null
  accountCreatedAt: number
}

interface TokenColumns {
  tokenId: string
  kind: TokenKind
  tokenName: string
  hash: string
  tokenUser: string
  tokenAccount: string
  oneAccount: 0 | 1
  readOnly: 0 | 1
  tokenCreatedAt: number
  lastUsedAt: number | null
  expiresAt: number | null
  endedAt: number | null
}

const REMEMBERED_TOUCHES = 10_000

/** In whose name accounts are written, and who is told of what fails. */
interface AccountsTerms {
  readonly sign: Sign
  readonly log: Log
}

/** Keeps users, accounts and tokens in the SQLite file; reads here, writes on the writer thread. */
export class SqliteAccounts implements AccountStore {
  readonly #connection: Connection
  readonly #state: CurrentState
  readonly #writes: WriteQueue
  readonly #sign: Sign
  readonly #log: Log
  readonly #statements: ReturnType<typeof prepareReads>
  readonly #version: () => number
  readonly #touched = new BoundedCache<number>({ most: REMEMBERED_TOUCHES })

  constructor(connection: Connection, state: CurrentState, writes: WriteQueue, { sign, log }: AccountsTerms) {
    this.#connection = connection
    this.#state = state
    this.#writes = writes
    this.#sign = sign
    this.#log = log
    this.#statements = prepareReads(connection)
    const version = connection.prepare<[], number>('SELECT version FROM accounts_version').pluck()
    this.#version = untilWritten<void>(
      state,
      () => 'version',
      () => version.get() ?? 0,
    )
  }

  get #reads(): ReturnType<typeof prepareReads> {
    assertOpen(this.#connection)
    this.#state.hold()
    return this.#statements
  }

  async insertUser(
    user: UserRow,
    personalAccount: AccountRow,
    by?: Actor,
  ): Promise<'done' | { taken: 'name' | 'email' }> {
    return takenOrDone(await this.#write({ action: 'insertUser', user, personalAccount }, by))
  }

  async findUserByLogin(nameOrEmail: string): Promise<UserRow | null> {
    const key = nameKey(nameOrEmail)
    const row = this.#reads.userByName.get(key) ?? this.#reads.userByEmail.get(key)
    return row === undefined ? null : userOf(row)
  }

  async findUser(id: string): Promise<UserRow | null> {
    const row = this.#reads.userById.get(id)
    return row === undefined ? null : userOf(row)
  }

  async listUsers(): Promise<readonly UserRow[]> {
    return this.#reads.users.all().map(userOf)
  }

  async setUserDisabled(userId: string, disabledAt: number | null, by?: Actor): Promise<void> {
    await this.#write({ action: 'setUserDisabled', userId, disabledAt }, by)
  }

  async setPasswordHash(userId: string, passwordHash: string, by?: Actor): Promise<void> {
    await this.#write({ action: 'setPasswordHash', userId, passwordHash }, by)
  }

  async insertAccount(account: AccountRow, owner: string, by?: Actor): Promise<'done' | { taken: 'name' }> {
    const result = takenOrDone(await this.#write({ action: 'insertAccount', account, owner }, by))
    return result === 'done' ? 'done' : { taken: 'name' }
  }

  async findAccount(id: string): Promise<AccountRow | null> {
    const row = this.#reads.accountById.get(id)
    return row === undefined ? null : accountOf(row)
  }

  async findAccountByName(name: string): Promise<AccountRow | null> {
    const row = this.#reads.accountByName.get(nameKey(name))
    return row === undefined ? null : accountOf(row)
  }

  async listAccounts(): Promise<readonly AccountRow[]> {
    return this.#reads.accounts.all().map(accountOf)
  }

  async accountsOf(userId: string): Promise<readonly (AccountRow & { role: Role })[]> {
    return this.#reads.accountsOf.all(userId).map((row) => ({ ...accountOf(row), role: row.role }))
  }

  async removeAccount(accountId: string, by?: Actor): Promise<'done' | 'missing' | { records: number }> {
    const result = await this.#write({ action: 'removeAccount', accountId }, by)
    return result as 'done' | 'missing' | { records: number }
  }

  async membersOf(accountId: string): Promise<readonly MemberRow[]> {
    return this.#reads.membersOf.all(accountId).map((row) => ({ user: userOf(row), role: row.role }))
  }

  async putMember(accountId: string, userId: string, role: LesserRole, by?: Actor): Promise<'done' | 'owner'> {
    return (await this.#write({ action: 'putMember', accountId, userId, role }, by)) === 'owner' ? 'owner' : 'done'
  }

  async removeMember(accountId: string, userId: string, by?: Actor): Promise<'done' | 'missing' | 'owner'> {
    return (await this.#write({ action: 'removeMember', accountId, userId }, by)) as 'done' | 'missing' | 'owner'
  }

  async passOwnership(accountId: string, from: string, to: string, by?: Actor): Promise<'done' | 'missing'> {
    return (await this.#write({ action: 'passOwnership', accountId, from, to }, by)) === 'done' ? 'done' : 'missing'
  }

  async noteFailedLogin(by: Actor): Promise<void> {
    const entry = { action: 'login.failed', kind: 'user', object: by.user } as const
    await this.#writes.submit({ kind: 'audit', entry, deed: this.#sign(by) })
  }

  accountsVersion(): number {
    assertOpen(this.#connection)
    return this.#version()
  }

  async readAccountsVersion(): Promise<number> {
    return this.accountsVersion()
  }

  async insertToken(token: TokenRow, by?: Actor): Promise<void> {
    await this.#write({ action: 'insertToken', token }, by)
  }

  async resolveToken(hash: string, accountId: string | null = null): Promise<ResolvedToken | null> {
    const row = this.#reads.resolved.get(accountId, hash)
    if (row === undefined) return null
    return { token: tokenOf(row), user: userOf(row), account: accountOf(row), role: row.role }
  }

  async listTokens(userId: string): Promise<readonly TokenRow[]> {
    return this.#reads.tokensOf.all(userId).map(tokenOf)
  }

  async revokeToken(userId: string, tokenId: string, by?: Actor): Promise<boolean> {
    return (await this.#write({ action: 'revokeToken', userId, tokenId }, by)) === 'done'
  }

  /** Writes at most once a minute for each token. A write that fails is forgotten: the next use tries again. */
  touchToken(tokenId: string, lastUsedAt: number): void {
    if (lastUsedAt < (this.#touched.get(tokenId) ?? Number.NEGATIVE_INFINITY) + TOUCH_INTERVAL_MS) return
    this.#touched.set(tokenId, lastUsedAt)
    this.#write({ action: 'touchToken', tokenId, lastUsedAt }).catch((error: unknown) => {
      this.#touched.delete(tokenId)
      this.#log.tell(STORE_EVENTS.touchFailed, { tokenId }, error)
    })
  }

  async endToken(tokenId: string, endedAt: number): Promise<void> {
    await this.#write({ action: 'endToken', tokenId, endedAt })
  }

  /** Asks first: whoever has to wait writes nothing. The writer asks again, since attempts come at the same time. */
  async countOn(meters: readonly MeterUse[], now: number): Promise<number> {
    const wait = this.#reads.waitOf(meters, now)
    if (wait > 0) return wait
    return waitIn(await this.#write({ action: 'countOn', meters, now }))
  }

  async takeBackFrom(meters: readonly MeterUse[], now: number): Promise<void> {
    await this.#write({ action: 'takeBackFrom', meters, now })
  }

  async knowsAddress(userId: string, digest: string): Promise<boolean> {
    return this.#reads.knownAddress.get(userId, digest) !== undefined
  }

  async noteAddress(userId: string, digest: string, usedAt: number): Promise<void> {
    await this.#write({ action: 'noteAddress', userId, digest, usedAt })
  }

  #write(write: AccountWrite, by?: Actor): Promise<AccountWriteResult> {
    return this.#writes.submit({ kind: 'account', write, deed: this.#sign(by) })
  }
}

function prepareReads(connection: Connection) {
  const user = `SELECT ${USER_COLUMNS} FROM user`
  return {
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
}

function takenOrDone(result: AccountWriteResult): 'done' | { taken: 'name' | 'email' } {
  return typeof result === 'object' && 'taken' in result ? result : 'done'
}

function waitIn(result: AccountWriteResult): number {
  return typeof result === 'object' && 'wait' in result ? result.wait : 0
}

function userOf(row: UserColumns): UserRow {
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

function accountOf(row: AccountColumns): AccountRow {
  return {
    id: row.accountId,
    name: row.accountName,
    slug: row.accountSlug,
    type: row.accountType,
    email: row.accountEmail,
    createdAt: row.accountCreatedAt,
  }
}

function tokenOf(row: TokenColumns): TokenRow {
  return {
    id: row.tokenId,
    kind: row.kind,
    name: row.tokenName,
    hash: row.hash,
    userId: row.tokenUser,
    accountId: row.tokenAccount,
    oneAccount: row.oneAccount === 1,
    readOnly: row.readOnly === 1,
    createdAt: row.tokenCreatedAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    endedAt: row.endedAt,
  }
}
