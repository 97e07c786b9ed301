import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Log } from '../../kernel/log.ts'
import { nameKey } from '../../kernel/names.ts'
import { repeated } from '../errors.ts'
import { STORE_EVENTS } from '../events.ts'
import type {
  AccountRow,
  AccountStore,
  AccountWords,
  LesserRole,
  MemberRow,
  MeterUse,
  ResolvedToken,
  Role,
  TokenRow,
  UserRow,
} from '../port/account-store.ts'
import type { Once } from '../port/answers.ts'
import type { Actor, AuditEntry } from '../port/audit.ts'
import {
  type AccountColumns,
  accountOf,
  type TokenColumns,
  tokenOf,
  type UserColumns,
  userOf,
} from './account-columns.ts'
import { type AccountWrite, type AccountWriteResult, TOUCH_INTERVAL_MS } from './account-write.ts'

type Later<T> = T | Promise<T>
export type WithRole = { readonly role: Role }

/** Reads of users, accounts and tokens, as rows of a database; names and addresses are given as keys. */
export interface AccountReads {
  userById(id: string): Later<UserColumns | undefined>
  userByName(key: string): Later<UserColumns | undefined>
  userByEmail(key: string): Later<UserColumns | undefined>
  users(): Later<readonly UserColumns[]>
  accountById(id: string): Later<AccountColumns | undefined>
  accountByName(key: string): Later<AccountColumns | undefined>
  accounts(): Later<readonly AccountColumns[]>
  accountsOf(userId: string): Later<readonly (AccountColumns & WithRole)[]>
  membersOf(accountId: string): Later<readonly (UserColumns & WithRole)[]>
  tokensOf(userId: string): Later<readonly TokenColumns[]>
  resolved(
    accountId: string | null,
    hash: string,
  ): Later<(TokenColumns & UserColumns & AccountColumns & WithRole) | undefined>
  waitOf(meters: readonly MeterUse[], now: number): Later<number>
  knowsAddress(userId: string, digest: string): Later<boolean>
  version(accountId: string | null): Later<number>
}

export interface AccountWrites {
  write(write: AccountWrite, by?: Actor): Promise<AccountWriteResult>
  note(entry: AuditEntry, by: Actor): Promise<void>
}

const REMEMBERED_TOUCHES = 10_000

/** Users, accounts and tokens, whatever database they are in. */
export class StoredAccounts implements AccountStore {
  readonly #reads: AccountReads
  readonly #writes: AccountWrites
  readonly #log: Log
  readonly #touched = new BoundedCache<number>({ most: REMEMBERED_TOUCHES })

  constructor(reads: AccountReads, writes: AccountWrites, log: Log) {
    this.#reads = reads
    this.#writes = writes
    this.#log = log
  }

