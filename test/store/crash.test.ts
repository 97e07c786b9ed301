import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { connect } from '../../src/store/sqlite/base/database.ts'
import { inspectFile } from '../../src/store/sqlite/care/check/check-file.ts'
import { Findings } from '../../src/store/sqlite/care/check/findings.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { documentsOf, OPERATOR, planOf } from '../support/plans.ts'
import { triesOf } from '../support/study.ts'

const CHILD = fileURLToPath(new URL('./writing-child.ts', import.meta.url))
const TENDING_CHILD = fileURLToPath(new URL('./tending-child.ts', import.meta.url))

/** The first moments, then random ones in between. */
function moments(...first: readonly number[]): readonly number[] {
  const random = createRandom(first.length)
  const most = Math.max(...first)
  return Array.from({ length: triesOf('kills') }, (_, at) => first[at] ?? 1 + random.integer(most))
}

describe('a process that is killed while it writes', () => {
  let dataDirectory: string

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-crash-'))
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  it.each(moments(40, 1, 150))('leaves every acknowledged write and no half one, after %i writes', async (writes) => {
    const acknowledged = await writeAndKill(dataDirectory, writes)
    expect(acknowledged.length).toBeGreaterThanOrEqual(writes)
    const store = await openSqliteStore({ dataDirectory })
    try {
      for (const id of acknowledged) {
        expect(await store.records.read('c', OPERATOR, `${id}-a`), id).not.toBeNull()
        expect(await store.records.read('c', OPERATOR, `${id}-b`), id).not.toBeNull()
      }
      expect(await store.records.count(planOf('c'))).toBe(2 * (await store.records.count(planOf('c', { half: 'b' }))))
      expect(await store.check(() => {})).toEqual([])
    } finally {
      await store.close()
    }
  })
})

describe('a process that is killed while it seals and merges', () => {
  it.each(moments(10, 2, 80))(
    'leaves segments that are whole and every record in one place, after %i rounds, and goes on when it is started again',
    async (least) => {
      const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-crash-'))
      const rounds: string[] = []
      try {
        for (let killed = 0; killed < 2; killed++) {
          const first = 1000 * killed
          rounds.push(...(await writeAndKill(dataDirectory, least, { child: TENDING_CHILD, more: [String(first)] })))
          const store = await openSqliteStore({ dataDirectory, tends: false })
          expect(await store.check(() => {})).toEqual([])
          for (const round of rounds) {
            const plan = planOf('c', { i: Number(round) }, { sort: { name: 1 }, fields: { name: 1 } })
            expect(documentsOf(await store.records.find(plan))).toEqual(['changed', 'd', 'e'].map((name) => ({ name })))
          }
          await store.close()
        }
        expect(rounds.length).toBeGreaterThanOrEqual(2 * least)
        await mergeAll(dataDirectory)
      } finally {
        await rm(dataDirectory, { recursive: true, force: true })
      }
    },
  )
})

/** Lets another process do what the killed one had begun. */
async function mergeAll(dataDirectory: string): Promise<void> {
  const store = await openSqliteStore({
    dataDirectory,
    segmentSizes: { tailRows: 4, mergedTogether: 2, takenOver: 50 },
  })
  const connection = connect(join(dataDirectory, DATABASE_FILE), 'read')
  const unmerged = connection.prepare(
    'SELECT home, level FROM segment WHERE level < 2 GROUP BY home, level HAVING count(*) >= 2',
  )
  await expect.poll(() => unmerged.all(), { timeout: 30_000 }).toEqual([])
  connection.close()
  expect(await store.check(() => {})).toEqual([])
  await store.close()
}

describe('a process that writes', () => {
  it('does not make its file look damaged to one that opens it meanwhile', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-busy-'))
    const findings = new Findings()
    let looks = 0
    try {
      await writeAndKill(dataDirectory, 300, {
        look() {
          for (let look = 0; look < 30; look++) inspectFile(join(dataDirectory, DATABASE_FILE), findings)
          looks += 30
        },
      })
      expect([findings.read(), looks > 30]).toEqual([[], true])
    } finally {
      await rm(dataDirectory, { recursive: true, force: true })
    }
  })
})

interface Victim {
  /** The program that writes. */
  readonly child: string
  /** Its arguments behind the data directory. */
  readonly more: readonly string[]
  /** Called whenever it has said something. */
  look(): void
}

/** Gives the names of the writes that the child said were done before it was killed. */
function writeAndKill(
  dataDirectory: string,
  writes: number,
  { child: program = CHILD, more = [], look = () => {} }: Partial<Victim> = {},
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', program, dataDirectory, ...more], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      look()
      if (output.split('\n').length > writes) child.kill('SIGKILL')
    })
    child.on('error', reject)
    // What comes after the last line break was not said completely.
    child.on('close', () => resolve(output.split('\n').slice(0, -1)))
  })
}
