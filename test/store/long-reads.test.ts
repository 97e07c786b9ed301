import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
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

it('a check has a thread of its own, beside long reads', async () => {
  // Looks at every document, which is too much for the request thread.
  const slowly = planOf('read', { $expr: { $gt: [{ $strLenCP: { $concat: ['$name', '$pad'] } }, 5] } })
  const checked = store.check(() => {})
  expect(await store.records.count(slowly)).toBe(3000)
  expect(await checked).toEqual([])
})
