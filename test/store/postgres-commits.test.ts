import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'
import { type Break, type PostgresProxy, startProxy } from '../support/postgres-proxy.ts'

const reason = missingPostgres()

describe.skipIf(reason !== null)(`a write to PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let proxy: PostgresProxy
  let store: Store
  let sql: Sql

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create()
    sql = connect({ url: database.url, connections: 2, statementTimeoutMs: 0 })
    proxy = await startProxy(database.url)
    store = await openPostgresStore({ url: proxy.url })
  })
  afterEach(async () => {
    await store.close()
    await proxy.close()
    await sql.end()
    await database.drop()
  })

  const ALICE = accountScope('alice')
  const insert = (id: string) => insertion('c', id, { name: id }, { accountId: 'alice' })
  const apply = (id: string) => store.records.apply([insert(id)])
  const names = async () =>
    documentsOf(await store.records.find(planOf('c', {}, { limit: 500 }, ALICE))).map(({ name }) => name)
  const audited = async () =>
    (await sql<{ object: string }[]>`SELECT object FROM audit ORDER BY n`).map((row) => row.object)

  it.each<Break[][]>([[['before']], [['after']], [['before', 'before', 'after']]])(
    'is carried out once when its connection is lost %j the commit',
    async (breaks) => {
      await apply('first')
      proxy.breakCommits(...breaks)
      expect(await apply('second')).toMatchObject([{ outcome: 'done', version: 1 }])
      expect(proxy.broken).toBe(breaks.length)
      expect(await names()).toEqual(['first', 'second'])
      expect(await audited()).toEqual(['first', 'second'])
      expect(await store.check(() => {})).toEqual([])
    },
  )

  it.each<Break>(['before', 'after'])(
    'is carried out once beside others when it breaks %s their commit',
    async (how) => {
      proxy.breakCommits(how)
      const ids = Array.from({ length: 20 }, (_, at) => `${at}`)
      const results = await Promise.all(ids.map(apply))
      expect(results.flat().map(({ outcome }) => outcome)).toEqual(ids.map(() => 'done'))
      expect([...(await names())].sort()).toEqual([...ids].sort())
      expect(await audited()).toHaveLength(20)
    },
  )

  it('of a home that it makes is carried out once too', async () => {
    proxy.breakCommits('after')
    const bob = { ...insert('x'), accountId: 'bob' }
    expect(await store.records.apply([bob])).toMatchObject([{ outcome: 'done' }])
    expect(await audited()).toEqual(['x'])
  })

  it('whose commit fails is asked about, and told as it is', async () => {
    await sql.unsafe(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'a worker was lost' USING ERRCODE = 'XX000'; END $$;
      CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON record DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.id = 'failing') EXECUTE FUNCTION fail()`)
    await expect(apply('failing')).rejects.toMatchObject({ code: 50303 })
    await apply('x')
    expect([await names(), await audited()]).toEqual([['x'], ['x']])
  })

  it('takes out what processes have noted that are gone, and leaves what others note', async () => {
    await apply('first')
    await sql`
      INSERT INTO writer (home, id, commits, at) VALUES
        ('alice', 'gone', 1, now() - interval '25 hours'), ('alice', 'slow', 1, now() - interval '23 hours'), ('bob', 'gone', 1, now() - interval '25 hours')`
    await apply('second')
    const noted = await sql<{ home: string; id: string; commits: number }[]>`
      SELECT home, id, commits FROM writer ORDER BY home, commits DESC`
    expect(noted).toMatchObject([
      { home: 'alice', commits: expect.any(Number) },
      { home: 'alice', id: 'slow' },
      { home: 'bob', id: 'gone' },
    ])
    expect(noted[0]?.commits).toBeGreaterThan(1)
  })

  it('is not told to be lost when nobody can say so', async () => {
    proxy.breakCommits('after, for good')
    await expect(apply('x')).rejects.toMatchObject({ code: 50310 })
    await proxy.listen()
    expect(await names()).toEqual(['x'])
  })

  it('goes on when its backend is ended while it waits', async () => {
    await apply('first')
    let written: ReturnType<typeof apply> | undefined
    await sql.begin(async (holding) => {
      await holding`SELECT 1 FROM home WHERE home = 'alice' FOR UPDATE`
      written = apply('second')
      const end = async () =>
        (
          await sql`
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE starts_with(application_name, 'quarry schema') AND wait_event_type = 'Lock' AND datname = current_database()`
        ).length
      await expect.poll(end).toBe(1)
    })
    expect(await written).toMatchObject([{ outcome: 'done' }])
    expect([await names(), await audited()]).toEqual([
      ['first', 'second'],
      ['first', 'second'],
    ])
  })
})
