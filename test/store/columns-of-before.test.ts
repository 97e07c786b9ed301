import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Reading } from '../../src/kernel/metrics.ts'
import { STORE_EVENTS } from '../../src/store/events.ts'
import { STORE_METRICS } from '../../src/store/metrics.ts'
import type { Store } from '../../src/store/port/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { logToLines } from '../support/log-lines.ts'
import { documentsOf, insertion, planOf } from '../support/plans.ts'

const SIZES = { tailRows: 1, mergedTogether: 1e9, takenOver: 1e9 }
const MARK = 'usual-columns'

let filled: string
let dataDirectory: string
beforeAll(async () => {
  filled = mkdtempSync(join(tmpdir(), 'quarry-columns-'))
  dataDirectory = filled
  const documents = Array.from({ length: 9000 }, (_, n) => {
    return { name: `${(n * 7919) % 9000}`, a: n % 3, b: [n], same: 'in all' }
  })
  await withStore(({ records }) => records.apply(documents.map((one, n) => insertion('c', `${n}`, one))))
})
afterAll(() => rmSync(filled, { recursive: true, force: true }))
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-columns-'))
  cpSync(filled, dataDirectory, { recursive: true })
})
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }))

async function withStore<Found>(use: (store: Store) => Promise<Found>): Promise<Found> {
  const store = await openSqliteStore({ dataDirectory, segmentSizes: SIZES, tends: false })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const LISTS = [
  planOf('c', { a: 1 }, { sort: { name: 1 }, limit: 3 }),
  planOf('c', { b: { $gt: 8000 } }, { sort: { b: -1 }, limit: 3 }),
  planOf('c', {}, { sort: { b: 1 }, limit: 3 }),
  planOf('c', { a: 1 }, { fields: { same: 1 }, limit: 3 }),
]

/** What lists say, and how many columns had to be read for them. */
async function askAll(store: Store) {
  const pages = []
  for (const plan of LISTS) pages.push(await store.records.find(plan))
  return {
    said: pages.map(documentsOf),
    bytes: columnBytes(store),
    loaded: pages.reduce((sum, { report }) => sum + report.loaded, 0),
  }
}

/** Of columns, and of what was worked out from them. */
function columnBytes(store: Store): number {
  return new Map(store.metrics() as Iterable<Reading>).get(STORE_METRICS.columnBytes) as number
}

describe('columns that a server was asked for', () => {
  it('are there again after its next start, and the one after that', async () => {
    const first = await withStore(async (store) => {
      await store.warmUp()
      return askAll(store)
    })
    expect(first.loaded).toBeGreaterThan(0)
    for (const start of ['next', 'one after that']) {
      const { said, loaded } = await withStore(async (store) => {
        await store.warmUp()
        // What lies beside the bytes of a column is counted from its first use on. A busy machine takes longer than a start waits.
        await expect.poll(() => columnBytes(store), { timeout: 20_000 }).toBeGreaterThan(0.85 * first.bytes)
        return askAll(store)
      })
      expect([start, said, loaded]).toEqual([start, first.said, 0])
    }
  })

  it('are read when they are asked for, where their segments are others by now, or the mark says nothing of use', async () => {
    const right = await withStore(askAll)
    for (const mark of ['[{"home":99,"collection":7,"place":0,"names":["/name","ranks -1/b","c"]}]', '[]', '{']) {
      const { log, lines } = logToLines()
      const store = await openSqliteStore({ dataDirectory, segmentSizes: SIZES, tends: false, log })
      await store.writeMark(MARK, mark)
      await store.warmUp()
      expect((await askAll(store)).said).toEqual(right.said)
      await store.close()
      const told = lines.filter(({ event }) => event === STORE_EVENTS.columnsForgotten.name)
      expect([mark, told.length]).toEqual([mark, mark === '{' ? 1 : 0])
    }
  })

  it('are noted by a server alone: a command leaves the mark as it was', async () => {
    await withStore(askAll)
    expect(await withStore((store) => store.readMark(MARK))).toBeNull()
  })
})
