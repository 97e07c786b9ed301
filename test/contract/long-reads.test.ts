import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { Shares } from '../../src/kernel/turns.ts'
import type { QueryPlan } from '../../src/query/plan.ts'
import { STORE_METRICS } from '../../src/store/metrics.ts'
import type { Store } from '../../src/store/port/store.ts'
import { insertion, planOf } from '../support/plans.ts'
import { newStorage, type Storage } from '../support/storage.ts'

let storage: Storage
let store: Store
beforeAll(async () => {
  storage = await newStorage()
  store = await storage.open({ readerThreads: 1, timeBudgetMs: 60_000 })
  const pad = 'x'.repeat(500)
  const documents = Array.from({ length: 1200 }, (_, n) =>
    insertion('read', `n${n}`, { name: `n${n}`, list: [n], pad }),
  )
  await store.records.applyEach(documents)
})
afterAll(async () => {
  await store.close()
  await storage.remove()
})

/** Looks at every document, which is too much for the request thread. */
const slowly = planOf('read', { $expr: { $gt: [{ $strLenCP: { $concat: ['$name', '$pad'] } }, 5] } })

/** Computes something for every document that has `length` parts; of an array, only documents tell. */
function lengthy(length: number): QueryPlan {
  const parts = { $filter: { input: { $range: [0, length] }, cond: { $gt: ['$$this', { $first: '$list' }] } } }
  return planOf('read', { $expr: { $lt: [{ $size: parts }, 0] } })
}
/** Takes seconds. */
const long = lengthy(10_000)
/** Takes longer than any of these tests. */
const endless = lengthy(100_000)

const SOON = { timeout: 30_000 }

/** How many reader threads of a store have something to read, and how much waits for one. */
function reading(of: Store): readonly unknown[] {
  const metrics = new Map(of.metrics())
  return [metrics.get(STORE_METRICS.readersBusy), metrics.get(STORE_METRICS.readersWaiting)]
}

describe('long reads', () => {
  it('take turns between users', async () => {
    const order: string[] = []
    const ask = (user: string) => store.records.count(slowly, { user }).then(() => order.push(user))
    const greedy = Array.from({ length: 12 }, () => ask('greedy'))
    const other = [ask('other'), ask('other')]
    await Promise.all([...greedy, ...other])
    expect(order.lastIndexOf('other')).toBeLessThan(7)
  })

  it('of one user do not take all places', async () => {
    const leaving = new AbortController()
    const first = store.records.count(endless, { user: 'greedy', signal: leaving.signal }).catch(() => 'gone')
    await expect.poll(() => reading(store), SOON).toEqual([1, 0])
    const refused: unknown[] = []
    const refuse = (error: AppError) => refused.push(error.code)
    const more = Array.from({ length: 80 }, () => store.records.count(slowly, { user: 'greedy' }).catch(refuse))
    await expect.poll(() => refused, SOON).toEqual(Array(17).fill(42910))
    expect(reading(store)).toEqual([1, 63])
    expect(await store.records.count(planOf('read', { name: 'n7' }), { user: 'other' })).toBe(1)
    leaving.abort()
    expect(await first).toBe('gone')
    const outcomes = await Promise.all(more)
    expect(outcomes.filter((outcome) => outcome === 1200)).toHaveLength(63)
    expect(await store.records.count(slowly, { user: 'greedy' })).toBe(1200)
  })

  it('that waited as long as they may last are not begun', async () => {
    const short = await storage.open({ readerThreads: 1, timeBudgetMs: 200 })
    try {
      // Each takes its 200 ms of a processor, and none waits for more than 1,200.
      const codes = await Promise.all(
        Array.from({ length: 12 }, (_, user) =>
          short.records.count(long, { user: `user ${user}` }).then(
            () => 'done',
            (error: unknown) => (error instanceof AppError ? error.code : error),
          ),
        ),
      )
      expect(codes).toContain(50302)
    } finally {
      await short.close()
    }
  })

  it('end when nobody waits for them any more, and those that wait are not begun', async () => {
    const [leaving, waiting] = [new AbortController(), new AbortController()]
    const gone = new Error('gone')
    const running = store.records.count(endless, { user: 'ada', signal: leaving.signal }).catch((error) => error)
    const queued = store.records.count(endless, { user: 'bob', signal: waiting.signal }).catch((error) => error)
    await expect.poll(() => reading(store), SOON).toEqual([1, 1])
    waiting.abort(gone)
    expect(await queued).toBe(gone)
    expect(reading(store)).toEqual([1, 0])
    leaving.abort(gone)
    expect(await running).toBe(gone)
    expect(await store.records.count(slowly, { user: 'bob' })).toBe(1200)
  })

  it('see what another process has written before they were asked', async () => {
    const other = await storage.open()
    try {
      for (let n = 1; n <= 5; n += 1) {
        const pad = 'y'.repeat(500)
        await other.records.apply([insertion('read', `more${n}`, { name: `more${n}`, pad })])
        expect(await store.records.count(slowly, { user: 'ada' })).toBe(1200 + n)
      }
    } finally {
      await other.close()
    }
  })

  it('leave the thread that asks for them free', async () => {
    const leaving = new AbortController()
    const found = store.records.find(endless, { user: 'ada', signal: leaving.signal }).catch(() => 'gone')
    await expect.poll(() => reading(store), SOON).toEqual([1, 0])
    const few = planOf('read', { name: 'n7' })
    for (let reads = 0; reads < 20; reads += 1) expect((await store.records.find(few, { user: 'bob' })).count).toBe(1)
    expect(reading(store)).toEqual([1, 0])
    leaving.abort()
    expect(await found).toBe('gone')
  })
})

