import { afterEach, expect, it } from 'vitest'
import { sourceEntry } from '../../src/kernel/worker-entry.ts'
import { ReaderPool } from '../../src/store/threads/reader-pool.ts'
import { logToLines } from '../support/log-lines.ts'

const pools: ReaderPool<{ work: null; wait: null }>[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))

it.each([
  ['that works on', 'work', 10, { code: 50301 }],
  ['that only waits', 'wait', 500, { code: 50311, data: { retryAfterSeconds: 5 } }],
] as const)(
  'a job %s, and cannot be interrupted, is answered with the reason for its end',
  async (_what, kind, budgetMs, error) => {
    const entry = sourceEntry(new URL('./uninterrupted-thread.ts', import.meta.url))
    const pool = new ReaderPool<{ work: null; wait: null }>(
      { entry, data: null, size: 1, graceMs: 10 },
      logToLines().log,
    )
    pools.push(pool)
    await expect(pool.run({ kind, budgetMs })).rejects.toMatchObject(error)
  },
)
