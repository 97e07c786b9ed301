import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { Store } from '../../src/store/port/store.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { batchRunner } from '../../src/store/sqlite/write/run-batch.ts'
import { accountScope, documentsOf, insertion, OPERATOR, planOf } from '../support/plans.ts'

const CHILD = fileURLToPath(new URL('./reindexing-child.ts', import.meta.url))
/** More than fit in the first steps, so that most are still to come after them. */
const RECORDS = 5000
const documents = Array.from({ length: RECORDS }, (_, i) => ({ name: `n${i}`, group: i % 500, tags: [`t${i % 700}`] }))

let dataDirectory: string
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-reindex-'))
  await withStore((store) => store.records.applyEach(documents.map((each) => insertion('c', each.name, each))))
})
afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

async function withStore<T>(run: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ dataDirectory, tends: false })
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

/** The names of all that match, in the order of another field than that of the query. */
async function namesWhere(store: Store, filter: JsonObject): Promise<unknown[]> {
  const plan = planOf('c', filter, { sort: { name: 1 }, limit: 500 })
  return documentsOf(await store.records.find(plan)).map((document) => (document as { name: string }).name)
}

const expected = (all: readonly (typeof documents)[number][], test: (each: (typeof documents)[number]) => boolean) =>
  all
    .filter(test)
    .map(({ name }) => name)
    .sort()

/** Makes the index anew as far as some steps take it, and leaves it there as a process does that is killed. */
function beginReindex(steps: number): void {
  const connection = connect(join(dataDirectory, DATABASE_FILE), 'write')
  const run = batchRunner(connection)
  run([{ kind: 'reindex' }])
  for (let step = 0; step < steps; step++) run([{ kind: 'backlog' }])
  connection.close()
}

const change = { collection: 'c', accountId: 'owner', expectedVersion: 1 } as const

describe('segments that are being made anew', () => {
  it.each([0, 1, 2])('never makes an answer wrong, whatever is written, after %i steps', async (steps) => {
    beginReindex(steps)
    await withStore(async (store) => {
      const text = JSON.stringify({ name: 'changed', group: 7, tags: ['t7'], brandNew: 1 })
      const results = await store.records.applyEach([
        // One that a segment holds already after the first step, and one that none holds until the last.
        { ...change, action: 'replace', id: 'n10', isPublic: true, text },
        { ...change, action: 'replace', id: 'n4990', isPublic: true, text },
        { ...change, action: 'remove', id: 'n7' },
        { ...change, action: 'remove', id: 'n4507' },
        insertion('c', 'late', { name: 'late', group: 7, tags: ['t7'], alsoNew: true }),
      ])
      expect(results.map(({ outcome }) => outcome)).toEqual(Array(5).fill('done'))
      const now = [
        ...documents.filter(({ name }) => !['n10', 'n4990', 'n7', 'n4507'].includes(name)),
        ...['changed', 'changed', 'late'].map((name) => ({ name, group: 7, tags: ['t7'] })),
      ]
      const answers = async (): Promise<void> => {
        expect(await namesWhere(store, { group: 7 })).toEqual(expected(now, ({ group }) => group === 7))
        expect(await namesWhere(store, { tags: 't7' })).toEqual(expected(now, ({ tags }) => tags[0] === 't7'))
        expect(await namesWhere(store, { brandNew: 1 })).toEqual(['changed', 'changed'])
        expect(await namesWhere(store, { alsoNew: true })).toEqual(['late'])
        expect(await store.records.count(planOf('c', { group: { $exists: true } }))).toBe(now.length)
      }
      await answers()
      await store.reindex(() => {})
      expect(await store.check(() => {})).toEqual([])
      await answers()
    })
  })

  it('leave unknown what fields hold until they are made', async () => {
    await withStore(async (store) => {
      const { records } = store
      const kinds = () =>
        records.askKnowledge('c', OPERATOR, (known) => known && [...(known.kindsAt('tags') ?? [])].sort())
      const asked: Promise<unknown>[] = []
      await store.reindex(() => {
        asked.push(records.askKnowledge('c', accountScope('owner'), (known) => known))
      })
      expect(await Promise.all(asked)).toContain(null)
      expect(await kinds()).toEqual(['array', 'string'])
    })
  })

  it('goes on where it was', async () => {
    beginReindex(1)
    const reports: number[] = []
    await withStore((store) => store.reindex((done) => reports.push(done)))
    expect(reports).toEqual([0, 2048])
  })

  it('goes on after its process was killed', async () => {
    expect(await reindexAndKill()).toBeGreaterThanOrEqual(2000)
    await withStore(async (store) => {
      expect(await namesWhere(store, { group: 499 })).toEqual(expected(documents, (each) => each.group === 499))
      const reports: number[] = []
      await store.reindex((done) => reports.push(done))
      expect(reports.length).toBeGreaterThan(0)
      expect(await store.check(() => {})).toEqual([])
      expect(await namesWhere(store, { group: 499 })).toEqual(expected(documents, (each) => each.group === 499))
    })
  })
})

/** Kills a process between two steps; gives how far it said it was. */
function reindexAndKill(): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (Number(output.split('\n').at(-2)) >= 2000) child.kill('SIGKILL')
    })
    child.on('error', reject)
    child.on('close', () => resolve(Number(output.split('\n').at(-2))))
  })
}