describe('pages of large documents', () => {
  const MIB = 2 ** 20
  const bytes = new Shares({ perUser: 20 * MIB, inAll: 50 * MIB })
  let own: Store
  let large: Storage
  beforeAll(async () => {
    large = await newStorage()
    own = await large.open({ bytes })
    const text = 'å'.repeat(MIB / 2)
    await own.records.applyEach(
      Array.from({ length: 12 }, (_, n) => insertion('large', `n${n}`, { n, text, more: { n, text: `${text}${n}` } })),
    )
    await own.records.applyEach(Array.from({ length: 5 }, (_, n) => insertion('few', `n${n}`, { n, text })))
  })
  afterAll(async () => {
    await own.close()
    await large.remove()
  })

  it.each([
    ['as they are', {}],
    ['in an order', { sort: { n: -1 } }],
    ['projected from columns', { fields: { n: 1, text: 1 } }],
    ['projected with one left out', { fields: { more: 0 } }],
    ['projected document by document', { fields: { n: 1, 'more.text': 1 } }],
    ['without what is large', { fields: { n: 1, 'more.n': 1 } }],
  ])('have all of them in their order, %s', async (_how, projection) => {
    for (const limit of [3, 6]) {
      const plan = planOf('large', {}, { limit, ...projection })
      const page = await own.records.find(plan, { user: 'ada' })
      const lines: string[] = []
      for await (const chunk of own.records.stream(plan, { user: 'bob' }))
        lines.push(...String(chunk).trimEnd().split('\n'))
      expect(page.documents.toString()).toBe(`[${lines.slice(0, limit).join(',')}]`)
      expect([page.count, bytes.held]).toEqual([limit, 0])
      const next = { ...plan, after: page.next }
      const second = await own.records.find(next, { user: 'ada' })
      expect(second.documents.toString()).toBe(`[${lines.slice(limit, 2 * limit).join(',')}]`)
    }
  })

  it.each([
    ['as they are', {}],
    ['in part', { fields: { text: 1 } }],
  ])('are made off the request thread, %s', async (_how, projection) => {
    const { report, count } = await own.records.find(planOf('few', {}, projection))
    expect([report.thread, count]).toEqual(['reader', 5])
  })

  it('are refused where they are larger than what one user may have, with what would work', async () => {
    for (const projection of [{}, { fields: { text: 1, more: 1 } }, { fields: { 'more.text': 1, text: 1 } }]) {
      const found = own.records.find(planOf('large', {}, { limit: 24, ...projection }), { user: 'ada' })
      await expect(found).rejects.toMatchObject({ code: 42251, data: { path: 'projection.limit', limit: 20 * MIB } })
    }
    expect(bytes.held).toBe(0)
    const small = await own.records.find(planOf('large', {}, { limit: 24, fields: { n: 1 } }), { user: 'ada' })
    expect(small.count).toBe(12)
  })

  it('take room before they are made: of one user, and of all', async () => {
    const ask = (user: string) =>
      own.records.find(planOf('large', {}, { limit: 8 }), { user }).then(
        ({ count }) => count,
        (error: AppError) => error.code,
      )
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => ask('ada')))
    expect(new Set(outcomes)).toEqual(new Set([8, 42911]))
    bytes.add('others', 40 * MIB)
    expect(await ask('ada')).toBe(50307)
    bytes.give('others', 40 * MIB)
    expect([await ask('ada'), bytes.held]).toEqual([8, 0])
  })
})
