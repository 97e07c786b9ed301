import Database from 'better-sqlite3'
import type { Survey, SurveyFound } from '../../src/query/ast/survey.ts'
import type { QueryPlan, RequesterScope } from '../../src/query/plan.ts'
import type { FieldKnowledge } from '../../src/query/warnings/field-knowledge.ts'
import type { Change, Page } from '../../src/store/port/record-store.ts'
import type { Effort } from '../../src/store/segments/effort.ts'
import { type Asker, KnowledgeOfFields } from '../../src/store/segments/field-knowledge.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { checkDatabase } from '../../src/store/sqlite/care/check/check-database.ts'
import { countRecords, readPage, surveyRecords } from '../../src/store/sqlite/read/read-page.ts'
import { createReader } from '../../src/store/sqlite/read/reader.ts'
import { migrate } from '../../src/store/sqlite/schema/migrate.ts'
import { mergeFinder, mergeSegments } from '../../src/store/sqlite/segments/merge-segments.ts'
import { batchRunner } from '../../src/store/sqlite/write/run-batch.ts'
import type { WriteJob, WriteResults } from '../../src/store/sqlite/write/write-job.ts'
import { memoryOf } from '../../src/store/threads/store-options.ts'

/** The embedded store without its threads and its file, so that a test can choose when segments are made. */
export interface PlainSqlite {
  readonly connection: Database.Database
  applyEach(changes: readonly Change[]): void
  find(plan: QueryPlan, effort: Effort): Page
  count(plan: QueryPlan, effort: Effort): number
  survey(plan: QueryPlan, survey: Survey, effort: Effort): SurveyFound
  knowledge(asker: Asker & { readonly scope: RequesterScope }, effort: Effort): FieldKnowledge | null
  /** Merges segments until there is nothing to merge. */
  merge(options?: { readonly inQuiet: boolean }): void
  /** Reads the segments that should be merged next; what it gives back puts the merged one into their place, and says whether it could. */
  beginMerge(): () => boolean
  /** Takes all segments away. */
  beginAnew(): void
  /** Makes one of those that were taken away. */
  goOn(): void
  check(): readonly string[]
  close(): void
}

/** Makes a database in memory. Its reader goes on from what it knows after each write, as that of a server does. */
export function plainSqlite(segmentSizes: SegmentSizes): PlainSqlite {
  const connection = new Database(':memory:')
  migrate(connection, 0)
  const runBatch = batchRunner(connection, { segmentSizes })
  const reader = createReader(connection, {
    isPatient: true,
    memory: memoryOf({ memoryMb: 64 }).ofRequests,
    state: { held: null },
  })
  const knowledge = new KnowledgeOfFields(reader.columns)
  const nextMerge = mergeFinder(connection)
  const countSegments = connection.prepare<[], number>('SELECT count(*) FROM segment').pluck()
  const run = <Job extends WriteJob>(job: Job): WriteResults[Job['kind']] => {
    const [outcome] = runBatch([job])
    if (outcome === undefined || 'failure' in outcome) throw new Error(JSON.stringify(outcome))
    return outcome.result as WriteResults[Job['kind']]
  }
  return {
    connection,
    applyEach(changes) {
      run({ kind: 'applyEach', changes })
    },
    merge({ inQuiet } = { inQuiet: false }) {
      // A segment is made without its dead rows once, and then there is one less after each merge, but where a rest stays.
      let most = 2 * (countSegments.get() ?? 0) + 2
      for (let next = nextMerge(inQuiet, segmentSizes); next.length > 0; next = nextMerge(inQuiet, segmentSizes)) {
        const merged = mergeSegments(connection, next, segmentSizes)
        if (merged === null || !run({ kind: 'merge', merged })) throw new Error('a segment has gone')
        most -= 1
        if (most === 0) throw new Error('there is always more to merge')
      }
    },
    beginMerge() {
      const merged = mergeSegments(connection, nextMerge(false, segmentSizes), segmentSizes)
      if (merged === null) throw new Error('there is nothing to merge')
      return () => run({ kind: 'merge', merged })
    },
    beginAnew() {
      run({ kind: 'reindex' })
    },
    goOn() {
      run({ kind: 'backlog' })
    },
    find: (plan, effort) => readPage(reader, plan, effort),
    count: (plan, effort) => countRecords(reader, plan, effort),
    survey: (plan, survey, effort) => surveyRecords(reader, { plan, survey }, effort),
    knowledge: (asker, effort) => knowledge.of(reader.shelvesOf(asker, effort), { effort }),
    check: () => checkDatabase(connection, () => {}),
    close: () => connection.close(),
  }
}
