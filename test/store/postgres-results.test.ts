import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Sql } from '../../src/store/postgres/base/database.ts'
import { startPostgres, type TestServer } from '../support/postgres.ts'

describe('a statement behind one that failed after its first rows', () => {
  let server: TestServer
  let sql: Sql
  beforeAll(async () => {
    server = await startPostgres()
    sql = connect({ url: server.url, connections: 1, statementTimeoutMs: 0 })
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
  })

  // Rows are sent when there are some kilobytes of them.
  const fail = () =>
    expect(sql`SELECT 1 / (3 - n), repeat('x', 10000) FROM generate_series(1, 10) n`).rejects.toThrow(
      'division by zero',
    )

  it('has its own rows, and no holes before them', async () => {
    await fail()
    const rows = await sql<{ n: number }[]>`SELECT n FROM generate_series(1, 3) n`
    expect([rows.length, rows.map(({ n }) => n)]).toEqual([3, [1, 2, 3]])
  })

  it('has them as they come, too', async () => {
    await fail()
    const rows = await sql`SELECT 'a'`.raw()
    expect([rows.length, String(rows[0]?.[0])]).toEqual([1, 'a'])
  })

  it('has them when it was sent before that one failed', async () => {
    const [, rows] = await Promise.all([fail(), sql<{ seven: number }[]>`SELECT 7 AS seven`])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toEqual({ seven: 7 })
  })

  it('has none where there are none', async () => {
    await fail()
    expect([...(await sql`SELECT 1 WHERE false`)]).toEqual([])
  })
})
