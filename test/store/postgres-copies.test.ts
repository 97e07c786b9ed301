import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect, disconnect, type Sql } from '../../src/store/postgres/base/database.ts'
import { Copies } from '../../src/store/postgres/read/copies.ts'
import { missingPostgres, startPostgres, type TestDatabase, type TestServer } from '../support/postgres.ts'
import { type PostgresProxy, startProxy } from '../support/postgres-proxy.ts'

const reason = missingPostgres()

describe.skipIf(reason !== null)(`what is read from a replica${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: TestServer
  /** Two databases in the place of one and its replica, so that each can be as far as it is to be. */
  let databases: readonly [TestDatabase, TestDatabase]
  let proxy: PostgresProxy
  let primary: Sql
  let replica: Sql
  let copies: Copies
  let time: number

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    databases = [await server.create(), await server.create()]
    proxy = await startProxy(databases[1].url)
    const of = { connections: 1, statementTimeoutMs: 0 }
    primary = connect({ ...of, url: databases[0].url })
    replica = connect({ ...of, url: proxy.url })
    time = 1000
    copies = new Copies(primary, replica, () => time)
    await replica`INSERT INTO home (home, number, changes, layout, records, bytes) VALUES ('alice', 1, 7, 0, 0, 0)`
  })
  afterEach(async () => {
    await disconnect(replica)
    await disconnect(primary)
    await proxy.close().catch(() => {})
    for (const { drop } of databases) await drop()
  })

  /** From where something is read that alice has at a version; the replica may not have it. */
  const readAt = (version: number, isThere = true) =>
    copies.read(
      async (sql) => {
        await sql`SELECT 1`
        if (sql === replica) return isThere ? 'replica' : null
        return 'primary'
      },
      new Map([['alice', version]]),
    )

  it('is what it has of all that is asked for', async () => {
    expect(await readAt(6)).toBe('replica')
    expect(await readAt(7)).toBe('replica')
    expect(await readAt(8)).toBe('primary')
    expect(await readAt(7, false)).toBe('primary')
  })

  it('is nothing for some time when it could not be reached, and something again after that', async () => {
    await proxy.close()
    expect(await readAt(7)).toBe('primary')
    await proxy.listen()
    time += 4999
    expect(await readAt(7)).toBe('primary')
    time += 1
    expect(await readAt(7)).toBe('replica')
  })
})
