import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ANSWERS_KEPT_MS, MOST_ANSWERS } from '../../src/store/port/answers.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'

const NOW = 1_700_000_000_000
const reason = missingPostgres()

describe.skipIf(reason !== null)(`answers in PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
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
  })
  afterEach(async () => {
    await sql.end()
    await store.close()
    await database.drop()
  })

  const keep = (accountId: string, key: string, at = NOW) =>
    store.answers.keep({ accountId, key, asked: 'asked', answer: 'answer', record: null, at })
  /** The keys of the answers that lie in the database, whether or not they are found. */
  const kept = async (accountId: string) =>
    (await sql<{ key: string }[]>`SELECT key FROM answer WHERE home = ${accountId} ORDER BY place`).map(
      ({ key }) => key,
    )

  it('that are older than a day go with the next one of their account', async () => {
    await keep('ada', 'first')
    await keep('ada', 'second', NOW + 1)
    await keep('bob', 'of bob')
    await keep('ada', 'third', NOW + ANSWERS_KEPT_MS)
    expect([await kept('ada'), await kept('bob')]).toEqual([['second', 'third'], ['of bob']])
  })

  it('are so many of an account, the newest', async () => {
    for (const key of ['first', 'second', 'third']) await keep('ada', key)
    await sql`UPDATE answer SET place = place + ${MOST_ANSWERS - 4} WHERE key <> 'first'`
    await keep('ada', 'the last there may be')
    expect(await kept('ada')).toEqual(['first', 'second', 'third', 'the last there may be'])
    await keep('ada', 'one more')
    expect(await kept('ada')).toEqual(['second', 'third', 'the last there may be', 'one more'])
  })
})
