import Database from 'better-sqlite3'
import { equalityConditions } from '../../src/query/narrow/equality-conditions.ts'
import type { QueryPlan } from '../../src/query/plan/query-plan.ts'
import type { Change, Page } from '../../src/store/port/record-store.ts'
import { checkDatabase } from '../../src/store/sqlite/care/check/check-database.ts'
import { countRecords } from '../../src/store/sqlite/read/count-records.ts'
import type { Effort } from '../../src/store/sqlite/read/effort.ts'
import { readPage } from '../../src/store/sqlite/read/read-page.ts'
import { createReader, type Reader } from '../../src/store/sqlite/read/reader.ts'
import { buildList } from '../../src/store/sqlite/read/rows/build-list.ts'
import type { RowIndex } from '../../src/store/sqlite/read/rows/row-index.ts'
import type { ListJob } from '../../src/store/sqlite/read/rows/row-lists.ts'
import { migrate } from '../../src/store/sqlite/schema/migrate.ts'
import { batchRunner } from '../../src/store/sqlite/write/run-batch.ts'
import type { CompoundOrder, WriteJob, WriteResult } from '../../src/store/sqlite/write/write-job.ts'

/** The embedded store without its threads and its file, so that a test can choose how much effort a plan may take. */
export interface PlainSqlite {
  applyEach(changes: readonly Change[]): void
  find(plan: QueryPlan, effort: Effort): Page
  /** Finds a page by orders and selections in memory, where there can be any. */
  findByLists(plan: QueryPlan, effort: Effort): Page
  count(plan: QueryPlan, effort: Effort): number
  /** Orders the compound indexes that could serve a plan, without making them yet. */
  orderCompounds(plan: QueryPlan): void
  /** Makes what was ordered. */
  makeCompounds(): void
  check(): readonly string[]
  close(): void
}

/** Makes a database in memory. */
export function plainSqlite(): PlainSqlite {
  const connection = new Database(':memory:')
  migrate(connection, 0)
  const runBatch = batchRunner(connection)
  let known: Reader | null = null
  const reader = (): Reader => {
    known ??= createReader(connection)
    return known
  }
  const run = (job: WriteJob): WriteResult => {
    const [outcome] = runBatch([job])
    if (outcome === undefined || 'failure' in outcome) throw new Error(JSON.stringify(outcome))
    // A reader does not notice what its own connection writes.
    known = null
    return outcome.result
  }
  return {
    applyEach(changes) {
      run({ kind: 'applyEach', changes })
    },
    orderCompounds(plan) {
      for (const order of compoundOrders(plan)) run({ kind: 'compound', work: { action: 'order', order } })
    },
    makeCompounds() {
      while (run({ kind: 'compound', work: { action: 'work', milliseconds: 1000 } }) === 'more');
    },
    find: (plan, effort) => readPage(reader(), plan, effort).page,
    findByLists: (plan, effort) => readPage(withLists(reader()), plan, effort).page,
    count: (plan, effort) => countRecords(reader(), plan, effort),
    check: () => checkDatabase(connection, () => {}),
    close: () => connection.close(),
  }
}

/** The compound indexes that could serve a plan: over each of its conditions, and over none. */
export function compoundOrders({ collection, sort, narrowing }: QueryPlan): CompoundOrder[] {
  if (sort.length === 0) return []
  const paths = new Set(['', ...equalityConditions(narrowing).map(({ path }) => path)])
  return [...paths].map((path) => ({ collection, path, sort, day: 0, most: 100 }))
}

/** Makes every list at once, which a server does only when it pays. */
function withLists(reader: Reader): Reader {
  const find = (job: ListJob) => buildList(reader, job)?.list ?? null
  return { ...reader, lists: { find } as Pick<RowIndex, 'find'> }
}
