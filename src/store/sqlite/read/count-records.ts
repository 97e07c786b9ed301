import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { inSnapshot } from '../database.ts'
import { countMatches } from '../segments/find-records.ts'
import type { Effort } from './effort.ts'
import { countBacklog } from './read-backlog.ts'
import type { Reader } from './reader.ts'

/** Counts what a plan matches, against one state of the database. */
export function countRecords(reader: Reader, plan: QueryPlan, effort: Effort): number {
  return inSnapshot(reader.connection, () => {
    const shelves = reader.shelvesOf(plan)
    reader.columns.begin(effort)
    const tools = { texts: reader.texts, selections: reader.selections, effort, extra: [] }
    return countMatches(shelves, plan.filter, tools).count + countBacklog(reader, plan, { shelves, effort })
  })
}
