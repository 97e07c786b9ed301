import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { MIGRATIONS, migrate } from '../../src/store/postgres/schema/migrate.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const reason = missingPostgres()
const ADA = accountScope('ada')

describe.skipIf(reason !== null)(`versions of Quarry${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  let database: TestDatabase
  let sql: Sql

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    database = await server.create({ isEmpty: true })
    sql = connect({ url: database.url, connections: 1, statementTimeoutMs: 0 })
  })
  afterEach(async () => {
    await sql.end()
    await database.drop()
  })

  const version = MIGRATIONS.length + 1
  const expanding = { version, name: 'expanding', leastReader: 1, script: 'ALTER TABLE record ADD COLUMN more text' }
  const taking = { version, name: 'taking', leastReader: version, script: 'ALTER TABLE record DROP COLUMN note' }

  it('go on beside one that adds to the schema, and begin anew beside it', async () => {
    const store = await openPostgresStore({ url: database.url })
    await migrate(sql, true, [...MIGRATIONS, expanding])
    await store.records.apply([insertion('c', 'a', { name: 'a' }, { accountId: 'ada' })])
    const again = await openPostgresStore({ url: database.url })
    expect(documentsOf(await again.records.find(planOf('c', {}, {}, ADA)))).toEqual([{ name: 'a' }])
    await Promise.all([store.close(), again.close()])
  })

  it('keep one waiting that takes away what they use, and are refused behind it', async () => {
    const store = await openPostgresStore({ url: database.url })
    await expect(migrate(sql, true, [...MIGRATIONS, taking])).rejects.toMatchObject({ code: 50028 })
    await store.close()
    await expect.poll(() => migrate(sql, true, [...MIGRATIONS, taking]).then(() => 'done', String)).toBe('done')
    await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({ code: 50010 })
  })

  it('refuse a database of before the first release, and say what to do', async () => {
    const store = await openPostgresStore({ url: database.url })
    await store.close()
    await sql`UPDATE migration SET name = 'layout'`
    await expect(openPostgresStore({ url: database.url })).rejects.toMatchObject({
      code: 50029,
      data: { hint: expect.stringContaining('quarry export') },
    })
  })
})
