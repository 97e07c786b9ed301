import { type AuditColumns, auditRowOf, type Sign } from '../changes/audit-entries.ts'
import type { Actor, AuditEntry, AuditQuery, AuditRow, AuditStore } from '../port/audit.ts'
import { assertOpen, type Connection } from './base/database.ts'
import type { CurrentState } from './read/current-state.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** Keeps the audit in the SQLite file. */
export class SqliteAudit implements AuditStore {
  readonly #connection: Connection
  readonly #state: CurrentState
  readonly #writes: WriteQueue
  readonly #sign: Sign

  constructor(connection: Connection, state: CurrentState, writes: WriteQueue, sign: Sign) {
    this.#connection = connection
    this.#state = state
    this.#writes = writes
    this.#sign = sign
  }

  async note(entry: AuditEntry, by?: Actor): Promise<void> {
    await this.#writes.submit({ kind: 'audit', entry, deed: this.#sign(by) })
  }

  async read({ userId, action, object, request, since, until, limit }: AuditQuery): Promise<readonly AuditRow[]> {
    assertOpen(this.#connection)
    this.#state.hold()
    const conditions: readonly (readonly [condition: string, value: string | number | undefined])[] = [
      ['audit.user = ?', userId],
      ["(audit.action = ? OR audit.action GLOB ? || '.*')", action],
      ['audit.object = ?', object],
      ['audit.request = ?', request],
      ['audit.at >= ?', since],
      ['audit.at < ?', until],
    ]
    const given = conditions.filter(([, value]) => value !== undefined)
    const where = given.length === 0 ? '' : `WHERE ${given.map(([condition]) => condition).join(' AND ')}`
    const values = given.flatMap(([condition, value]) => Array(condition.split('?').length - 1).fill(value))
    const rows = this.#connection
      .prepare<unknown[], AuditColumns>(
        `SELECT at, action, via, audit.user AS userId, user.name AS userName, audit.account AS accountId,
           account.slug AS accountSlug, address, request, kind, object, version, details
         FROM audit LEFT JOIN user ON user.id = audit.user LEFT JOIN account ON account.id = audit.account
         ${where} ORDER BY n DESC LIMIT ?`,
      )
      .all(...values, limit)
    return rows.reverse().map(auditRowOf)
  }
}
