import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Shares, TURNS, Turns } from '../../src/kernel/turns.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-store.ts'
import { logToLines } from '../support/log-lines.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const MIB = 2 ** 20
const ALICE = accountScope('alice')
const AT_ONCE = { tailRows: 1, mergedTogether: 100, takenOver: 100 }
const ALL = planOf('c', {}, { sort: { name: 1 } }, ALICE)

describe.skipIf(reason !== null)(`what a question may take${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let sql: Sql
  let stores: Store[]

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create()
    stores = []
    sql = connect({ url: database.url, connections: 2, statementTimeoutMs: 0 })
  })
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await sql.end()
    await database.drop()
  })

  async function open(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
    const store = await openPostgresStore({ url: database.url, segmentSizes: AT_ONCE, ...options })
    stores.push(store)
    return store
  }

  const record = (name: number, more = {}) => insertion('c', `${name}`, { name, ...more }, { accountId: 'alice' })

  /** Statements of servers that the database is about. */
  const underWay = async () =>
    (
      await sql`
        SELECT query FROM pg_stat_activity
        WHERE starts_with(application_name, 'quarry') AND state = 'active' AND wait_event_type = 'Lock' AND datname = current_database()`
    ).length

  /** Does something while nothing can be read from the records. */
  async function whileLocked(run: () => Promise<void>): Promise<void> {
    await sql.begin(async (transaction) => {
      await transaction`LOCK TABLE record IN ACCESS EXCLUSIVE MODE`
      await run()
    })
  }

  it('what nobody waits for any more is cancelled', async () => {
    const store = await open()
    await store.records.apply([record(1)])
    // What is where is known then; the documents are not.
    await store.records.count(ALL)
    const leaving = new AbortController()
    const gone = new Error('gone')
    await whileLocked(async () => {
      const found = store.records.find(ALL, { user: 'u', signal: leaving.signal }).catch((error) => error)
      await expect.poll(underWay).toBe(1)
      leaving.abort(gone)
      expect(await found).toBe(gone)
      await expect.poll(underWay).toBe(0)
    })
    expect(documentsOf(await store.records.find(ALL))).toHaveLength(1)
  })

  it('what has waited for the database goes on when it is the turn of its user', async () => {
    const asked: string[] = []
    let begin = () => {}
    const gate = new Promise<void>((resolve) => {
      begin = resolve
    })
    class Gate extends Turns {
      override whenItMayGoOn(user: string): Promise<void> {
        asked.push(user)
        return gate
      }
    }
    const store = await open({ turns: new Gate(TURNS) })
    await store.records.apply([record(1)])
    let found: unknown = null
    const finding = store.records.find(ALL, { user: 'ada' }).then((page) => {
      found = page
    })
    await expect.poll(() => asked).toEqual(['ada'])
    expect((await store.records.read('c', ALICE, '1'))?.id).toBe('1')
    expect(found).toBeNull()
    begin()
    await finding
    expect(found).toMatchObject({ count: 1 })
  })

  it('what waits longer for the database than a query may last is told, and cancelled', async () => {
    const store = await open({ timeBudgetMs: 300 })
    await store.records.apply([record(1)])
    await whileLocked(async () => {
      await expect(store.records.find(ALL)).rejects.toMatchObject({ code: 50311, data: { retryAfterSeconds: 5 } })
      await expect.poll(underWay).toBe(0)
    })
  })

  it('what others have asked on the same connections is answered when somebody goes', async () => {
    const store = await open()
    await store.records.apply([record(1)])
    // What is where is known then; the documents are not.
    await store.records.count(ALL)
    const leaving = new AbortController()
    const others: Promise<unknown>[] = []
    await whileLocked(async () => {
      const found = store.records.find(ALL, { user: 'u', signal: leaving.signal }).catch(() => null)
      await expect.poll(underWay).toBe(1)
      for (let at = 0; at < 40; at += 1) others.push(store.records.read('c', ALICE, '1'))
      await expect.poll(underWay).toBeGreaterThan(1)
      leaving.abort()
      await found
    })
    for (const other of others) expect(await other).toMatchObject({ id: '1' })
  })

  it('what took long is told as answered, unless it was given up', async () => {
    const { log, lines } = logToLines()
    const store = await open({ log, slowQueryMs: 0.001, timeBudgetMs: 300 })
    await store.records.apply([record(1)])
    const survey = { kind: 'facets', facets: [], budgetMs: 300 } as const
    const terms = { user: 'u' }
    const ask = [
      () => store.records.find(ALL, terms),
      () => store.records.count(ALL, terms),
      () => store.records.survey(ALL, survey, terms),
    ]
    const told = () =>
      lines
        .splice(0)
        .filter(({ event }) => event === 'query.slow')
        .map(({ task, outcome }) => [task, outcome])
    for (const question of ask) await question()
    const tasks = ['page', 'count', 'survey']
    expect(told()).toEqual(tasks.map((task) => [task, 'answered']))
    await store.records.apply([record(2)])
    await whileLocked(async () => {
      for (const question of ask) await expect(question()).rejects.toMatchObject({ code: 50311 })
    })
    expect(told()).toEqual(tasks.map((task) => [task, 'given up']))
  })

  it('a page that is larger than its user may have is refused, and room is taken for one that is large', async () => {
    const bytes = new Shares({ perUser: 20 * MIB, inAll: 40 * MIB })
    const store = await open({ bytes, timeBudgetMs: 60_000 })
    for (let name = 0; name < 24; name += 1) await store.records.apply([record(name, { text: 'x'.repeat(MIB) })])
    const page = (limit: number) => store.records.find(planOf('c', {}, { limit }, ALICE), { user: 'u' })
    expect((await page(12)).count).toBe(12)
    await expect(page(24)).rejects.toMatchObject({ code: 42251, data: { path: 'projection.limit', limit: 20 * MIB } })
    expect(bytes.take('u', 10 * MIB)).toBeNull()
    await expect(page(12)).rejects.toMatchObject({ code: 42911 })
    expect((await page(2)).count).toBe(2)
    bytes.give('u', 10 * MIB)
    expect(bytes.take('u', 20 * MIB)).toBeNull()
  })

  it('a question whose records are written all the time reads one state in the end', async () => {
    const [store, other] = [await open(), await open()]
    await store.records.apply([record(1)])
    await store.records.find(ALL)
    let version = 1
    const write = async () => {
      const change = { collection: 'c', id: '1', accountId: 'alice', expectedVersion: version, isPublic: false }
      await other.records.apply([{ action: 'replace', ...change, text: JSON.stringify({ name: 1, version }) }])
      version += 1
    }
    let isWriting = true
    const writing = (async () => {
      while (isWriting) await write()
    })()
    for (let reads = 0; reads < 20; reads += 1) {
      const [document] = documentsOf(await store.records.find(ALL))
      expect(document).toMatchObject({ name: 1 })
    }
    isWriting = false
    await writing
    expect(documentsOf(await store.records.find(ALL))).toEqual([{ name: 1, version: version - 1 }])
  })
})
