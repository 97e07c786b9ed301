import { type AuditColumns, auditRowOf, type Sign } from '../changes/audit-entries.ts'
import type { Actor, AuditEntry, AuditQuery, AuditRow, AuditStore } from '../port/audit.ts'
import { PUBLIC_HOME, type Sql } from './base/database.ts'
import { insertAudit } from './write/audit-lines.ts'

export class PostgresAudit implements AuditStore {
  readonly #sql: Sql
  readonly #sign: Sign

  constructor(sql: Sql, sign: Sign) {
    this.#sql = sql
    this.#sign = sign
  }

  async note(entry: AuditEntry, by?: Actor): Promise<void> {
    const deed = this.#sign(by)
    await insertAudit(this.#sql, [{ home: deed.account ?? PUBLIC_HOME, deed, entry }])
  }

  async read({ userId, action, object, request, since, until, limit }: AuditQuery): Promise<readonly AuditRow[]> {
    const sql = this.#sql
    const conditions = [
      ...(userId === undefined ? [] : [sql`audit.app_user = ${userId}`]),
      ...(action === undefined ? [] : [sql`(audit.action = ${action} OR starts_with(audit.action, ${`${action}.`}))`]),
      ...(object === undefined ? [] : [sql`audit.object = ${object}`]),
      ...(request === undefined ? [] : [sql`audit.request = ${request}`]),
      ...(since === undefined ? [] : [sql`audit.at >= ${since}`]),
      ...(until === undefined ? [] : [sql`audit.at < ${until}`]),
    ]
    const where = conditions.reduce((all, condition) => sql`${all} AND ${condition}`, sql`true`)
    const rows = await sql<AuditColumns[]>`
      SELECT at, action, via, audit.app_user AS "userId", app_user.name AS "userName", audit.account AS "accountId",
        account.slug AS "accountSlug", address, request, kind, object, version, details
      FROM audit LEFT JOIN app_user ON app_user.id = audit.app_user LEFT JOIN account ON account.id = audit.account
      WHERE ${where} ORDER BY audit.n DESC LIMIT ${limit}`
    return rows.toReversed().map(auditRowOf)
  }
}
