import type { Log } from '../kernel/log.ts'
import { describeShape } from '../query/ast/list-request.ts'
import type { QueryPlan } from '../query/plan.ts'
import { STORE_EVENTS } from './events.ts'
import type { ReadTerms, RunReport } from './port/record-store.ts'

/** Duration of a query, and report of its run; null where there is none. */
export interface SlowQuery {
  readonly task: 'page' | 'count' | 'survey'
  readonly milliseconds: number
  readonly report: Pick<RunReport, 'thread' | 'loaded' | 'byDocument'> | null
}

/** Tells the log of queries that took long. */
export type NoteSlowQuery = (plan: QueryPlan, terms: ReadTerms | undefined, query: SlowQuery) => void

/** Makes the teller; with 0 for the milliseconds it tells of none. */
export function slowQueryTeller(log: Log, slowMs: number): NoteSlowQuery {
  return (plan, terms, { task, milliseconds, report }) => {
    if (slowMs === 0 || milliseconds < slowMs) return
    log.tell(STORE_EVENTS.querySlow, {
      request: terms?.request ?? null,
      task,
      collection: plan.collection,
      milliseconds: Math.round(milliseconds),
      shape: describeShape(plan),
      outcome: report === null ? 'given up' : 'answered',
      columnsLoaded: report?.loaded ?? null,
      byDocument: report?.byDocument ?? null,
    })
  }
}
