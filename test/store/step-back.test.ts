import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { accountScope, insertion } from '../support/plans.ts'

/** How much each thread of this process steps back, by its number: the 19th field of its line. */
function niceness(): ReadonlyMap<string, number> {
  const threads = readdirSync('/proc/self/task')
  const statOf = (thread: string) => readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1) ?? ''
  return new Map(threads.map((thread) => [thread, Number(statOf(thread).split(' ')[16])]))
}

it.runIf(process.platform === 'linux')(
  'threads that write and read step back behind the one that answers',
  async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'quarry-step-back-'))
    const before = niceness()
    const store = await openSqliteStore({ dataDirectory, tends: false })
    try {
      await store.records.apply([insertion('c', 'a', { name: 'a'.repeat(300_000) }, { accountId: 'alice' })])
      // More than is read on the thread that asks.
      expect(await store.records.read('c', accountScope('alice'), 'a')).not.toBeNull()
      const after = niceness()
      const begun = [...after].filter(([thread]) => !before.has(thread)).map(([, steps]) => steps)
      expect(begun.filter((steps) => steps === 5)).toHaveLength(2)
      expect(after.get(String(process.pid))).toBe(before.get(String(process.pid)))
    } finally {
      await store.close()
      rmSync(dataDirectory, { recursive: true })
    }
  },
)
