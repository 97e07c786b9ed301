import { assertNever } from '../../../kernel/errors.ts'
import { nameKey } from '../../../kernel/names.ts'
import {
  type AccountWrite,
  type AccountWriteResult,
  levelOf,
  TOUCH_INTERVAL_MS,
  waitFor,
} from '../../accounts/account-write.ts'
import type { AccountRow, AccountWords, LesserRole, MeterUse, Role, UserRow } from '../../port/account-store.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'

/** Prepares the question how long it takes until all of some meters have room. */
export function meterReader(connection: Connection): (meters: readonly MeterUse[], now: number) => number {
  const find = connection.prepare<[string], number>('SELECT empty_at FROM login_meter WHERE key = ?').pluck()
  return (meters, now) => Math.max(0, ...meters.map((meter) => waitFor(find.get(meter.key), meter, now)))
}

/** Addresses that a user is known by: those used last. */
const MOST_ADDRESSES = 50
/** Meters that are kept: those that take longest to empty. */
const MOST_METERS = 50_000
/** Surplus allowed for a while, as counting meters takes its time. */
const SURPLUS_METERS = 1000

/** Prepares writing what slows down those who guess passwords, and which addresses it does not slow down. */
function loginWriter(connection: Connection) {
  const waitOf = meterReader(connection)
  const find = connection.prepare<[string], number>('SELECT empty_at FROM login_meter WHERE key = ?').pluck()
  const put = connection.prepare('INSERT OR REPLACE INTO login_meter (key, empty_at) VALUES (?, ?)')
  const forget = connection.prepare('DELETE FROM login_meter WHERE key = ?')
  const forgetEmpty = connection.prepare('DELETE FROM login_meter WHERE empty_at <= ?')
  const countMeters = connection.prepare<[], number>('SELECT count(*) FROM login_meter').pluck()
  const forgetEmptiest = connection.prepare(
    'DELETE FROM login_meter WHERE key IN (SELECT key FROM login_meter ORDER BY empty_at LIMIT max(0, ?))',
  )
  const putAddress = connection.prepare(
    `INSERT INTO known_address (user, digest, used_at) SELECT id, ?, ? FROM user WHERE id = ?
     ON CONFLICT (user, digest) DO UPDATE SET used_at = max(used_at, excluded.used_at)`,
  )
  const forgetAddresses = connection.prepare(
    `DELETE FROM known_address WHERE user = ? AND digest NOT IN
       (SELECT digest FROM known_address WHERE user = ? ORDER BY used_at DESC, digest LIMIT ${MOST_ADDRESSES})`,
  )
  let counted = SURPLUS_METERS

  function keepFew(now: number): void {
    forgetEmpty.run(now)
    counted += 1
    if (counted < SURPLUS_METERS) return
    counted = 0
    forgetEmptiest.run((countMeters.get() ?? 0) - MOST_METERS)
  }

  return {
    countOn(meters: readonly MeterUse[], now: number): number {
      const wait = waitOf(meters, now)
      if (wait > 0) return wait
      for (const { key, share, windowMs } of meters) put.run(key, levelOf(find.get(key), windowMs, now) + share)
      keepFew(now)
      return 0
    },
    takeBackFrom(meters: readonly MeterUse[], now: number): AccountWriteResult {
      for (const { key, share, windowMs } of meters) {
        const emptyAt = levelOf(find.get(key), windowMs, now) - share
        if (emptyAt > now) put.run(key, emptyAt)
        else forget.run(key)
      }
      return 'done'
    },
    noteAddress(userId: string, digest: string, usedAt: number): AccountWriteResult {
      putAddress.run(digest, usedAt, userId)
      forgetAddresses.run(userId, userId)
      return 'done'
    },
  }
}

