import type { AuditEntry } from '../../port/audit.ts'
import type { Deed } from '../../sign.ts'
import type { Statements } from '../base/database.ts'

/** A line of the audit, and the home that it is kept in. */
export interface AuditLine {
  readonly home: string
  readonly deed: Deed
  readonly entry: AuditEntry
}

/** Writes lines of the audit, in the transaction of what they are about. */
export async function insertAudit(sql: Statements, lines: readonly AuditLine[]): Promise<void> {
  if (lines.length === 0) return
  const of = <T>(value: (line: AuditLine) => T): T[] => lines.map(value)
  await sql`
    INSERT INTO audit (home, n, at, action, via, app_user, account, address, request, kind, object, version, details)
    SELECT line.home, nextval('audit_number'), line.at, line.action, line.via, line.app_user, line.account, line.address, line.request,
      line.kind, line.object, line.version, line.details
    FROM unnest(
      ${of(({ home }) => home)}::text[], ${of(({ deed }) => deed.at)}::bigint[], ${of(({ entry }) => entry.action)}::text[],
      ${of(({ deed }) => deed.via)}::text[], ${of(({ deed }) => deed.user)}::text[], ${of(({ deed }) => deed.account)}::text[],
      ${of(({ deed }) => deed.address)}::text[], ${of(({ deed }) => deed.request)}::text[], ${of(({ entry }) => entry.kind)}::text[],
      ${of(({ entry }) => entry.object)}::text[], ${of(({ entry }) => entry.version ?? null)}::integer[],
      ${of(({ entry }) => (entry.details === undefined ? null : JSON.stringify(entry.details)))}::text[]
    ) WITH ORDINALITY AS line (home, at, action, via, app_user, account, address, request, kind, object, version, details, place)
    ORDER BY line.place`
}
