import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { mergeShelf } from '../../src/store/postgres/write/merge.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const ALICE = accountScope('alice')
const SHELF = { home: 'alice', collection: 'c' }
/** Every write makes a segment, and nothing is merged by itself. */
const AT_ONCE: SegmentSizes = { tailRows: 1, mergedTogether: 2, takenOver: 16 }

describe.skipIf(reason !== null)(`segments in PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let sql: Sql
  let stores: Store[]
  let writer: Store
  /** Another process, which remembers what it has read. */
  let reader: Store

  const open = async (segmentSizes = AT_ONCE) => {
    const store = await openPostgresStore({ url: database.url, segmentSizes, tends: false })
    stores.push(store)
    return store
  }

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    stores = []
    database = await server.create()
    sql = connect({ url: database.url, connections: 3, statementTimeoutMs: 0 })
    writer = await open()
    reader = await open()
  })
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await sql.end()
    await database.drop()
  })

  const insert = (at: number) => insertion('c', `${at}`, { name: at, odd: at % 2 }, { accountId: 'alice' })
  const replace = (at: number, name: number): Change => ({
    action: 'replace',
    ...{ collection: 'c', id: `${at}`, accountId: 'alice', expectedVersion: 1, isPublic: false },
    text: JSON.stringify({ name, odd: at % 2 }),
  })
  const remove = (at: number): Change => ({
    action: 'remove',
    ...{ collection: 'c', id: `${at}`, accountId: 'alice', expectedVersion: 1 },
  })
  const names = async (store = reader, query = {}) =>
    documentsOf(await store.records.find(planOf('c', query, { limit: 50, sort: { name: 1 } }, ALICE))).map(
      ({ name }) => name,
    )
  const countOf = async (table: 'segment' | 'tail') =>
    (await sql<{ count: number }[]>`SELECT count(*) FROM ${sql(table)} WHERE home = 'alice'`)[0]?.count

  it.each([0, 3])('have each record once when the one at an end of them is replaced, or removed: %d', async (at) => {
    await writer.records.apply([0, 1, 2, 3].map(insert))
    const others = [0, 1, 2, 3].filter((other) => other !== at)
    await writer.records.apply([replace(at, 9)])
    expect([await countOf('segment'), await countOf('tail')]).toEqual([2, 0])
    expect(await names()).toEqual([...others, 9])
    expect(await reader.records.count(planOf('c', {}, {}, ALICE))).toBe(4)
    const middle = others[1] as number
    await writer.records.apply([remove(middle)])
    expect(await names()).toEqual([...others.filter((other) => other !== middle), 9])
    expect(await writer.check(() => {})).toEqual([])
  })

  it('are not merged where a column would have more bytes than one may have', async () => {
    await writer.records.apply([0, 1, 2, 3].map(insert))
    await writer.records.apply([4, 5].map(insert))
    await mergeShelf(sql, SHELF, { ...AT_ONCE, mergedColumn: 40 }, true)
    expect(await countOf('segment')).toBe(2)
    await mergeShelf(sql, SHELF, AT_ONCE, true)
    expect(await countOf('segment')).toBe(1)
    expect(await names()).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('are seen by other processes as soon as they are made of a tail', async () => {
    const roomy = await open({ ...AT_ONCE, tailRows: 3 })
    for (const at of [0, 1]) await roomy.records.apply([insert(at)])
    expect([await names(), await countOf('tail')]).toEqual([[0, 1], 2])
    await roomy.records.apply([insert(2)])
    expect([await names(), await countOf('tail'), await countOf('segment')]).toEqual([[0, 1, 2], 0, 1])
  })

  it('are seen by other processes when they are inserted as such', async () => {
    const large = await open({ ...AT_ONCE, tailRows: 100, insertedTogether: 4 })
    await large.records.apply([insert(0)])
    expect(await names()).toEqual([0])
    await large.records.applyEach([1, 2, 3, 4].map(insert))
    expect([await countOf('segment'), await countOf('tail')]).toEqual([1, 1])
    expect(await names()).toEqual([0, 1, 2, 3, 4])
  })

  it('that were merged are read in the place of those that have gone', async () => {
    for (const at of [0, 1, 2, 3]) await writer.records.apply([insert(at)])
    // In natural order it is known where they are, and no column is read yet.
    expect(documentsOf(await reader.records.find(planOf('c', {}, { limit: 50 }, ALICE)))).toHaveLength(4)
    await mergeShelf(sql, SHELF, AT_ONCE, true)
    expect(await countOf('segment')).toBe(1)
    expect(await names(reader, { odd: 1 })).toEqual([1, 3])
    expect(await names()).toEqual([0, 1, 2, 3])
  })

  it('that two processes merge at a time are merged once', async () => {
    for (const at of [0, 1, 2, 3]) await writer.records.apply([insert(at)])
    const others = ['one', 'other'].map(() => connect({ url: database.url, connections: 1, statementTimeoutMs: 0 }))
    try {
      let merging: Promise<unknown> | undefined
      await sql.begin(async (holding) => {
        await holding`SELECT 1 FROM home WHERE home = 'alice' FOR UPDATE`
        merging = Promise.all(others.map((other) => mergeShelf(other, SHELF, AT_ONCE, true)))
        const waiting = async () =>
          (await sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)
            .length
        await expect.poll(waiting, { timeout: 20_000 }).toBe(2)
      })
      await merging
    } finally {
      await Promise.all(others.map((other) => other.end()))
    }
    expect(await countOf('segment')).toBe(1)
    expect(await names()).toEqual([0, 1, 2, 3])
    expect(await reader.records.count(planOf('c', { odd: 1 }, {}, ALICE))).toBe(2)
    expect(await writer.check(() => {})).toEqual([])
  })
})
