import type { LesserRole, Role } from '../../port/account-store.ts'
import type { Connection } from '../database.ts'
import { PUBLIC_HOME } from '../scopes.ts'
import type { AccountWriteResult } from './write-job.ts'

/** Writes who belongs to an account. An account has exactly one owner after each of these. */
export interface MemberWriter {
  put(accountId: string, userId: string, role: LesserRole): AccountWriteResult
  remove(accountId: string, userId: string): AccountWriteResult
  passOwnership(accountId: string, from: string, to: string): AccountWriteResult
  removeAccount(accountId: string): AccountWriteResult
}

/** Prepares the statements. */
export function memberWriter(connection: Connection): MemberWriter {
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
  const removeAccount = connection.prepare("DELETE FROM account WHERE id = ? AND type = 'organization'")

  return {
    put(accountId, userId, role) {
      if (findRole.get(accountId, userId) === 'owner') return 'owner'
      putRole.run(accountId, userId, role)
      return 'done'
    },
    remove(accountId, userId) {
      const role = findRole.get(accountId, userId)
      if (role === undefined) return 'missing'
      if (role === 'owner') return 'owner'
      removeMember.run(accountId, userId)
      // Whoever is taken in again starts anew.
      removeTokens.run(accountId, userId)
      return 'done'
    },
    passOwnership(accountId, from, to) {
      if (findRole.get(accountId, from) !== 'owner' || findRole.get(accountId, to) === undefined) return 'missing'
      putRole.run(accountId, from, 'administrator')
      putRole.run(accountId, to, 'owner')
      return 'done'
    },
    removeAccount(accountId) {
      const records = (countRecords.get(accountId) ?? 0) + (countRemoved.get(accountId) ?? 0)
      if (records > 0) return { records }
      return removeAccount.run(accountId).changes > 0 ? 'done' : 'missing'
    },
  }
}
