import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sourceEntry } from '../../src/kernel/worker-entry.ts'
import type { Change } from '../../src/store/port/record-store.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { writeBeginner } from '../../src/store/sqlite/write/gather-batch.ts'
import type { EndlessWriting } from './endless-writer-thread.ts'

/** Each waits for about one batch of the other; without gaps, for ten. */
const OWN_WRITES = 12

let directory: string
let stores: readonly Store[]
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarry-writers-'))
  const open = () => openSqliteStore({ dataDirectory: directory })
  stores = [await open(), await open(), await open()]
})
afterEach(async () => {
  for (const store of stores) await store.close()
  rmSync(directory, { recursive: true })
})

function insertion(id: string): Change {
  const text = JSON.stringify({ _id: id, name: id, values: Array.from({ length: 40 }, (_, at) => ({ at, of: id })) })
  return { action: 'insert', collection: 'materials', id, accountId: 'a', isPublic: true, text }
}

test('a writer gets its turn beside another that always has the next batch ready', async () => {
  const [busy, other] = stores as [Store, Store, Store]
  let batches = 0
  let isOver = false
  const endless = async () => {
    while (!isOver) {
      const batch = batches++
      await busy.records.applyEach(Array.from({ length: 300 }, (_, n) => insertion(`busy-${batch}-${n}`)))
    }
  }
  const busyWriters = [endless(), endless(), endless()]
  for (let n = 0; n < 10 || batches < 6; n++) {
    expect(await other.records.apply([insertion(`other-${n}`)])).toMatchObject([{ outcome: 'done' }])
  }
  isOver = true
  await Promise.all(busyWriters)
})

test('writers of several processes lose nothing of each other, and leave segments that are whole', async () => {
  const written = stores.flatMap((store, writer) =>
    Array.from({ length: 60 }, async (_, n) => {
      const id = `${writer}-${n}`
      const [inserted] = await store.records.apply([insertion(id)])
      const [replaced] = await store.records.apply([
        { ...insertion(id), action: 'replace', expectedVersion: 1 } as Change,
      ])
      return [inserted, replaced].map((result) => result?.outcome)
    }),
  )
  for (const outcomes of await Promise.all(written)) expect(outcomes).toEqual(['done', 'done'])
  const counters = await Promise.all(stores.map((store) => store.records.readChangeCounter({ kind: 'operator' })))
  expect(new Set(counters).size).toBe(1)
  expect(await (stores[0] as Store).check(() => {})).toEqual([])
})

test('a writer without end leaves gaps in which another one comes in', async () => {
  const file = join(directory, DATABASE_FILE)
  const own = connect(file, 'write')
  const begin = writeBeginner(own)
  own.exec('CREATE TABLE counter (value INTEGER); INSERT INTO counter VALUES (0)')
  const [written, enough] = [0, 0].map(() => new Int32Array(new SharedArrayBuffer(4))) as [Int32Array, Int32Array]
  const entry = sourceEntry(new URL('./endless-writer-thread.ts', import.meta.url))
  const thread = new Worker(entry, { workerData: { file, written, enough } as EndlessWriting })
  const ended = once(thread, 'exit')
  try {
    let batches = 0
    for (let n = 0; n < OWN_WRITES; n++) {
      const seen = Atomics.load(written, 0)
      await expect.poll(() => Atomics.load(written, 0), { timeout: 30_000 }).toBeGreaterThan(seen)
      const before = Atomics.load(written, 0)
      begin()
      own.exec('UPDATE counter SET value = value + 1; COMMIT')
      batches += Atomics.load(written, 0) - before
    }
    expect(batches).toBeLessThan(3 * OWN_WRITES)
  } finally {
    Atomics.store(enough, 0, 1)
    await ended
    own.close()
  }
})
