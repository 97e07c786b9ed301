import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { STORE_EVENTS } from '../../events.ts'
import type { AuditBounds } from '../../sign.ts'
import type { Sql } from '../base/database.ts'

const DAY_MS = 86_400_000
/** Interval between looks for lines that are too old, or too many. */
const EACH_MS = 600_000
/** Lines that one statement removes at most. */
const REMOVED_AT_ONCE = 1000

interface Terms {
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
  readonly #terms: Terms
  readonly #timer: NodeJS.Timeout
  #working: Promise<void>
  #isOver = false

  constructor(sql: Sql, terms: Terms) {
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
