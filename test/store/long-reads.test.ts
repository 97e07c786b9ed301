import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { Shares } from '../../src/kernel/shares.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { newDataDirectory } from '../support/cli.ts'
import { insertion, OPERATOR, planOf } from '../support/plans.ts'

const directory = newDataDirectory()
let store: Store
beforeAll(async () => {
  store = await openSqliteStore({ dataDirectory: directory.data, readerThreads: 1, timeBudgetMs: 60_000 })
  const pad = 'x'.repeat(500)
  const documents = Array.from({ length: 3000 }, (_, n) => insertion('read', `n${n}`, { name: `n${n}`, n, pad }))
  await store.records.applyEach(documents)
})
afterAll(async () => {
  await store.close()
  directory.remove()
})

/** Looks at every document, which is too much for the request thread. */
const slowly = planOf('read', { $expr: { $gt: [{ $strLenCP: { $concat: ['$name', '$pad'] } }, 5] } })

describe('an export that nobody reads on', () => {
  it.each([
    ['in natural order', planOf('read')],
    ['in an order', planOf('read', {}, { sort: { n: -1 } })],
  ])('does not keep the log from being shortened: %s', async (_order, plan) => {
    const stream = store.records.stream(plan)[Symbol.asyncIterator]()
    const first = await stream.next()
    expect(first.done).toBe(false)
    await store.records.applyEach([insertion('other', `${_order}`, { name: 'x'.repeat(100_000) })])
    const other = connect(join(directory.data, DATABASE_FILE), 'write')
    try {
      // What the request thread has read last is let go of at the end of its turn.
      const shorten = () => other.pragma('wal_checkpoint(TRUNCATE)')
      await expect.poll(shorten).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
    } finally {
      other.close()
    }
    let lines = 0
    for (let next = first; !next.done; next = await stream.next()) lines += String(next.value).split('\n').length - 1
    expect(lines).toBe(3000)
  })
})

describe('long reads', () => {
  it('take turns between users', async () => {
    const order: string[] = []
    const ask = (user: string) => store.records.count(slowly, { user }).then(() => order.push(user))
    const greedy = Array.from({ length: 20 }, () => ask('greedy'))
    const other = [ask('other'), ask('other')]
    await Promise.all([...greedy, ...other])
    expect(order.lastIndexOf('other')).toBeLessThan(7)
  })

  it('of one user do not take all places', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 80 }, () =>
        store.records.count(slowly, { user: 'greedy' }).catch((error: unknown) => (error as AppError).code),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 3000)).toHaveLength(64)
    expect(outcomes.filter((outcome) => outcome === 42910)).toHaveLength(16)
    expect(await store.records.count(slowly, { user: 'greedy' })).toBe(3000)
  })

  it('that waited as long as they may run are not begun', async () => {
    const short = await openSqliteStore({ dataDirectory: directory.data, readerThreads: 1, timeBudgetMs: 60 })
    try {
      const codes = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          short.records.count(slowly, { user: `u${n}` }).then(
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

  it('to be checked have a thread of their own', async () => {
    const checked = store.check(() => {})
    expect(await store.records.count(slowly)).toBe(3000)
    expect(await checked).toEqual([])
  })
})

describe('pages of large documents', () => {
  const MIB = 2 ** 20
  const bytes = new Shares({ perUser: 20 * MIB, inAll: 50 * MIB })
  let own: Store
  const large = newDataDirectory()
  beforeAll(async () => {
    own = await openSqliteStore({ dataDirectory: large.data, bytes })
    const text = 'å'.repeat(MIB / 2)
    await own.records.applyEach(
      Array.from({ length: 24 }, (_, n) => insertion('large', `n${n}`, { n, text, more: { n, text: `${text}${n}` } })),
    )
    await own.records.applyEach(Array.from({ length: 5 }, (_, n) => insertion('few', `n${n}`, { n, text })))
  })
  afterAll(async () => {
    await own.close()
    large.remove()
  })

  it.each([
    ['as they are', {}],
    ['in an order', { sort: { n: -1 } }],
    ['projected inside SQLite', { fields: { n: 1, text: 1 } }],
    ['projected with one left out', { fields: { more: 0 } }],
    ['projected document by document', { fields: { n: 1, 'more.text': 1 } }],
    ['without what is large', { fields: { n: 1, 'more.n': 1 } }],
  ])('have all of them in their order, %s', async (_how, projection) => {
    for (const limit of [3, 9]) {
      const plan = planOf('large', {}, { limit, ...projection })
      const page = await own.records.find(plan, { user: 'ada' })
      const lines: string[] = []
      for await (const chunk of own.records.stream(plan, { user: 'bob' }))
        lines.push(...String(chunk).trimEnd().split('\n'))
      expect(page.documents.toString()).toBe(`[${lines.slice(0, limit).join(',')}]`)
      expect([page.count, bytes.held]).toEqual([limit, 0])
      const next = { ...planOf('large', {}, { limit, ...projection }, OPERATOR), after: page.next }
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
    expect(small.count).toBe(24)
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
