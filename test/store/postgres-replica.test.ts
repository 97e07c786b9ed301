import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/port/store.ts'
import { connect, disconnect, type Sql } from '../../src/store/postgres/base/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import { missingPostgres, serverAt, type TestDatabase, type TestServer } from '../support/postgres.ts'
import {
  giveToServer,
  type PostgresProcess,
  programs,
  runAsServer,
  startPostgresIn,
} from '../support/postgres-process.ts'

const reason = process.env['QUARRY_TEST_DATABASE_URL'] === undefined ? missingPostgres() : null
const ADA = accountScope('ada')
/** Nothing stays in a tail, whose texts come with it. */
const AT_ONCE = { tailRows: 1, mergedTogether: 4, takenOver: 16 }
const SETTINGS = ['fsync=off', 'jit=off', 'wal_level=replica', 'hot_standby=on', 'max_standby_streaming_delay=100']

describe.skipIf(reason !== null)(`a replica of PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let primary: PostgresProcess
  let replica: PostgresProcess
  let server: TestServer
  let database: TestDatabase
  let behind: Sql
  let store: Store
  let replicaUrl: string

  beforeAll(async () => {
    const folder = () => mkdtempSync(join(tmpdir(), 'quarry-pg-'))
    primary = await startPostgresIn(folder(), { settings: SETTINGS, isKept: false })
    const copy = giveToServer(folder())
    const host = decodeURIComponent(new URL(primary.url).hostname)
    const from = ['-D', join(copy, 'data'), '-h', host, '-U', 'quarry', '-R', '-X', 'stream', '--no-sync']
    execFileSync(join(programs() ?? '', 'pg_basebackup'), from, { ...runAsServer(), cwd: copy, stdio: 'pipe' })
    replica = await startPostgresIn(copy, { settings: SETTINGS, isKept: false })
    server = await serverAt(primary.url, async () => {})
  })
  afterAll(async () => {
    await server.stop()
    await replica.stop()
    await primary.stop()
  })
  beforeEach(async () => {
    database = await server.create()
    replicaUrl = replica.url.replace(/[^/]+$/, new URL(database.url).pathname.slice(1))
    await expect.poll(() => isThere(replicaUrl)).toBe(true)
    behind = connect({ url: replicaUrl, connections: 1, statementTimeoutMs: 0 })
    store = await openPostgresStore({ url: database.url, replicaUrl, segmentSizes: AT_ONCE })
    await write('a')
  })
  afterEach(async () => {
    await store.close()
    await behind`SELECT pg_wal_replay_resume()`
    await disconnect(behind)
    await database.drop()
  })

  const write = (name: string) => store.records.apply([insertion('c', name, { name }, { accountId: 'ada' })])
  const change = (name: string) =>
    store.records.apply([
      {
        action: 'replace',
        collection: 'c',
        id: 'a',
        accountId: 'ada',
        expectedVersion: 1,
        isPublic: false,
        text: JSON.stringify({ name }),
      },
    ])
  /** What one finds who remembers nothing, so that all of it is read. */
  const names = async (url = replicaUrl) => {
    const other = await openPostgresStore({ url: database.url, replicaUrl: url })
    const found = documentsOf(await other.records.find(planOf('c', { name: { $gt: '' } }, { limit: 50 }, ADA)))
    await other.close()
    return found.map(({ name }) => name)
  }
  /** How often records were looked up on the replica. */
  const looked = async () => {
    const [row] = await behind<{ scans: number }[]>`
      SELECT coalesce(sum(idx_scan), 0)::bigint AS scans FROM pg_stat_user_tables WHERE relname IN ('record', 'chunk')`
    return row?.scans ?? 0
  }
  async function isThere(url: string): Promise<boolean> {
    const sql = connect({ url, connections: 1, statementTimeoutMs: 0 })
    try {
      return (await sql`SELECT 1 FROM number_key`).length > 0
    } catch {
      return false
    } finally {
      await disconnect(sql)
    }
  }

  it('is read from', async () => {
    const before = await looked()
    await expect
      .poll(async () => {
        expect(await names()).toEqual(['a'])
        return looked()
      })
      .toBeGreaterThan(before)
  })

  it('that lags makes no answer older', async () => {
    expect(await names()).toEqual(['a'])
    await behind`SELECT pg_wal_replay_pause()`
    await change('changed')
    expect(await names()).toEqual(['changed'])
    await write('b')
    expect(await names()).toEqual(['changed', 'b'])
    await behind`SELECT pg_wal_replay_resume()`
    expect(await names()).toEqual(['changed', 'b'])
  })

  it('that is gone is not missed', async () => {
    expect(await names(replicaUrl.replace(/quarry-pg-\w+/, 'nowhere'))).toEqual(['a'])
  })

  it('is refused where it is another database', async () => {
    const { url, drop } = await server.create({ isEmpty: true })
    await (await openPostgresStore({ url })).close()
    await expect(openPostgresStore({ url: database.url, replicaUrl: url })).rejects.toMatchObject({
      code: 50012,
      message: expect.stringContaining('no replica'),
    })
    await drop()
  })
})