/** Prepares writing who belongs to an account, which has exactly one owner after each of these. */
function memberWriter(connection: Connection) {
  const findRole = connection
    .prepare<[string, string], Role>('SELECT role FROM membership WHERE account = ? AND user = ?')
    .pluck()
  const putRole = connection.prepare(
    `INSERT INTO membership (account, user, role) VALUES (?, ?, ?)
     ON CONFLICT (user, account) DO UPDATE SET role = excluded.role`,
  )
  const removeMember = connection.prepare('DELETE FROM membership WHERE account = ? AND user = ?')
  const removeTokens = connection.prepare('DELETE FROM token WHERE account = ? AND user = ?')
  // Walks the index by scope, since few records are public: 0 is their scope, the owner's number that of the others.
  const countRecords = connection
    .prepare<[string], number>(
      `SELECT count(*) FROM owner CROSS JOIN collection CROSS JOIN record
       ON record.collection = collection.number AND record.scope IN (owner.number, ${PUBLIC_HOME})
       WHERE owner.account = ? AND record.owner = owner.number`,
    )
    .pluck()
  const countRemoved = connection
    .prepare<[string], number>(
      'SELECT count(*) FROM removed WHERE owner = (SELECT number FROM owner WHERE account = ?)',
    )
    .pluck()
  // Memberships and tokens go with it.
  const removeAnswers = connection.prepare('DELETE FROM answer WHERE account = ?')
  const removeAccount = connection.prepare("DELETE FROM account WHERE id = ? AND type = 'organization'")

  return {
    put(accountId: string, userId: string, role: LesserRole): AccountWriteResult {
      if (findRole.get(accountId, userId) === 'owner') return 'owner'
      putRole.run(accountId, userId, role)
      return 'done'
    },
    remove(accountId: string, userId: string): AccountWriteResult {
      const role = findRole.get(accountId, userId)
      if (role === undefined) return 'missing'
      if (role === 'owner') return 'owner'
      removeMember.run(accountId, userId)
      // A member who returns starts anew.
      removeTokens.run(accountId, userId)
      return 'done'
    },
    passOwnership(accountId: string, from: string, to: string): AccountWriteResult {
      if (findRole.get(accountId, from) !== 'owner' || findRole.get(accountId, to) === undefined) return 'missing'
      putRole.run(accountId, from, 'administrator')
      putRole.run(accountId, to, 'owner')
      return 'done'
    },
    removeAccount(accountId: string): AccountWriteResult {
      const records = (countRecords.get(accountId) ?? 0) + (countRemoved.get(accountId) ?? 0)
      if (records > 0) return { records }
      if (removeAccount.run(accountId).changes === 0) return 'missing'
      removeAnswers.run(accountId)
      return 'done'
    },
  }
}

