import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/query/plan.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const ALICE = accountScope('alice')
const BOB = accountScope('bob')
const OUT_OF_REACH = { code: 50306, data: { retryAfterSeconds: 1 } }

/** Who touches a row of a home that is out of reach fails as on a machine that is gone, whatever else the statement is about. */
const GUARD = `
  CREATE TABLE out_of_reach (gone text COLLATE "C" PRIMARY KEY);
  CREATE FUNCTION in_reach(home text) RETURNS boolean LANGUAGE plpgsql COST 100000 AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM out_of_reach WHERE gone = home) THEN
        RAISE EXCEPTION 'connection to the remote node failed' USING ERRCODE = '08006';
      END IF;
      RETURN true;
    END $$;
  CREATE ROLE quarry_app LOGIN;
  GRANT ALL ON ALL TABLES IN SCHEMA public TO quarry_app;
  GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO quarry_app;`

describe.skipIf(reason !== null)(`homes on several machines${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
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
    sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
    await sql.unsafe(GUARD)
    for (const { name } of await tablesOfHomes()) {
      await sql.unsafe(
        `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; CREATE POLICY reach ON ${name} USING (in_reach(home))`,
      )
    }
    store = await openPostgresStore({ url: database.url.replace('quarry@', 'quarry_app@'), areSpread: true })
    await store.records.apply([insertion('c', 'a', { name: 'a' }, { accountId: 'alice' })])
    await store.records.apply([insertion('c', 'b', { name: 'b' }, { accountId: 'bob' })])
    await store.records.apply([insertion('c', 'p', { name: 'p' }, { accountId: 'alice', isPublic: true })])
  })
  afterEach(async () => {
    await store.close()
    await sql.unsafe('DROP OWNED BY quarry_app; DROP ROLE quarry_app')
    await sql.end()
    await database.drop()
  })

  const tablesOfHomes = () => sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname = 'home'`
  const lose = (home: string) => sql`INSERT INTO out_of_reach VALUES (${home})`
  const find = async (scope: Scope) =>
    documentsOf(await store.records.find(planOf('c', {}, { limit: 10 }, scope))).map(({ name }) => name)

  it('have every key begin with the home', async () => {
    const keys = await sql<{ name: string; column: string }[]>`
      SELECT relname AS name, attname AS column FROM pg_index
      JOIN pg_class ON pg_class.oid = indrelid JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
      WHERE indisunique AND relname = ANY(${(await tablesOfHomes()).map(({ name }) => name)})`
    expect(keys.length).toBeGreaterThan(8)
    expect(keys.filter(({ column }) => column !== 'home')).toEqual([])
  })

  it('are as one', async () => {
    expect([await find(ALICE), await find(BOB), await find(PUBLIC)]).toEqual([['a', 'p'], ['b', 'p'], ['p']])
    expect((await find(OPERATOR)).sort()).toEqual(['a', 'b', 'p'])
  })

  it('are lost one by one: who asks for another in the same moment is answered', async () => {
    await lose('bob')
    const [alice, bob, everybody] = await Promise.allSettled([find(ALICE), find(BOB), find(PUBLIC)])
    expect(alice).toEqual({ status: 'fulfilled', value: ['a', 'p'] })
    expect(bob).toMatchObject({ status: 'rejected', reason: OUT_OF_REACH })
    expect(everybody).toEqual({ status: 'fulfilled', value: ['p'] })
    expect(await store.records.read('c', ALICE, 'a')).toMatchObject({ id: 'a' })
    await expect(store.records.read('c', BOB, 'b')).rejects.toMatchObject(OUT_OF_REACH)
  })

  it('are lost one by one for writers too', async () => {
    await lose('bob')
    const write = (id: string, accountId: string) =>
      store.records.apply([insertion('c', id, { name: id }, { accountId })])
    await expect(write('b2', 'bob')).rejects.toMatchObject({ code: 50303 })
    expect(await write('a2', 'alice')).toMatchObject([{ outcome: 'done' }])
    await sql`DELETE FROM out_of_reach`
    expect([await find(ALICE), await find(BOB)]).toEqual([
      ['a', 'p', 'a2'],
      ['b', 'p'],
    ])
  })

  it('do not have who may log in', async () => {
    await Promise.all(['alice', 'bob', 'public:0'].map(lose))
    expect([await store.accounts.listUsers(), await store.accounts.readAccountsVersion()]).toEqual([[], 0])
  })
})
