import { assertNever } from '../../../kernel/errors.ts'
import { nameKey } from '../../../kernel/names.ts'
import {
  type AccountWrite,
  type AccountWriteResult,
  levelOf,
  TOUCH_INTERVAL_MS,
  waitFor,
} from '../../accounts/account-write.ts'
import { type EndedToken, entryOfWrite } from '../../changes/audit-entries.ts'
import type { AccountRow, AccountWords, MeterUse, Role, TokenRow, UserRow } from '../../port/account-store.ts'
import type { Once } from '../../port/answers.ts'
import type { Deed } from '../../port/audit.ts'
import { PUBLIC_HOME, type Sql, type Transaction, transact } from '../base/database.ts'
import { insertAudit } from './audit-lines.ts'
import { KeptAnswers } from './kept-answers.ts'
import { lockHomes } from './load-records.ts'

/** Addresses that a user is known by: those used last. */
const MOST_ADDRESSES = 50

/** Writes beside the accounts, of which nobody has to hear: they take no lock on `accounts_version`. */
type SmallWrite = Extract<AccountWrite, { action: 'touchToken' | 'countOn' | 'takeBackFrom' | 'noteAddress' }>

/** Carries out a write to users, accounts or tokens, with its line of the audit. */
export async function writeAccount(sql: Sql, write: AccountWrite, deed: Deed): Promise<AccountWriteResult> {
  if (isSmall(write)) return transact(sql, (transaction) => writeSmall(transaction, write))
  return transact(sql, async (transaction) => {
    // One after the other: names are looked at before they are given.
    await transaction`SELECT version FROM accounts_version FOR UPDATE`
    const token = write.action === 'revokeToken' ? await findToken(transaction, write.tokenId) : undefined
    const result = await carryOut(transaction, write)
    if (result !== 'done') return result
    if (OF_WHAT_IS_KNOWN.has(write.action)) {
      await transaction`UPDATE accounts_version SET version = version + 1`
    }
    const entry = entryOfWrite(write, token)
    if (entry !== null) await insertAudit(transaction, [{ home: deed.account ?? PUBLIC_HOME, deed, entry }])
    return result
  })
}

function isSmall(write: AccountWrite): write is SmallWrite {
  return SMALL.has(write.action)
}

const SMALL: ReadonlySet<AccountWrite['action']> = new Set(['touchToken', 'countOn', 'takeBackFrom', 'noteAddress'])

/** Changes to rows that may be known; new ones are not. */
const OF_WHAT_IS_KNOWN: ReadonlySet<AccountWrite['action']> = new Set([
  'setUserDisabled',
  'setPasswordHash',
  'changeAccount',
  'removeAccount',
  'putMember',
  'removeMember',
  'passOwnership',
  'revokeToken',
  'endToken',
])

async function findToken(sql: Transaction, id: string): Promise<EndedToken | undefined> {
  const [token] = await sql<EndedToken[]>`SELECT kind, name, app_user AS "user" FROM token WHERE id = ${id}`
  return token
}

function carryOut(sql: Transaction, write: Exclude<AccountWrite, SmallWrite>): Promise<AccountWriteResult> {
  switch (write.action) {
    case 'insertUser':
      return insertUser(sql, write.user, write.personalAccount)
    case 'insertAccount':
      return carryOutOnce(sql, write.once, () => insertAccount(sql, write.account, write.owner))
    case 'setUserDisabled':
      return foundOne(sql`UPDATE app_user SET disabled_at = ${write.disabledAt} WHERE id = ${write.userId}`)
    case 'setPasswordHash':
      return foundOne(sql`UPDATE app_user SET password_hash = ${write.passwordHash} WHERE id = ${write.userId}`)
    case 'changeAccount':
      return carryOutOnce(sql, write.once, () => changeAccount(sql, write.accountId, write.words))
    case 'removeAccount':
      return removeAccount(sql, write.accountId)
    case 'putMember':
      return putMember(sql, write)
    case 'removeMember':
      return removeMember(sql, write)
    case 'passOwnership':
      return passOwnership(sql, write)
    case 'insertToken':
      return insertToken(sql, write.token)
    case 'revokeToken':
      return foundOne(sql`DELETE FROM token WHERE app_user = ${write.userId} AND id = ${write.tokenId}`)
    case 'endToken':
      return foundOne(
        sql`UPDATE token SET ended_at = ${write.endedAt} WHERE id = ${write.tokenId} AND ended_at IS NULL`,
      )
    default:
      return assertNever(write, 'account write')
  }
}

async function foundOne(changed: PromiseLike<{ readonly count: number }>): Promise<AccountWriteResult> {
  return (await changed).count > 0 ? 'done' : 'missing'
}

