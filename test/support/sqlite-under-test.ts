import { isOf } from '../../src/kernel/errors.ts'
import type { DistinctFound } from '../../src/query/ast/survey.ts'
import { STORE_ERRORS } from '../../src/store/errors.ts'
import { ENDLESS_EFFORT } from '../../src/store/segments/effort.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { type PlainSqlite, plainSqlite } from './plain-sqlite.ts'
import type { StoreUnderTest, Way } from './store-under-test.ts'

/** A few records in all the places that many would be in. */
const STATES: readonly {
  readonly name: string
  readonly sizes: SegmentSizes
  rest(store: PlainSqlite): void
}[] = [
  { name: 'all in the tail', sizes: { tailRows: 1e9, mergedTogether: 8, takenOver: 1 }, rest() {} },
  {
    name: 'all in segments',
    sizes: { tailRows: 1, mergedTogether: 1e9, takenOver: 1 },
    rest() {},
  },
  {
    name: 'in segments that are merged, and the tail',
    sizes: { tailRows: 3, mergedTogether: 2, takenOver: 1 },
    rest: (store) => store.merge(),
  },
  {
    name: 'in segments of all sizes',
    sizes: { tailRows: 1, mergedTogether: 2, takenOver: 1 },
    rest: (store) => store.merge(),
  },
  {
    name: 'in segments with few columns, which are merged',
    sizes: { tailRows: 2, mergedTogether: 2, takenOver: 1, columns: { most: 9, ofRecord: 4 } },
    rest: (store) => store.merge(),
  },
  {
    name: 'partly in none while they are made anew',
    sizes: { tailRows: 2, mergedTogether: 1e9, takenOver: 2 },
    rest(store) {
      store.beginAnew()
      store.goOn()
    },
  },
]

/** Changes that are written together: few, so that there are several segments. */
const CHANGES_OF_A_COMMIT = 3

/** The embedded store, once in every state. */
export function sqliteUnderTest(): StoreUnderTest {
  const stores = STATES.map(({ name, sizes, rest }) => ({ name, rest, store: plainSqlite(sizes) }))
  return {
    ways: stores.map(({ name, store }): Way => {
      return {
        name,
        find: (plan) => store.find(plan, ENDLESS_EFFORT),
        count: (plan) => store.count(plan, ENDLESS_EFFORT),
        distinct: (plan, survey) => unlessUpgrading(() => store.survey(plan, survey, ENDLESS_EFFORT) as DistinctFound),
        ask(collection, scope, find) {
          const known = store.knowledge({ collection, scope }, ENDLESS_EFFORT)
          return known === null ? null : find(known)
        },
      }
    }),
    applyEach(changes) {
      for (const { store } of stores) {
        for (let at = 0; at < changes.length; at += CHANGES_OF_A_COMMIT) {
          store.applyEach(changes.slice(at, at + CHANGES_OF_A_COMMIT))
        }
      }
    },
    rest() {
      for (const { store, rest } of stores) rest(store)
    },
    check: () => stores.flatMap(({ name, store }) => store.check().map((finding) => `${name}: ${finding}`)),
    close() {
      for (const { store } of stores) store.close()
    },
  }
}

/** Surveys are refused while segments are made anew. */
function unlessUpgrading<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch (error) {
    if (isOf(STORE_ERRORS.upgrading, error)) return null
    throw error
  }
}
