import type { AccountWrite, AccountWriteResult } from '../../accounts/account-write.ts'
import {
  type AuditBounds,
  auditChange,
  DEFAULT_AUDIT_BOUNDS,
  type EndedToken,
  entryOfWrite,
} from '../../changes/audit-entries.ts'
import { ANSWERS_KEPT_MS, MOST_ANSWER_BYTES, MOST_ANSWERS, type Once } from '../../port/answers.ts'
import type { AuditEntry, Deed } from '../../port/audit.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
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

/** Keeps answers to requests that are carried out once, in the transaction of what they have written. */
export interface AnswerWriter {
  /** Whether an answer is kept under the key of a request. */
  has(once: Once): boolean
  /** Keeps one, and lets the oldest of its account go. */
  put(once: Once, serial: string | null): void
  /** Lets those go that show records which are deleted for good. */
  forgetErased(changes: readonly Change[], results: readonly ChangeResult[]): void
}

export function answerWriter(connection: Connection): AnswerWriter {
  const find = connection
    .prepare<[string, string, number], number>('SELECT 1 FROM answer WHERE account = ? AND key = ? AND at > ?')
    .pluck()
  const last = connection.prepare<[string], { place: number; total: number }>(
    'SELECT place, total FROM answer WHERE account = ? ORDER BY place DESC LIMIT 1',
  )
  const insert = connection.prepare(
    `INSERT INTO answer (account, key, place, total, at, asked, answer, serial, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account, key) DO UPDATE SET place = excluded.place, total = excluded.total, at = excluded.at,
       asked = excluded.asked, answer = excluded.answer, serial = excluded.serial, record = excluded.record`,
  )
  // Deletes what comes before the first to stay: totals and places grow.
  const trim = connection.prepare(
    `DELETE FROM answer WHERE account = @account AND place < (
       SELECT place FROM answer WHERE account = @account AND place > @place - ${MOST_ANSWERS}
         AND (total > @total - ${MOST_ANSWER_BYTES} OR place = @place) AND at > @at - ${ANSWERS_KEPT_MS} ORDER BY place LIMIT 1)`,
  )
  const forget = connection.prepare('DELETE FROM answer WHERE account = ? AND record = ?')
  return {
    has: ({ accountId, key, at }) => find.get(accountId, key, at - ANSWERS_KEPT_MS) !== undefined,
    put({ accountId: account, key, at, asked, answer, record }, serial) {
      const before = last.get(account) ?? { place: 0, total: 0 }
      const place = before.place + 1
      const total = before.total + Buffer.byteLength(answer)
      insert.run(account, key, place, total, at, asked, answer, serial, record)
      trim.run({ account, place, total, at })
    },
    forgetErased(changes, results) {
      for (const [index, { action, accountId, id }] of changes.entries()) {
        if (action !== 'erase' && action !== 'purge') continue
        if (results[index]?.outcome === 'done') forget.run(accountId, id)
      }
    },
  }
}
