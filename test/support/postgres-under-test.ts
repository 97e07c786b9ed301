import { connect, disconnect, PUBLIC_HOME } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { mergeShelf } from '../../src/store/postgres/write/merge.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { startPostgres, type TestServer } from './postgres.ts'
import type { StoreUnderTest, Way } from './store-under-test.ts'

/** A few records in all the places that many would be in. */
const STATES: readonly { readonly name: string; readonly sizes: SegmentSizes; readonly merges: boolean }[] = [
  { name: 'all in the tail', sizes: { tailRows: 1e9, mergedTogether: 8, takenOver: 1 }, merges: false },
  { name: 'all in segments', sizes: { tailRows: 1, mergedTogether: 1e9, takenOver: 1 }, merges: false },
  {
    name: 'in segments that are merged, and the tail',
    sizes: { tailRows: 3, mergedTogether: 2, takenOver: 1 },
    merges: true,
  },
]
const HOMES = ['alice', 'bob', PUBLIC_HOME]
/** Changes that are written together: few, so that there are several segments. */
const CHANGES_OF_A_COMMIT = 3

/** One for all stores of this process. */
let server: Promise<TestServer> | null = null

/** A store in PostgreSQL, once in every state. */
export async function postgresUnderTest(): Promise<StoreUnderTest> {
  server ??= startPostgres()
  const shared = await server
  const states = await Promise.all(
    STATES.map(async (state) => {
      const database = await shared.create()
      const options = { url: database.url, segmentSizes: state.sizes, tends: false }
      const sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
      return { ...state, database, sql, store: await openPostgresStore(options), written: new Set<string>() }
    }),
  )
  return {
    ways: states.map(({ name, store }): Way => {
      // One after the other: what an operator asks goes to the threads, where there is room for a few.
      let last: Promise<unknown> = Promise.resolve()
      const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
        const answer = last.then(ask)
        last = answer.catch(() => {})
        return answer
      }
      return {
        name,
        find: (plan) => store.records.find(plan),
        count: (plan) => store.records.count(plan),
        distinct: (plan, survey) => inTurn(() => store.records.survey(plan, survey)),
        ask: (collection, scope, find) =>
          store.records.askKnowledge(collection, scope, (known) => (known === null ? null : find(known))),
      }
    }),
    async applyEach(changes) {
      const write = async ({ store, written }: (typeof states)[number]) => {
        for (const { collection } of changes) written.add(collection)
        for (let at = 0; at < changes.length; at += CHANGES_OF_A_COMMIT) {
          await store.records.applyEach(changes.slice(at, at + CHANGES_OF_A_COMMIT))
        }
      }
      await Promise.all(states.map(write))
    },
    async rest() {
      const merge = async ({ merges, sql, sizes, written }: (typeof states)[number]) => {
        if (!merges) return
        const shelves = [...written].flatMap((collection) => HOMES.map((home) => ({ home, collection })))
        for (const shelf of shelves) await mergeShelf(sql, shelf, sizes, true)
        written.clear()
      }
      await Promise.all(states.map(merge))
    },
    async check() {
      const found = await Promise.all(
        states.map(async ({ name, store }) => (await store.check(() => {})).map((finding) => `${name}: ${finding}`)),
      )
      return found.flat()
    },
    async close() {
      for (const { store, sql, database } of states) {
        await store.close()
        await disconnect(sql)
        await database.drop()
      }
    },
  }
}

/** Ends the server, where this process has started one. */
export async function endServer(): Promise<void> {
  await (await server)?.stop()
  server = null
}
