import { describeNarrowing } from '../../../query/narrow/describe-narrowing.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Page } from '../../port/record-store.ts'
import { type CompoundIndex, describeShape } from '../compound/compound-index.ts'
import { inSnapshot } from '../database.ts'
import { nextCursor, positionOf } from './after.ts'
import { chooseRecords } from './choose-records.ts'
import { targetOf } from './compile-target.ts'
import type { Effort } from './effort.ts'
import { writeDocuments } from './page-documents.ts'
import type { Reader } from './reader.ts'

/** A page, and the compound index that it was taken from. */
export interface ReadPage {
  readonly page: Page
  readonly compound: CompoundIndex | null
}

/** Runs a list plan against one state of the database. */
export function readPage(reader: Reader, plan: QueryPlan, effort: Effort): ReadPage {
  const started = performance.now()
  return inSnapshot(reader.connection, () => {
    const after = positionOf(reader, plan)
    const target = targetOf(reader, plan, effort)
    const narrowed = performance.now()
    const { source, rechecked, plan: name, compound } = chooseRecords(reader, plan, target, after, effort)
    const chosen = performance.now()
    const { documents, count, last } = writeDocuments(reader, plan, source, effort)
    const ended = performance.now()
    const report = {
      plan: name,
      indexed: target === null ? [] : describeNarrowing(plan.narrowing),
      order: compound === null ? null : describeShape(compound),
      candidates: target?.selection.size ?? 0,
      rechecked,
      thread: effort.thread,
      milliseconds: ended - started,
      stations: { narrow: narrowed - started, choose: chosen - narrowed, documents: ended - chosen },
    }
    return { page: { documents, count, next: nextCursor(reader, plan, count, last), report }, compound }
  })
}
