import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QueryPlan } from '../../src/query/plan/query-plan.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { batchRunner, type RunBatch } from '../../src/store/sqlite/write/run-batch.ts'
import { compoundOrders } from './plain-sqlite.ts'

/** A store under test, over storage of its own. */
export interface OpenTarget {
  readonly store: Store
  /** Closes the store and opens the same storage again. */
  reopen(): Promise<Store>
  /** Makes the indexes over condition and order that could serve a plan, as the store would by itself in the course of time. */
  indexFor(plan: QueryPlan): void
  /** Closes the store and removes its storage. */
  dispose(): Promise<void>
}

/** A kind of store that the contract is tested against. */
export interface StoreTarget {
  readonly name: string
  open(): Promise<OpenTarget>
}

/** Every store that there is; `STORES=sqlite` names those to test. */
export const TARGETS: readonly StoreTarget[] = [{ name: 'sqlite', open: openSqlite }].filter(
  ({ name }) => process.env['STORES'] === undefined || process.env['STORES'].split(',').includes(name),
)

async function openSqlite(): Promise<OpenTarget> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-store-'))
  let store = await openSqliteStore({ dataDirectory })
  const indexing = connect(join(dataDirectory, DATABASE_FILE), 'write')
  const runBatch = batchRunner(indexing)
  return {
    store,
    indexFor: (plan) => makeCompounds(runBatch, plan),
    async reopen() {
      await store.close()
      store = await openSqliteStore({ dataDirectory })
      return store
    },
    async dispose() {
      await store.close()
      indexing.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

function makeCompounds(runBatch: RunBatch, plan: QueryPlan): void {
  const work = { action: 'work', milliseconds: 1000 } as const
  const orders = compoundOrders(plan).map((order) => ({ action: 'order', order }) as const)
  runBatch([...orders, work].map((each) => ({ kind: 'compound', work: each })))
}
