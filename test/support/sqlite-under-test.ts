import type { PlanName } from '../../src/query/plan/query-plan.ts'
import { type Effort, ENDLESS_EFFORT, TooLongHere } from '../../src/store/sqlite/read/effort.ts'
import { type PlainSqlite, plainSqlite } from './plain-sqlite.ts'
import type { StoreUnderTest, Way } from './store-under-test.ts'

/** Efforts that bring a few documents to every plan that many documents would have. */
const EFFORTS: readonly (readonly [string, Effort])[] = [
  ['everything is fetched', ENDLESS_EFFORT],
  ['all selections are broad', { ...ENDLESS_EFFORT, probeLimit: 1 }],
  ['some selections are broad', { ...ENDLESS_EFFORT, probeLimit: 3 }],
  ['a walk may take three steps', { ...ENDLESS_EFFORT, probeLimit: 2, steps: 3, spendBroad: giveUp }],
]

const FORCED: readonly (PlanName | undefined)[] = [undefined, 'filter-first', 'sort-first', 'scan', 'compound']

/** The embedded store, with every plan that it could choose. */
export function sqliteUnderTest(): StoreUnderTest {
  const store = plainSqlite()
  return {
    ways: EFFORTS.flatMap(([name, effort]) => waysWith(store, name, effort)),
    applyEach: (changes) => store.applyEach(changes),
    prepareFor: (plan) => store.orderCompounds(plan),
    settle: () => store.makeCompounds(),
    check: () => store.check(),
    close: () => store.close(),
  }
}

function waysWith(store: PlainSqlite, effortName: string, effort: Effort): Way[] {
  return FORCED.flatMap((force) => {
    const name = `${effortName}, ${force ?? 'not forced'}`
    const forced = <Plan extends object>(plan: Plan) => (force === undefined ? plan : { ...plan, force })
    const count: Way['count'] = (plan) => (force === undefined ? unlessTooLong(() => store.count(plan, effort)) : null)
    return [
      { name, count, find: (plan) => unlessTooLong(() => store.find(forced(plan), effort)) },
      {
        name: `${name}, by lists`,
        count: () => null,
        find: (plan) => unlessTooLong(() => store.findByLists(forced(plan), effort)),
      },
    ]
  })
}

function giveUp(): void {
  throw new TooLongHere()
}

function unlessTooLong<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof TooLongHere) return null
    throw error
  }
}
