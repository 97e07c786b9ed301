import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { connect, disconnect } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const ALICE = accountScope('alice')
const MINE = { accountId: 'alice' }

describe.skipIf(reason !== null)(`round trips${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let store: Store
  let other: Store
  /** What the store sends. */
  let sent: string[]

  const open = (onStatement: (text: string) => void, tailRows = 1) =>
    openPostgresStore({
      url: database.url,
      onStatement,
      // What it would merge in between would be counted.
      tends: false,
      segmentSizes: { tailRows, mergedTogether: 100, takenOver: 100 },
    })

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create()
    sent = []
    store = await open((text) => sent.push(text))
    other = await open(() => {})
    const names = Array.from({ length: 5 }, (_, at) => insertion('c', `${at}`, { name: at }, MINE))
    await store.records.apply([...names, insertion('c', 'p', { name: 5 }, { ...MINE, isPublic: true })])
    sent = []
  })
  afterEach(async () => {
    await Promise.all([store.close(), other.close()])
    await database.drop()
  })

  /** What a request for a list asks the store, from its arrival on. */
  async function list(): Promise<readonly unknown[]> {
    const since = performance.now()
    await store.accounts.readAccountsVersion('alice')
    await store.records.readChangeCounter(ALICE, since)
    const page = await store.records.find(planOf('c', {}, { sort: { name: 1 } }, ALICE), { user: 'u', since })
    await store.records.askKnowledge('c', ALICE, (knowledge) => knowledge?.kindsAt('name'), since)
    return documentsOf(page).map(({ name }) => name)
  }

  it('a list is one question about versions where nothing has changed and its documents are in memory', async () => {
    await list()
    sent = []
    expect(await list()).toEqual([0, 1, 2, 3, 4, 5])
    expect(sent).toHaveLength(1)
  })

  it('a list after a change is one statement more, for what has changed', async () => {
    await other.close()
    other = await open(() => {}, 100)
    await list()
    await other.records.apply([insertion('c', 'new', { name: 6 }, MINE)])
    sent = []
    expect(await list()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(sent).toHaveLength(2)
  })

  it('several lists at a time share the question and the look at what has changed', async () => {
    await other.close()
    other = await open(() => {}, 100)
    await list()
    await other.records.apply([insertion('c', 'new', { name: 6 }, MINE)])
    sent = []
    await Promise.all([list(), list(), list(), list()])
    expect(sent).toHaveLength(2)
  })

  it('a record is one statement', async () => {
    expect(await store.records.read('c', ALICE, '3')).toMatchObject({ id: '3' })
    expect(sent).toHaveLength(1)
  })

  it('records that are wanted at a time are one statement, with the question about versions', async () => {
    await list()
    sent = []
    const [, ...found] = await Promise.all([
      store.accounts.readAccountsVersion('alice'),
      ...['3', 'p', 'none'].map((id) => store.records.read('c', ALICE, id)),
    ])
    expect(found.map((record) => record?.text)).toEqual(['{"name":3}', '{"name":5}', undefined])
    expect(sent).toHaveLength(1)
  })

  it('what is asked with a record that cannot be read is answered', async () => {
    const before = await store.accounts.readAccountsVersion('alice')
    const sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
    await sql.unsafe(`
      ALTER TABLE record RENAME TO stored;
      CREATE VIEW record AS
        SELECT home, collection, n, id, owner, version, CASE id WHEN '2' THEN (1 / (length(id) - 1))::text ELSE doc END AS doc FROM stored`)
    await disconnect(sql)
    const [version, broken, whole] = await Promise.allSettled([
      store.accounts.readAccountsVersion('alice'),
      store.records.read('c', ALICE, '2'),
      store.records.read('c', ALICE, '3'),
    ])
    expect(version).toMatchObject({ value: before })
    expect(broken.status).toBe('rejected')
    expect(whole).toMatchObject({ value: { id: '3' } })
  })

  it('what is asked since a moment is never older than that', async () => {
    await list()
    for (let at = 10; at < 30; at += 1) {
      const before = performance.now()
      const known = await store.records.readChangeCounter(ALICE, before)
      await other.records.apply([insertion('c', `${at}`, { name: at }, MINE)])
      expect(await store.records.readChangeCounter(ALICE, before)).toBe(known)
      expect(await store.records.readChangeCounter(ALICE, performance.now())).toBeGreaterThan(known)
      expect(await list()).toContain(at)
    }
  })

  it('what could not be asked is asked again, whenever those came who want to know', async () => {
    const since = performance.now()
    const known = await store.records.readChangeCounter(ALICE, since)
    await store.records.apply([insertion('c', 'own', { name: 7 }, MINE)])
    const sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
    try {
      await sql`ALTER TABLE home RENAME TO gone`
      await expect(store.records.readChangeCounter(ALICE, since)).rejects.toThrow()
      await sql`ALTER TABLE gone RENAME TO home`
    } finally {
      await disconnect(sql)
    }
    expect(await store.records.readChangeCounter(ALICE, since)).toBeGreaterThan(known)
  })

  it('what this process has written is seen, since whenever it is asked', async () => {
    const since = performance.now()
    const before = await store.records.readChangeCounter(ALICE, since)
    await store.records.apply([insertion('c', 'own', { name: 7 }, MINE)])
    expect(await store.records.readChangeCounter(ALICE, since)).toBeGreaterThan(before)
  })

  it('a record that is published while lists are read is in one place', async () => {
    await list()
    await Promise.all([
      (async () => {
        for (let version = 1; version < 20; version += 1) {
          const isPublic = version % 2 === 1
          const changed = { ...MINE, collection: 'c', id: '2', expectedVersion: version, isPublic }
          await other.records.apply([{ action: 'replace', ...changed, text: '{"name":2}' }])
        }
      })(),
      ...Array.from({ length: 4 }, async () => {
        for (let reads = 0; reads < 30; reads += 1) expect(await list()).toEqual([0, 1, 2, 3, 4, 5])
      }),
    ])
  })
})
