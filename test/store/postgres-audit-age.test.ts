import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { insertion } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const DAY_MS = 86_400_000
const reason = missingPostgres()

describe.skipIf(reason !== null)(`the audit in PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let now: number
  const stores: Store[] = []

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create()
    now = Date.UTC(2026, 0, 15)
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    await database.drop()
  })

  async function open(audit?: { days: number; rows: number }): Promise<Store> {
    const store = await openPostgresStore({ url: database.url, clock: () => now, ...(audit && { audit }) })
    stores.push(store)
    return store
  }
  const write = (store: Store, count: number, accountId: string) =>
    store.records.applyEach(
      Array.from({ length: count }, (_, at) => insertion('c', `${accountId}${now}-${at}`, {}, { accountId })),
    )

  it('keeps lines for as many days as it is told to, whosever they are', async () => {
    const store = await open()
    await write(store, 1500, 'ada')
    await write(store, 700, 'bob')
    now += 20 * DAY_MS
    await write(store, 30, 'bob')
    now += 15 * DAY_MS
    const tended = await open({ days: 30, rows: 1_000_000 })
    await expect.poll(async () => (await tended.audit.read({ limit: 10_000 })).length).toBe(30)
  })

  it('has no more lines than it is told to, the newest', async () => {
    const store = await open()
    await write(store, 2500, 'ada')
    const tended = await open({ days: 30, rows: 1000 })
    await expect.poll(async () => (await tended.audit.read({ limit: 10_000 })).length).toBe(1000)
    const [first] = await tended.audit.read({ limit: 1000 })
    expect(first?.object).toBe(`ada${now}-1500`)
  })
})
