import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_AUDIT_BOUNDS } from '../../src/store/changes/audit-entries.ts'
import { NO_STORAGE_LIMITS } from '../../src/store/port/record-store.ts'
import type { SegmentSizes } from '../../src/store/segments/segment-sizes.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { CurrentState } from '../../src/store/sqlite/read/current-state.ts'
import { openReaders } from '../../src/store/sqlite/read/read-job.ts'
import { tendingStepFinder } from '../../src/store/sqlite/segments/merge-segments.ts'
import { Tending } from '../../src/store/sqlite/tending.ts'
import { StorageHealth } from '../../src/store/sqlite/write/storage-health.ts'
import { WriteQueue } from '../../src/store/sqlite/write/write-queue.ts'
import { memoryOf } from '../../src/store/threads/store-options.ts'
import { logToLines } from '../support/log-lines.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'

const SIZES = { tailRows: 1, mergedTogether: 8, takenOver: 8 }

let dataDirectory: string
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-tending-'))
})
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }))

/** A store whose tending has a clock of its own. */
function tendedStore(sizes: SegmentSizes) {
  const file = join(dataDirectory, DATABASE_FILE)
  const { log, lines } = logToLines()
  const connection = connect(file, 'read')
  const state = new CurrentState(connection, () => 0)
  const health = new StorageHealth(file, 0, log)
  const options = { file, mostRevisions: 1, audit: DEFAULT_AUDIT_BOUNDS, limits: NO_STORAGE_LIMITS, patienceMs: 1000 }
  const writes = new WriteQueue({ ...options, segmentSizes: sizes }, false, health, log)
  const pool = openReaders({ file, memory: memoryOf({ memoryMb: 16 }).ofReader }, 1, log)
  // It is quiet once, and not again after a write: the clock stands still then.
  let now = 0
  const tending = new Tending({ connection, state, pool, writes, sizes, log, now: () => now })
  writes.onSettled = (job) => tending.noteWrite(job)
  return {
    lines,
    count: (table: 'segment' | 'tail') => connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    beginInQuiet() {
      tending.begin()
      now = 60_000
    },
    async close() {
      tending.end()
      await writes.close()
      await pool.close()
      health.end()
      connection.close()
    },
  }
}

async function fill(collections: readonly string[], ids: readonly string[], segmentSizes: SegmentSizes): Promise<void> {
  const store = await openSqliteStore({ dataDirectory, segmentSizes, tends: false })
  for (const collection of collections) {
    for (const id of ids) await store.records.applyEach([insertion(collection, id, {})])
  }
  await store.close()
}

describe('tails', () => {
  it('become segments in a quiet time alone', async () => {
    const ids = Array.from({ length: 70 }, (_, at) => `r${at}`)
    await fill(['a'], ids, { tailRows: 500, mergedTogether: 8, takenOver: 1000 })
    const connection = connect(join(dataDirectory, DATABASE_FILE), 'read')
    const find = tendingStepFinder(connection)
    const sizes = { tailRows: 500, mergedTogether: 8, takenOver: 1000 }
    expect(find(false, sizes)).toBeNull()
    expect(find(true, sizes)).toMatchObject({ seal: [{ collection: 1 }] })
    connection.close()
  })
})

describe('segments of many shelves', () => {
  it('are all merged in one quiet', async () => {
    const collections = ['a', 'b', 'c', 'd']
    await fill(collections, ['x', 'y', 'z'], SIZES)
    const tended = tendedStore(SIZES)
    tended.beginInQuiet()
    await expect.poll(() => tended.count('segment'), { timeout: 30_000 }).toBe(collections.length)
    await tended.close()
    expect(tended.lines).toEqual([])
  }, 60_000)

  it('are made of their tails, of which nothing is left that an older question would have to read', async () => {
    const collections = ['a', 'b', 'c', 'd']
    const sizes = { tailRows: 100, quietRows: 3, mergedTogether: 8, takenOver: 8 }
    await fill(collections, ['x', 'y', 'z'], sizes)
    const tended = tendedStore(sizes)
    expect([tended.count('tail'), tended.count('segment')]).toEqual([12, 0])
    tended.beginInQuiet()
    await expect.poll(() => tended.count('tail'), { timeout: 30_000 }).toBe(0)
    expect(tended.count('segment')).toBe(collections.length)
    await tended.close()
    expect(tended.lines).toEqual([])
    const store = await openSqliteStore({ dataDirectory, tends: false })
    const found = await store.records.find(planOf('a', {}, {}, accountScope('owner')))
    expect(documentsOf(found)).toHaveLength(3)
    await store.close()
  }, 60_000)
})
