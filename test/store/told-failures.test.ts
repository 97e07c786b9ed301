import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_STORAGE_LIMITS } from '../../src/store/port/storage-limits.ts'
import { DEFAULT_AUDIT_BOUNDS } from '../../src/store/sqlite/audit-bounds.ts'
import { connect } from '../../src/store/sqlite/database.ts'
import { StorageHealth } from '../../src/store/sqlite/health/storage-health.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { CurrentState } from '../../src/store/sqlite/read/current-state.ts'
import { memoryOf } from '../../src/store/sqlite/read/memory.ts'
import { ReaderPool } from '../../src/store/sqlite/read/reader-pool.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../src/store/sqlite/segments/segment-sizes.ts'
import { Tending } from '../../src/store/sqlite/segments/tending.ts'
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

  test('the merging of segments', async () => {
    const { log, lines } = logToLines()
    const connection = connect(file, 'read')
    const state = new CurrentState(connection, () => 0)
    const health = new StorageHealth(file, 0, log)
    const sizes = DEFAULT_SEGMENT_SIZES
    const writer = {
      file,
      mostRevisions: 1,
      audit: DEFAULT_AUDIT_BOUNDS,
      limits: NO_STORAGE_LIMITS,
      segmentSizes: sizes,
    }
    const writes = new WriteQueue(writer, true, health, log)
    const pool = new ReaderPool({ file, memory: memoryOf(16).ofThread }, 1, log)
    const tending = new Tending({ connection, state, pool, writes, sizes, log })
    connection.close()
    tending.begin()
    await expect.poll(() => lines).toMatchObject([{ event: 'store.tending-failed', level: 'warn', err: {} }])
    tending.end()
    health.end()
    await pool.close()
  })
})
