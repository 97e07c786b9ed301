import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inspectFile } from '../../src/store/sqlite/care/check/check-file.ts'
import { Findings } from '../../src/store/sqlite/care/check/findings.ts'
import { DATABASE_FILE, openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { OPERATOR, planOf } from '../support/plans.ts'

const CHILD = fileURLToPath(new URL('./writing-child.ts', import.meta.url))
const ACKNOWLEDGED_BEFORE_KILL = [1, 40, 150]

describe('a process that is killed while it writes', () => {
  let dataDirectory: string

  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-crash-'))
  })
  afterEach(() => rm(dataDirectory, { recursive: true, force: true }))

  it.each(ACKNOWLEDGED_BEFORE_KILL)(
    'leaves every acknowledged write and no half one, after %i writes',
    async (writes) => {
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
    },
    60_000,
  )
})

describe('a process that writes', () => {
  it('does not make its file look damaged to one that opens it meanwhile', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'quarry-busy-'))
    const findings = new Findings()
    let looks = 0
    try {
      await writeAndKill(dataDirectory, 300, () => {
        for (let look = 0; look < 30; look++) inspectFile(join(dataDirectory, DATABASE_FILE), findings)
        looks += 30
      })
      expect([findings.read(), looks > 30]).toEqual([[], true])
    } finally {
      await rm(dataDirectory, { recursive: true, force: true })
    }
  }, 60_000)
})

/** Gives the names of the writes that the child said were done before it was killed. */
function writeAndKill(dataDirectory: string, writes: number, look: () => void = () => {}): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDirectory], {
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
