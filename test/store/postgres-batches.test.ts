import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Change } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const ALICE = accountScope('alice')

describe.skipIf(reason !== null)(`writes that share a commit${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
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
    store = await openPostgresStore({ url: database.url })
    sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
    await store.records.apply([insert('first')])
  })
  afterEach(async () => {
    await sql.end()
    await store.close()
    await database.drop()
  })

  const insert = (id: string) => insertion('c', id, { name: id }, { accountId: 'alice' })
  const replace = (id: string, expectedVersion: number, name: string): Change => ({
    action: 'replace',
    ...{ collection: 'c', id, accountId: 'alice', expectedVersion, isPublic: false },
    text: JSON.stringify({ name }),
  })
  const names = async () =>
    documentsOf(await store.records.find(planOf('c', {}, { limit: 50 }, ALICE))).map(({ name }) => name)
  const audited = async () =>
    (await sql<{ object: string }[]>`SELECT object FROM audit ORDER BY n`).map(({ object }) => object)
  /** How many commits there were. */
  const commits = async () =>
    (await sql<{ changes: number }[]>`SELECT changes FROM home WHERE home = 'alice'`)[0]?.changes ?? 0

  it('leave nothing of one that is made all or none and cannot be', async () => {
    const before = await commits()
    const [one, none, other] = await Promise.all([
      store.records.apply([insert('one')]),
      store.records.apply([insert('half'), replace('missing', 1, 'x')]),
      store.records.apply([insert('other')]),
    ])
    expect([one, other]).toMatchObject([[{ outcome: 'done' }], [{ outcome: 'done' }]])
    expect(none[1]).toMatchObject({ outcome: 'missing' })
    expect(await commits()).toBe(before + 1)
    expect(await names()).toEqual(['first', 'one', 'other'])
    expect(await audited()).toEqual(['first', 'one', 'other'])
    expect(await store.records.apply([insert('half')])).toMatchObject([{ outcome: 'done', version: 1 }])
    expect(await store.check(() => {})).toEqual([])
  })

  it('put back what one has changed several times before it could not go on', async () => {
    await Promise.all([
      store.records.apply([
        replace('first', 1, 'second'),
        replace('first', 2, 'third'),
        replace('first', 3, 'fourth'),
        replace('missing', 1, 'x'),
      ]),
      store.records.apply([insert('other')]),
    ])
    expect(await names()).toEqual(['first', 'other'])
    expect(await store.records.read('c', ALICE, 'first')).toMatchObject({ version: 1, text: '{"name":"first"}' })
    expect(await sql`SELECT version FROM revision`).toHaveLength(0)
    expect(await store.records.apply([replace('first', 1, 'changed')])).toMatchObject([{ outcome: 'done', version: 2 }])
  })

  it('are each by itself where the database refuses one of them', async () => {
    await sql.unsafe(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'not this one' USING ERRCODE = '22000'; END $$;
      CREATE TRIGGER fails BEFORE INSERT ON record FOR EACH ROW WHEN (NEW.id = 'failing') EXECUTE FUNCTION fail()`)
    const written = await Promise.allSettled(['one', 'failing', 'other'].map((id) => store.records.apply([insert(id)])))
    expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect([await names(), await audited()]).toEqual([
      ['first', 'one', 'other'],
      ['first', 'one', 'other'],
    ])
  })
})
