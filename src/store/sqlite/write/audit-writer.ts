import type { AccountWrite, AccountWriteResult } from '../../accounts/account-write.ts'
import { auditChange, type EndedToken, entryOfWrite } from '../../changes/audit-entries.ts'
import type { AuditEntry } from '../../port/audit.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
import { type AuditBounds, DEFAULT_AUDIT_BOUNDS, type Deed } from '../../sign.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'

/** Writes rows of the audit in the transaction of what they are about. */
export interface AuditWriter {
  note(deed: Deed, entry: AuditEntry): void
  /** Carries out a change of a record, and notes it when it was done. */
  change(deed: Deed, change: Change, carryOut: () => ChangeResult): ChangeResult
  /** Notes a write to users, accounts or tokens that was carried out. */
  account(deed: Deed, write: AccountWrite, carryOut: () => AccountWriteResult): AccountWriteResult
}

const DAY_MS = 86_400_000
/** Rows that one write removes at most, so that nobody waits for the removal of a year. */
const REMOVED_AT_ONCE = 1000
/** Between removals, in rows written. */
const ROWS_BETWEEN = 500

export function auditWriter(connection: Connection, bounds: AuditBounds = DEFAULT_AUDIT_BOUNDS): AuditWriter {
  const insert = connection.prepare(
    `INSERT INTO audit (at, action, via, user, account, address, request, kind, object, version, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const removeOld = connection.prepare(
    `DELETE FROM audit WHERE n IN
       (SELECT n FROM audit ORDER BY n LIMIT ${REMOVED_AT_ONCE})
       AND (at < ? OR n <= (SELECT max(n) FROM audit) - ?)`,
  )
  const isPublic = connection
    .prepare<[{ collection: string; id: string; account: string }], number>(
      `SELECT record.scope = ${PUBLIC_HOME} FROM collection JOIN record ON record.collection = collection.number
         AND record.scope IN (${PUBLIC_HOME}, (SELECT number FROM owner WHERE account = @account))
       WHERE collection.name = @collection AND record.id = @id AND record.owner = (SELECT number FROM owner WHERE account = @account)`,
    )
    .pluck()
  const findToken = connection.prepare<[string], EndedToken>('SELECT kind, name, user FROM token WHERE id = ?')
  // Removals go on at the first row that a process writes.
  let written = ROWS_BETWEEN

  function note(deed: Deed, { action, kind, object, version, details }: AuditEntry): void {
    const { at, via, user, account, address, request } = deed
    const more = details === undefined ? null : JSON.stringify(details)
    insert.run(at, action, via, user, account, address, request, kind, object, version ?? null, more)
    written += 1
    if (written < ROWS_BETWEEN) return
    const { changes } = removeOld.run(at - bounds.days * DAY_MS, bounds.rows)
    written = changes === REMOVED_AT_ONCE ? ROWS_BETWEEN : 0
  }

  return {
    note,
    change(deed, change, carryOut) {
      const { collection, id, accountId } = change
      const wasPublic = () => isPublic.get({ collection, id, account: accountId }) === 1
      return auditChange(change, { wasPublic, note: (entry) => note(deed, entry) }, carryOut)
    },
    account(deed, write, carryOut) {
      const token = write.action === 'revokeToken' ? findToken.get(write.tokenId) : undefined
      const result = carryOut()
      if (result !== 'done') return result
      const entry = entryOfWrite(write, token)
      if (entry !== null) note(deed, entry)
      return result
    },
  }
}
