import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { pauseAfter } from '../../src/store/postgres/base/back-off.ts'
import { connect, type Sql, type Transaction } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()

describe.skipIf(reason !== null)(`writes of several homes${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let store: Store
  let sql: Sql

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create()
    sql = connect({ url: database.url, connections: 4, statementTimeoutMs: 0 })
    store = await openPostgresStore({ url: database.url })
    for (const account of ['alice', 'bob']) await write(account, 'first')
  })
  afterEach(async () => {
    await store.close()
    await sql.end()
    await database.drop()
  })

  const write = (accountId: string, id: string) =>
    store.records.apply([insertion('c', `${accountId}-${id}`, { name: id }, { accountId })])
  const namesOf = async (account: string) =>
    documentsOf(await store.records.find(planOf('c', {}, { limit: 500 }, accountScope(account)))).map(
      ({ name }) => name,
    )
  const lock = (transaction: Transaction, home: string) =>
    transaction`SELECT 1 FROM home WHERE home = ${home} FOR UPDATE`
  const waitsForLock = (count: number) =>
    expect
      .poll(async () => (await sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`).length)
      .toBe(count)

  it('do not wait for each other: one that waits for its home holds up no other', async () => {
    let waiting: Promise<unknown> | undefined
    await sql.begin(async (holding) => {
      await lock(holding, 'alice')
      waiting = Promise.all([write('alice', 'second'), write('alice', 'third')])
      expect(await write('bob', 'second')).toMatchObject([{ outcome: 'done' }])
      expect(await write('bob', 'third')).toMatchObject([{ outcome: 'done' }])
      await waitsForLock(1)
    })
    await waiting
    expect(await namesOf('alice')).toEqual(['first', 'second', 'third'])
    expect(await namesOf('bob')).toEqual(['first', 'second', 'third'])
  })

  it('of one home keep their order, beside those that are of two', async () => {
    const copy = (id: string) =>
      store.records.apply([
        insertion('c', `alice-${id}`, { name: id }, { accountId: 'alice' }),
        insertion('c', `bob-${id}`, { name: id }, { accountId: 'bob' }),
      ])
    const ids = Array.from({ length: 60 }, (_, at) => `${at}`)
    const written: Promise<unknown>[] = []
    for (const [at, id] of ids.entries()) {
      written.push(at % 3 === 2 ? copy(id) : Promise.all([write('alice', id), write('bob', id)]))
      if (at % 7 === 0) await written[at - 3]
    }
    await Promise.all(written)
    expect(await namesOf('alice')).toEqual(['first', ...ids])
    expect(await namesOf('bob')).toEqual(['first', ...ids])
    expect(await store.check(() => {})).toEqual([])
  })

  it('take the locks of their homes in one order, whichever they name first', async () => {
    let waiting: Promise<unknown> | undefined
    await sql.begin(async (holding) => {
      await lock(holding, 'alice')
      waiting = store.records.apply(
        ['bob', 'alice'].map((accountId) => insertion('c', `${accountId}-both`, { name: 'both' }, { accountId })),
      )
      await waitsForLock(1)
      await sql.begin((other) => other`SELECT 1 FROM home WHERE home = 'bob' FOR UPDATE NOWAIT`)
    })
    expect(await waiting).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }])
  })

  it('of two homes in either order do not lock each other out', async () => {
    const both = (id: string, accounts: readonly string[]) =>
      store.records.apply(
        accounts.map((accountId) => insertion('c', `${accountId}-${id}`, { name: id }, { accountId })),
      )
    const other = await openPostgresStore({ url: database.url })
    const bothThere = (id: string, accounts: readonly string[]) =>
      other.records.apply(
        accounts.map((accountId) => insertion('c', `${accountId}-${id}`, { name: id }, { accountId })),
      )
    try {
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          at % 2 === 0 ? both(`${at}`, ['alice', 'bob']) : bothThere(`${at}`, ['bob', 'alice']),
        ),
      )
      expect(new Set(results.flat().map(({ outcome }) => outcome))).toEqual(new Set(['done']))
      const [deadlocks] = await sql<{ count: number }[]>`
        SELECT deadlocks::integer AS count FROM pg_stat_database WHERE datname = current_database()`
      expect(deadlocks?.count).toBe(0)
    } finally {
      await other.close()
    }
  })

  it('are tried again when they are what ends a deadlock', async () => {
    await sql.unsafe(`
      CREATE FUNCTION cross_over() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock(7);
          PERFORM 1 FROM home WHERE home = 'bob' FOR UPDATE;
          RETURN NEW;
        END $$;
      CREATE TRIGGER cross_over BEFORE INSERT ON record FOR EACH ROW WHEN (NEW.home = 'alice') EXECUTE FUNCTION cross_over()`)
    let waiting: Promise<unknown> | undefined
    let circle: Promise<unknown> | undefined
    await sql.begin(async (gate) => {
      await gate`SELECT pg_advisory_xact_lock(7)`
      waiting = write('alice', 'second')
      await waitsForLock(1)
      circle = sql.begin(async (holding) => {
        // It would wait for longer before it gave up.
        await holding`SET LOCAL deadlock_timeout = '30s'`
        await lock(holding, 'bob')
        await lock(holding, 'alice')
      })
      await waitsForLock(2)
    })
    expect(await waiting).toMatchObject([{ outcome: 'done' }])
    await circle
    expect(await namesOf('alice')).toEqual(['first', 'second'])
    const [ended] = await sql<{ count: number }[]>`
      SELECT deadlocks::integer AS count FROM pg_stat_database WHERE datname = current_database()`
    expect(ended?.count).toBe(1)
  })
})

describe('the pause before another try', () => {
  it('doubles up to its bound, and is half by chance', () => {
    const bounds = { from: 5, to: 500 }
    expect([1, 2, 3, 20].map((tries) => pauseAfter(tries, bounds, 1))).toEqual([5, 10, 20, 500])
    expect([1, 20].map((tries) => pauseAfter(tries, bounds, 0))).toEqual([2.5, 250])
  })
})