async function addAccount(sql: Transaction, account: AccountRow): Promise<void> {
  const { id, name, slug, type, email, createdAt, title, description } = account
  await sql`
    INSERT INTO account (id, name, name_key, slug, type, email, created_at, title, description)
    VALUES (${id}, ${name}, ${nameKey(name)}, ${slug}, ${type}, ${email}, ${createdAt}, ${title}, ${description})`
}

async function insertUser(sql: Transaction, user: UserRow, personal: AccountRow): Promise<AccountWriteResult> {
  const key = nameKey(user.name)
  const email = user.email === null ? null : nameKey(user.email)
  const [taken] = await sql<{ name: boolean; email: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM app_user WHERE name_key = ${key} OR email_key = ${key})
        OR EXISTS (SELECT 1 FROM account WHERE name_key = ${nameKey(personal.name)}) AS name,
      EXISTS (SELECT 1 FROM app_user WHERE email_key = ${email} OR name_key = ${email}) AS email`
  if (taken?.name === true) return { taken: 'name' }
  if (taken?.email === true) return { taken: 'email' }
  await addAccount(sql, personal)
  const { id, name, slug, passwordHash, defaultAccountId, createdAt, disabledAt } = user
  await sql`
    INSERT INTO app_user (id, name, name_key, slug, email, email_key, password_hash, default_account, created_at, disabled_at)
    VALUES (${id}, ${name}, ${key}, ${slug}, ${user.email}, ${email}, ${passwordHash}, ${defaultAccountId}, ${createdAt}, ${disabledAt})`
  await sql`INSERT INTO membership (app_user, account, role) VALUES (${id}, ${personal.id}, 'owner')`
  return 'done'
}

/** The home of the answer is locked after that of the accounts, as homes of records are. */
async function carryOutOnce(
  sql: Transaction,
  once: Once | undefined,
  write: () => Promise<AccountWriteResult>,
): Promise<AccountWriteResult> {
  if (once === undefined) return write()
  await lockHomes(sql, [once.accountId])
  const answers = await KeptAnswers.load(sql, [once])
  if (answers.has(once)) return 'repeated'
  const result = await write()
  if (result === 'done') {
    answers.add(once, null)
    await answers.write(sql)
  }
  return result
}

async function insertAccount(sql: Transaction, account: AccountRow, owner: string): Promise<AccountWriteResult> {
  const taken = await sql`SELECT 1 FROM account WHERE name_key = ${nameKey(account.name)}`
  if (taken.length > 0) return { taken: 'name' }
  await addAccount(sql, account)
  await sql`INSERT INTO membership (app_user, account, role) VALUES (${owner}, ${account.id}, 'owner')`
  return 'done'
}

async function changeAccount(
  sql: Transaction,
  accountId: string,
  { title, description }: Partial<AccountWords>,
): Promise<AccountWriteResult> {
  return foundOne(sql`
    UPDATE account SET title = CASE WHEN ${title === undefined} THEN title ELSE ${title ?? null} END,
      description = CASE WHEN ${description === undefined} THEN description ELSE ${description ?? null} END
    WHERE id = ${accountId} AND type = 'organization'`)
}

/** Memberships and tokens go with it. Records of it are counted under the lock of its home, in which they would be added. */
async function removeAccount(sql: Transaction, accountId: string): Promise<AccountWriteResult> {
  const [stored] = await sql<{ records: number }[]>`SELECT records FROM home WHERE home = ${accountId} FOR UPDATE`
  if (stored !== undefined && stored.records > 0) return { records: stored.records }
  const { count } = await sql`DELETE FROM account WHERE id = ${accountId} AND type = 'organization'`
  if (count === 0) return 'missing'
  await sql`DELETE FROM answer WHERE home = ${accountId}`
  return 'done'
}

interface OfMember {
  readonly accountId: string
  readonly userId: string
}

async function roleOf(sql: Transaction, { accountId, userId }: OfMember): Promise<Role | undefined> {
  const [row] = await sql<{ role: Role }[]>`
    SELECT role FROM membership WHERE account = ${accountId} AND app_user = ${userId}`
  return row?.role
}

async function putRole(sql: Transaction, { accountId, userId }: OfMember, role: Role): Promise<void> {
  await sql`
    INSERT INTO membership (account, app_user, role) VALUES (${accountId}, ${userId}, ${role})
    ON CONFLICT (app_user, account) DO UPDATE SET role = excluded.role`
}

async function putMember(
  sql: Transaction,
  { role, ...member }: OfMember & { role: Role },
): Promise<AccountWriteResult> {
  if ((await roleOf(sql, member)) === 'owner') return 'owner'
  await putRole(sql, member, role)
  return 'done'
}

async function removeMember(sql: Transaction, member: OfMember): Promise<AccountWriteResult> {
  const role = await roleOf(sql, member)
  if (role === undefined) return 'missing'
  if (role === 'owner') return 'owner'
  const { accountId, userId } = member
  await sql`DELETE FROM membership WHERE account = ${accountId} AND app_user = ${userId}`
  // A member who returns starts anew.
  await sql`DELETE FROM token WHERE account = ${accountId} AND app_user = ${userId}`
  return 'done'
}

async function passOwnership(
  sql: Transaction,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<AccountWriteResult> {
  const [giver, taker] = [
    { accountId, userId: from },
    { accountId, userId: to },
  ]
  if ((await roleOf(sql, giver)) !== 'owner' || (await roleOf(sql, taker)) === undefined) return 'missing'
  await putRole(sql, giver, 'administrator')
  await putRole(sql, taker, 'owner')
  return 'done'
}

async function insertToken(sql: Transaction, token: TokenRow): Promise<AccountWriteResult> {
  const { id, kind, name, hash, userId, accountId, oneAccount, readOnly, createdAt, lastUsedAt, expiresAt } = token
  await sql`
    INSERT INTO token (id, kind, name, hash, app_user, account, one_account, read_only, created_at, last_used_at, expires_at)
    VALUES (${id}, ${kind}, ${name}, ${hash}, ${userId}, ${accountId}, ${oneAccount}, ${readOnly}, ${createdAt}, ${lastUsedAt}, ${expiresAt})`
  return 'done'
}

async function writeSmall(sql: Transaction, write: SmallWrite): Promise<AccountWriteResult> {
  switch (write.action) {
    case 'touchToken':
      return foundOne(sql`
        UPDATE token SET last_used_at = ${write.lastUsedAt}
        WHERE id = ${write.tokenId} AND (last_used_at IS NULL OR last_used_at <= ${write.lastUsedAt - TOUCH_INTERVAL_MS})`)
    case 'countOn':
      return countOn(sql, write.meters, write.now)
    case 'takeBackFrom':
      return takeBackFrom(sql, write.meters, write.now)
    case 'noteAddress':
      return noteAddress(sql, write)
    default:
      return assertNever(write, 'account write')
  }
}

/** The lock of a meter that may not be there yet; taken in the order of the keys. */
async function lockMeters(sql: Transaction, meters: readonly MeterUse[]): Promise<ReadonlyMap<string, number>> {
  const keys = meters.map(({ key }) => key).sort()
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(${keys}::text[]) key`
  const rows = await sql<{ key: string; emptyAt: number }[]>`
    SELECT key, empty_at AS "emptyAt" FROM login_meter WHERE key = ANY(${keys})`
  return new Map(rows.map(({ key, emptyAt }) => [key, emptyAt]))
}

