import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { sql } from '../../../query/sql/sql-fragment.ts'
import { inSnapshot } from '../database.ts'
import { targetOf } from './compile-target.ts'
import type { Effort } from './effort.ts'
import { inNaturalOrder } from './filter-first.ts'
import { Matcher } from './matcher.ts'
import type { Reader } from './reader.ts'

/** Counts what a plan matches, against one state of the database. */
export function countRecords(reader: Reader, plan: QueryPlan, effort: Effort): number {
  return inSnapshot(reader.connection, () => {
    const target = targetOf(reader, plan, effort)
    if (target === null) return 0
    const { selection } = target
    if (selection.broad) effort.spendBroad()
    if (selection.exact) {
      return reader.statements.value(sql`SELECT count(DISTINCT n) FROM (${selection.rows})`) as number
    }
    const matcher = new Matcher(reader, plan, effort)
    let count = 0
    for (const n of reader.statements.column(inNaturalOrder(selection)) as number[]) {
      if (matcher.acceptsRecord(n, false)) count += 1
    }
    return count
  })
}
