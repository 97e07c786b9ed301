import { assertNever } from '../../../kernel/errors.ts'
import { nameKey } from '../../../kernel/names.ts'
import type { AccountRow, UserRow } from '../../port/account-store.ts'
import type { Connection } from '../database.ts'
import { loginWriter } from './login-writer.ts'
import { memberWriter } from './member-writer.ts'
import type { AccountWrite, AccountWriteResult } from './write-job.ts'

/** A use of a token is written at most once in this time. */
export const TOUCH_INTERVAL_MS = 60_000

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
    'INSERT INTO account (id, name, name_key, slug, type, email, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
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
    const { id, name, slug, type, email, createdAt } = account
    insertAccountRow.run(id, name, nameKey(name), slug, type, email, createdAt)
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
