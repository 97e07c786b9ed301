import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_STORAGE_LIMITS } from '../../src/store/port/storage-limits.ts'
import { DEFAULT_AUDIT_BOUNDS } from '../../src/store/sqlite/audit-bounds.ts'
import { CompoundDemand } from '../../src/store/sqlite/compound/compound-demand.ts'
import { connect } from '../../src/store/sqlite/database.ts'
import { StorageHealth } from '../../src/store/sqlite/health/storage-health.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { createReader } from '../../src/store/sqlite/read/reader.ts'
import { RowIndex } from '../../src/store/sqlite/read/rows/row-index.ts'
import { WriteQueue } from '../../src/store/sqlite/write/write-queue.ts'
import { logToLines } from '../support/log-lines.ts'

let dataDirectory: string
let file: string
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-told-'))
  file = join(dataDirectory, DATABASE_FILE)
  await (await openSqliteStore({ dataDirectory })).close()
})
afterAll(() => rm(dataDirectory, { recursive: true, force: true }))

/** Lets what nobody waits for come to its end. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('work of the store that fails and that nobody waits for is told to the log', () => {
  test('the last use of a token', async () => {
    const { log, lines } = logToLines()
    const store = await openSqliteStore({ dataDirectory, readOnly: true, log })
    store.accounts.touchToken('token-1', 1)
    await settle()
    await store.close()
    expect(lines).toMatchObject([{ event: 'token.touch-failed', level: 'warn', tokenId: 'token-1', err: {} }])
  })

  test('work on compound indexes', async () => {
    const { log, lines } = logToLines()
    const plain = new Database(file)
    plain.exec(`INSERT INTO collection (name) VALUES ('materials');
      INSERT INTO compound (collection, path, sort, state, built_to, used_on) VALUES (1, '', '[]', 'building', 0, 0)`)
    plain.close()
    const connection = connect(file, 'read')
    const reader = createReader(connection)
    const health = new StorageHealth(file, 0, log)
    const writes = new WriteQueue(
      {
        file,
        mostRevisions: 1,
        audit: DEFAULT_AUDIT_BOUNDS,
        limits: NO_STORAGE_LIMITS,
        leastFreeBytes: 0,
        buildsCompounds: false,
      },
      true,
      health,
      log,
    )
    new CompoundDemand(reader, writes, 10, Date.now, log).begin()
    await settle()
    health.end()
    connection.close()
    expect(lines).toMatchObject([{ event: 'index.work-failed', level: 'warn', task: 'keep-at-most', err: {} }])
  })

  test('a list of row numbers', async () => {
    const { log, lines } = logToLines()
    const index = new RowIndex(1e6, () => Promise.reject(new Error('the reader stopped')), log)
    const job = { kind: 'order', collection: 1, scope: { kind: 'public' }, sort: [] } as unknown
    for (let miss = 0; miss < 3; miss++) index.find(job as Parameters<RowIndex['find']>[0] & { kind: 'order' }, 1)
    await settle()
    expect(lines).toMatchObject([{ event: 'row-list.failed', err: { message: 'the reader stopped' } }])
  })
})
