import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_STORAGE_LIMITS } from '../../src/store/port/record-store.ts'
import { DEFAULT_AUDIT_BOUNDS } from '../../src/store/sign.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { CurrentState } from '../../src/store/sqlite/read/current-state.ts'
import { openReaders } from '../../src/store/sqlite/read/open-readers.ts'
import { Tending } from '../../src/store/sqlite/tending.ts'
import { StorageHealth } from '../../src/store/sqlite/write/storage-health.ts'
import { WriteQueue } from '../../src/store/sqlite/write/write-queue.ts'
import { memoryOf } from '../../src/store/threads/reading-memory.ts'
import { logToLines } from '../support/log-lines.ts'
import { insertion } from '../support/plans.ts'

const SIZES = { tailRows: 1, mergedTogether: 8, takenOver: 8 }

let dataDirectory: string
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-tending-'))
})
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }))

describe('segments of many shelves', () => {
  it('are all merged in one quiet', async () => {
    const collections = ['a', 'b', 'c', 'd']
    const store = await openSqliteStore({ dataDirectory, segmentSizes: SIZES, tends: false })
    for (const collection of collections) {
      for (const id of ['x', 'y', 'z']) await store.records.applyEach([insertion(collection, id, {})])
    }
    await store.close()

    const file = join(dataDirectory, DATABASE_FILE)
    const { log, lines } = logToLines()
    const connection = connect(file, 'read')
    const state = new CurrentState(connection, () => 0)
    const health = new StorageHealth(file, 0, log)
    const options = { file, mostRevisions: 1, audit: DEFAULT_AUDIT_BOUNDS, limits: NO_STORAGE_LIMITS }
    const writes = new WriteQueue({ ...options, segmentSizes: SIZES }, false, health, log)
    const pool = openReaders({ file, memory: memoryOf(16).ofThread }, 1, log)
    // It is quiet once, and not again after a write: the clock stands still then.
    let now = 0
    const tending = new Tending({ connection, state, pool, writes, sizes: SIZES, log, now: () => now })
    writes.onSettled = (job) => tending.noteWrite(job)
    tending.begin()
    now = 60_000
    const segments = connection.prepare('SELECT count(*) FROM segment').pluck()
    await expect.poll(() => segments.get(), { timeout: 30_000 }).toBe(collections.length)
    tending.end()
    await writes.close()
    await pool.close()
    health.end()
    connection.close()
    expect(lines).toEqual([])
  })
})