/** Prepares the statements that write users, accounts and tokens. */
export function accountWriter(connection: Connection): (write: AccountWrite) => AccountWriteResult {
  const nameTaken = connection
    .prepare<[string, string, string], number>(
      'SELECT EXISTS (SELECT 1 FROM user WHERE name_key = ? OR email_key = ?) OR EXISTS (SELECT 1 FROM account WHERE name_key = ?)',
    )
    .pluck()
  const emailTaken = connection
    .prepare<[string, string], number>('SELECT EXISTS (SELECT 1 FROM user WHERE email_key = ? OR name_key = ?)')
    .pluck()
  const accountTaken = connection
    .prepare<[string], number>('SELECT EXISTS (SELECT 1 FROM account WHERE name_key = ?)')
    .pluck()
  const insertAccountRow = connection.prepare(
    'INSERT INTO account (id, name, name_key, slug, type, email, created_at, title, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const changeWords = connection.prepare(
    `UPDATE account SET title = iif(?, title, ?), description = iif(?, description, ?)
     WHERE id = ? AND type = 'organization'`,
  )
  const insertUserRow = connection.prepare(
    `INSERT INTO user (id, name, name_key, slug, email, email_key, password_hash, default_account, created_at, disabled_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertMember = connection.prepare("INSERT INTO membership (user, account, role) VALUES (?, ?, 'owner')")
  const disableUser = connection.prepare('UPDATE user SET disabled_at = ? WHERE id = ?')
  const setPassword = connection.prepare('UPDATE user SET password_hash = ? WHERE id = ?')
  const insertTokenRow = connection.prepare(
    `INSERT INTO token (id, kind, name, hash, user, account, one_account, read_only, created_at, last_used_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const revokeToken = connection.prepare('DELETE FROM token WHERE user = ? AND id = ?')
  const touchToken = connection.prepare(
    'UPDATE token SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)',
  )

  const endToken = connection.prepare('UPDATE token SET ended_at = ? WHERE id = ? AND ended_at IS NULL')

  const members = memberWriter(connection)
  const logins = loginWriter(connection)

  const addAccount = (account: AccountRow): void => {
    const { id, name, slug, type, email, createdAt, title, description } = account
    insertAccountRow.run(id, name, nameKey(name), slug, type, email, createdAt, title, description)
  }

  function insertUser(user: UserRow, personal: AccountRow): AccountWriteResult {
    const key = nameKey(user.name)
    if (nameTaken.get(key, key, nameKey(personal.name)) === 1) return { taken: 'name' }
    const email = user.email === null ? null : nameKey(user.email)
    if (email !== null && emailTaken.get(email, email) === 1) return { taken: 'email' }
    addAccount(personal)
    const { id, name, slug, passwordHash, defaultAccountId, createdAt, disabledAt } = user
    insertUserRow.run(id, name, key, slug, user.email, email, passwordHash, defaultAccountId, createdAt, disabledAt)
    insertMember.run(id, personal.id)
    return 'done'
  }

  function insertAccount(account: AccountRow, owner: string): AccountWriteResult {
    if (accountTaken.get(nameKey(account.name)) === 1) return { taken: 'name' }
    addAccount(account)
    insertMember.run(owner, account.id)
    return 'done'
  }

  function changeAccount(accountId: string, { title, description }: Partial<AccountWords>): AccountWriteResult {
    const [keepsTitle, keepsDescription] = [Number(title === undefined), Number(description === undefined)]
    const values = [keepsTitle, title ?? null, keepsDescription, description ?? null]
    return foundOne(changeWords.run(...values, accountId).changes)
  }

  return (write) => {
    switch (write.action) {
      case 'insertUser':
        return insertUser(write.user, write.personalAccount)
      case 'insertAccount':
        return insertAccount(write.account, write.owner)
      case 'setUserDisabled':
        return foundOne(disableUser.run(write.disabledAt, write.userId).changes)
      case 'setPasswordHash':
        return foundOne(setPassword.run(write.passwordHash, write.userId).changes)
      case 'changeAccount':
        return changeAccount(write.accountId, write.words)
      case 'removeAccount':
        return members.removeAccount(write.accountId)
      case 'putMember':
        return members.put(write.accountId, write.userId, write.role)
      case 'removeMember':
        return members.remove(write.accountId, write.userId)
      case 'passOwnership':
        return members.passOwnership(write.accountId, write.from, write.to)
      case 'insertToken': {
        const { id, kind, name, hash, userId, accountId, createdAt, lastUsedAt, expiresAt } = write.token
        const [oneAccount, readOnly] = [Number(write.token.oneAccount), Number(write.token.readOnly)]
        const owner = [userId, accountId, oneAccount, readOnly]
        insertTokenRow.run(id, kind, name, hash, ...owner, createdAt, lastUsedAt, expiresAt)
        return 'done'
      }
      case 'revokeToken':
        return foundOne(revokeToken.run(write.userId, write.tokenId).changes)
      case 'touchToken':
        return foundOne(touchToken.run(write.lastUsedAt, write.tokenId, write.lastUsedAt - TOUCH_INTERVAL_MS).changes)
      case 'endToken':
        return foundOne(endToken.run(write.endedAt, write.tokenId).changes)
      case 'countOn':
        return { wait: logins.countOn(write.meters, write.now) }
      case 'takeBackFrom':
        return logins.takeBackFrom(write.meters, write.now)
      case 'noteAddress':
        return logins.noteAddress(write.userId, write.digest, write.usedAt)
      default:
        return assertNever(write, 'account write')
    }
  }
}

function foundOne(changes: number): AccountWriteResult {
  return changes > 0 ? 'done' : 'missing'
}