  async insertUser(
    user: UserRow,
    personalAccount: AccountRow,
    by?: Actor,
  ): Promise<'done' | { taken: 'name' | 'email' }> {
    return takenOrDone(await this.#writes.write({ action: 'insertUser', user, personalAccount }, by))
  }

  async findUserByLogin(nameOrEmail: string): Promise<UserRow | null> {
    const key = nameKey(nameOrEmail)
    const row = (await this.#reads.userByName(key)) ?? (await this.#reads.userByEmail(key))
    return row === undefined ? null : userOf(row)
  }

  async findUser(id: string): Promise<UserRow | null> {
    const row = await this.#reads.userById(id)
    return row === undefined ? null : userOf(row)
  }

  async listUsers(): Promise<readonly UserRow[]> {
    return (await this.#reads.users()).map(userOf)
  }

  async setUserDisabled(userId: string, disabledAt: number | null, by?: Actor): Promise<void> {
    await this.#writes.write({ action: 'setUserDisabled', userId, disabledAt }, by)
  }

  async setPasswordHash(userId: string, passwordHash: string, by?: Actor): Promise<void> {
    await this.#writes.write({ action: 'setPasswordHash', userId, passwordHash }, by)
  }

  async insertAccount(
    account: AccountRow,
    owner: string,
    by?: Actor,
    once?: Once,
  ): Promise<'done' | { taken: 'name' }> {
    const written = await this.#writes.write({ action: 'insertAccount', account, owner, once }, by)
    if (written === 'repeated') throw repeated()
    const result = takenOrDone(written)
    return result === 'done' ? 'done' : { taken: 'name' }
  }

  async findAccount(id: string): Promise<AccountRow | null> {
    const row = await this.#reads.accountById(id)
    return row === undefined ? null : accountOf(row)
  }

  async findAccountByName(name: string): Promise<AccountRow | null> {
    const row = await this.#reads.accountByName(nameKey(name))
    return row === undefined ? null : accountOf(row)
  }

  async listAccounts(): Promise<readonly AccountRow[]> {
    return (await this.#reads.accounts()).map(accountOf)
  }

  async accountsOf(userId: string): Promise<readonly (AccountRow & { role: Role })[]> {
    return (await this.#reads.accountsOf(userId)).map((row) => ({ ...accountOf(row), role: row.role }))
  }

  async changeAccount(
    accountId: string,
    words: Partial<AccountWords>,
    by?: Actor,
    once?: Once,
  ): Promise<'done' | 'missing'> {
    const result = await this.#writes.write({ action: 'changeAccount', accountId, words, once }, by)
    if (result === 'repeated') throw repeated()
    return result === 'done' ? 'done' : 'missing'
  }

  async removeAccount(accountId: string, by?: Actor): Promise<'done' | 'missing' | { records: number }> {
    const result = await this.#writes.write({ action: 'removeAccount', accountId }, by)
    return result as 'done' | 'missing' | { records: number }
  }

  async membersOf(accountId: string): Promise<readonly MemberRow[]> {
    return (await this.#reads.membersOf(accountId)).map((row) => ({ user: userOf(row), role: row.role }))
  }

  async putMember(accountId: string, userId: string, role: LesserRole, by?: Actor): Promise<'done' | 'owner'> {
    const result = await this.#writes.write({ action: 'putMember', accountId, userId, role }, by)
    return result === 'owner' ? 'owner' : 'done'
  }

  async removeMember(accountId: string, userId: string, by?: Actor): Promise<'done' | 'missing' | 'owner'> {
    return (await this.#writes.write({ action: 'removeMember', accountId, userId }, by)) as 'done' | 'missing' | 'owner'
  }

  async passOwnership(accountId: string, from: string, to: string, by?: Actor): Promise<'done' | 'missing'> {
    const result = await this.#writes.write({ action: 'passOwnership', accountId, from, to }, by)
    return result === 'done' ? 'done' : 'missing'
  }

  async noteFailedLogin(by: Actor): Promise<void> {
    await this.#writes.note({ action: 'login.failed', kind: 'user', object: by.user }, by)
  }

  async readAccountsVersion(accountId?: string | null): Promise<number> {
    return this.#reads.version(accountId ?? null)
  }

  async insertToken(token: TokenRow, by?: Actor): Promise<void> {
    await this.#writes.write({ action: 'insertToken', token }, by)
  }

  async resolveToken(hash: string, accountId: string | null = null): Promise<ResolvedToken | null> {
    const row = await this.#reads.resolved(accountId, hash)
    if (row === undefined) return null
    return { token: tokenOf(row), user: userOf(row), account: accountOf(row), role: row.role }
  }

  async listTokens(userId: string): Promise<readonly TokenRow[]> {
    return (await this.#reads.tokensOf(userId)).map(tokenOf)
  }

  async revokeToken(userId: string, tokenId: string, by?: Actor): Promise<boolean> {
    return (await this.#writes.write({ action: 'revokeToken', userId, tokenId }, by)) === 'done'
  }

  /** Writes at most once a minute for each token. A write that fails is forgotten: the next use tries again. */
  touchToken(tokenId: string, lastUsedAt: number): void {
    if (lastUsedAt < (this.#touched.get(tokenId) ?? Number.NEGATIVE_INFINITY) + TOUCH_INTERVAL_MS) return
    this.#touched.set(tokenId, lastUsedAt)
    this.#writes.write({ action: 'touchToken', tokenId, lastUsedAt }).catch((error: unknown) => {
      this.#touched.delete(tokenId)
      this.#log.tell(STORE_EVENTS.touchFailed, { tokenId }, error)
    })
  }

  async endToken(tokenId: string, endedAt: number): Promise<void> {
    await this.#writes.write({ action: 'endToken', tokenId, endedAt })
  }

  /** Asks first: whoever has to wait writes nothing. The writer asks again, since attempts come at the same time. */
  async countOn(meters: readonly MeterUse[], now: number): Promise<number> {
    const wait = await this.#reads.waitOf(meters, now)
    if (wait > 0) return wait
    return waitIn(await this.#writes.write({ action: 'countOn', meters, now }))
  }

  async takeBackFrom(meters: readonly MeterUse[], now: number): Promise<void> {
    await this.#writes.write({ action: 'takeBackFrom', meters, now })
  }

  async knowsAddress(userId: string, digest: string): Promise<boolean> {
    return this.#reads.knowsAddress(userId, digest)
  }

  async noteAddress(userId: string, digest: string, usedAt: number): Promise<void> {
    await this.#writes.write({ action: 'noteAddress', userId, digest, usedAt })
  }
}

function takenOrDone(result: AccountWriteResult): 'done' | { taken: 'name' | 'email' } {
  return typeof result === 'object' && 'taken' in result ? result : 'done'
}

function waitIn(result: AccountWriteResult): number {
  return typeof result === 'object' && 'wait' in result ? result.wait : 0
}
