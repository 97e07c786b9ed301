import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_AUDIT_BOUNDS } from '../../src/store/changes/audit-entries.ts'
import { STORE_ERRORS } from '../../src/store/errors.ts'
import { NO_STORAGE_LIMITS } from '../../src/store/port/record-store.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../src/store/segments/segment-sizes.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { CurrentState } from '../../src/store/sqlite/read/current-state.ts'
import { openReaders } from '../../src/store/sqlite/read/read-job.ts'
import { Tending } from '../../src/store/sqlite/tending.ts'
import { StorageHealth } from '../../src/store/sqlite/write/storage-health.ts'
import { WriteQueue } from '../../src/store/sqlite/write/write-queue.ts'
import { memoryOf } from '../../src/store/threads/store-options.ts'
import { logToLines } from '../support/log-lines.ts'

let dataDirectory: string
let file: string
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-told-'))
  file = join(dataDirectory, DATABASE_FILE)
  await (await openSqliteStore({ dataDirectory })).close()
})
afterAll(() => rm(dataDirectory, { recursive: true, force: true }))

const sizes = DEFAULT_SEGMENT_SIZES
const writerOf = (path: string) => ({
  file: path,
  mostRevisions: 1,
  audit: DEFAULT_AUDIT_BOUNDS,
  limits: NO_STORAGE_LIMITS,
  segmentSizes: sizes,
  patienceMs: 1000,
})

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
    const writes = new WriteQueue(writerOf(file), true, health, log)
    const pool = openReaders({ file, memory: memoryOf({ memoryMb: 16 }).ofReader }, 1, log)
    const tending = new Tending({ connection, state, pool, writes, sizes, log })
    connection.close()
    tending.begin()
    await expect.poll(() => lines).toMatchObject([{ event: 'store.tending-failed', level: 'warn', err: {} }])
    tending.end()
    health.end()
    await pool.close()
  })
})

describe('a thread of the store that ends of a fault is told to the log and to all that wait for it', () => {
  test('the writer', async () => {
    const { log, lines } = logToLines()
    const health = new StorageHealth(file, 0, log)
    const writes = new WriteQueue(writerOf(join(dataDirectory, 'nowhere', 'quarry.db')), false, health, log)
    const jobs = [1, 2].map(() => writes.submit({ kind: 'apply', changes: [] }).catch((error: unknown) => error))
    expect(writes.metrics).toEqual({ waiting: 2, asked: 2, failed: 0 })
    for (const error of await Promise.all(jobs)) expect(error).toMatchObject({ spec: STORE_ERRORS.notWritten })
    expect(writes.metrics).toEqual({ waiting: 0, asked: 2, failed: 0 })
    expect(lines).toMatchObject([
      { event: 'thread.lost', level: 'error', task: 'write' },
      { event: 'store.write-failed', reason: expect.stringContaining('directory does not exist') },
    ])
    await writes.close()
    health.end()
  })

  test('a reader', async () => {
    const { log, lines } = logToLines()
    const nowhere = join(dataDirectory, 'nowhere', 'quarry.db')
    const pool = openReaders({ file: nowhere, memory: memoryOf({ memoryMb: 16 }).ofReader }, 1, log)
    const jobs = [1, 2].map(() =>
      pool.run({ kind: 'tend', inQuiet: false, sizes: DEFAULT_SEGMENT_SIZES }).catch((error: unknown) => error),
    )
    expect(pool.metrics).toEqual({ threads: 1, busy: 1, waiting: 1 })
    for (const error of await Promise.all(jobs)) expect(error).toMatchObject({ spec: STORE_ERRORS.unreadable })
    expect(pool.metrics).toEqual({ threads: 0, busy: 0, waiting: 0 })
    expect(lines).toMatchObject([1, 2].map(() => ({ event: 'thread.lost', level: 'error', task: 'read' })))
    await pool.close()
  })
})