async function putMeter(sql: Transaction, key: string, emptyAt: number): Promise<void> {
  await sql`
    INSERT INTO login_meter (key, empty_at) VALUES (${key}, ${emptyAt})
    ON CONFLICT (key) DO UPDATE SET empty_at = excluded.empty_at`
}

async function countOn(sql: Transaction, meters: readonly MeterUse[], now: number): Promise<AccountWriteResult> {
  const levels = await lockMeters(sql, meters)
  const wait = Math.max(0, ...meters.map((meter) => waitFor(levels.get(meter.key), meter, now)))
  if (wait > 0) return { wait }
  for (const { key, share, windowMs } of meters)
    await putMeter(sql, key, levelOf(levels.get(key), windowMs, now) + share)
  await sql`DELETE FROM login_meter WHERE empty_at <= ${now}`
  return { wait: 0 }
}

async function takeBackFrom(sql: Transaction, meters: readonly MeterUse[], now: number): Promise<AccountWriteResult> {
  const levels = await lockMeters(sql, meters)
  for (const { key, share, windowMs } of meters) {
    const emptyAt = levelOf(levels.get(key), windowMs, now) - share
    if (emptyAt > now) await putMeter(sql, key, emptyAt)
    else await sql`DELETE FROM login_meter WHERE key = ${key}`
  }
  return 'done'
}

async function noteAddress(
  sql: Transaction,
  { userId, digest, usedAt }: Extract<AccountWrite, { action: 'noteAddress' }>,
): Promise<AccountWriteResult> {
  await sql`
    INSERT INTO known_address (app_user, digest, used_at) SELECT id, ${digest}, ${usedAt} FROM app_user WHERE id = ${userId}
    ON CONFLICT (app_user, digest) DO UPDATE SET used_at = greatest(known_address.used_at, excluded.used_at)`
  await sql`
    DELETE FROM known_address WHERE app_user = ${userId} AND digest NOT IN (
      SELECT digest FROM known_address WHERE app_user = ${userId} ORDER BY used_at DESC, digest LIMIT ${MOST_ADDRESSES})`
  return 'done'
}
