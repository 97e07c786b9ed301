import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { AuditBounds } from '../../changes/audit-entries.ts'
import { STORE_EVENTS } from '../../events.ts'
import type { AuditEntry, Deed } from '../../port/audit.ts'
import type { Sql, Statements } from '../base/database.ts'

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

const DAY_MS = 86_400_000
/** Interval between looks for lines that are too old, or too many. */
const EACH_MS = 600_000
/** Lines that one statement removes at most. */
const REMOVED_AT_ONCE = 1000

interface AuditTerms {
  readonly bounds: AuditBounds
  readonly clock: Clock
  readonly log: Log
}

interface Line {
  readonly home: string
  readonly n: number
}

/** Keeps the audit as short as it is to be, from the first look at the opening on. What several processes remove at once is gone once. */
export class AuditAge {
  readonly #sql: Sql
  readonly #terms: AuditTerms
  readonly #timer: NodeJS.Timeout
  #working: Promise<void>
  #isOver = false

  constructor(sql: Sql, terms: AuditTerms) {
    this.#sql = sql
    this.#terms = terms
    this.#working = this.#look()
    this.#timer = setInterval(() => {
      this.#working = this.#working.then(() => this.#look())
    }, EACH_MS).unref()
  }

  async close(): Promise<void> {
    this.#isOver = true
    clearInterval(this.#timer)
    await this.#working
  }

  async #look(): Promise<void> {
    try {
      while (!this.#isOver && (await this.#removeSome()) === REMOVED_AT_ONCE);
    } catch (error) {
      if (!this.#isOver) this.#terms.log.tell(STORE_EVENTS.tendingFailed, {}, error)
    }
  }

  /** Removes the oldest lines as far as they are too old or too many; tells how many. Numbers grow by one a line, but for those that were lost. */
  async #removeSome(): Promise<number> {
    const { bounds, clock } = this.#terms
    const lines = await this.#sql<Line[]>`
      SELECT home, n FROM (SELECT home, n, at FROM audit ORDER BY n LIMIT ${REMOVED_AT_ONCE}) AS oldest
      WHERE at < ${clock() - bounds.days * DAY_MS} OR n <= (SELECT last_value FROM audit_number) - ${bounds.rows}`
    for (const home of new Set(lines.map((line) => line.home))) {
      const numbers = lines.filter((line) => line.home === home).map(({ n }) => n)
      await this
        .#sql`DELETE FROM audit USING unnest(${numbers}::bigint[]) old (n) WHERE home = ${home} AND audit.n = old.n`
    }
    return lines.length
  }
}
