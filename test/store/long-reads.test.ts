import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { newDataDirectory } from '../support/cli.ts'
import { insertion, planOf } from '../support/plans.ts'

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
    // What the request thread has read last is let go of at the end of its turn.
    await new Promise((resolve) => setTimeout(resolve, 20))
    const other = connect(join(directory.data, DATABASE_FILE), 'write')
    try {
      expect(other.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
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
