import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
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

/** Gives the names of the writes that the child said were done before it was killed. */
function writeAndKill(dataDirectory: string, writes: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, dataDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.split('\n').length > writes) child.kill('SIGKILL')
    })
    child.on('error', reject)
    // What comes after the last line break was not said completely.
    child.on('close', () => resolve(output.split('\n').slice(0, -1)))
  })
}
