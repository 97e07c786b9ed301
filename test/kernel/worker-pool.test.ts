import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { sourceEntry } from '../../src/kernel/worker-entry.ts'
import { TaskEnded, WorkerPool, type WorkerPoolOptions } from '../../src/kernel/worker-pool.ts'
import type { BUSY_TASKS } from './support/busy-thread.ts'

const pools: WorkerPool<typeof BUSY_TASKS>[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())))

function poolOf(options: Partial<WorkerPoolOptions> = {}, file = './support/busy-thread.ts') {
  const entry = sourceEntry(new URL(file, import.meta.url))
  const pool = new WorkerPool<typeof BUSY_TASKS>({ entry, threads: 1, cpuLimitMs: 5000, ...options })
  pools.push(pool)
  return pool
}

const ann = { user: 'ann', cost: 1 }
const bob = { user: 'bob', cost: 1 }

describe('a pool of worker threads', () => {
  it('gives what a task returns, also later', async () => {
    const pool = poolOf()
    expect(await Promise.all([pool.run('double', { value: 21 }, ann), pool.run('later', { value: 7 }, ann)])).toEqual([
      42, 7,
    ])
    expect(pool.metrics).toMatchObject({ threads: 1, busy: 0, waiting: 0, done: 2, ended: 0 })
  })

  it('hands parts over in both directions', async () => {
    const input = new Uint8Array(8)
    const answer = await poolOf().run('bytes', { length: 3 }, { ...ann, handOver: [input.buffer] })
    expect([answer.length, input.byteLength]).toEqual([3, 0])
  })

  it('throws the refusals of a task as they were', async () => {
    const refusal = await poolOf()
      .run('refuse', { path: 'x' }, ann)
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(AppError)
    expect(refusal).toMatchObject({ code: 42201, message: 'It is refused.', data: { path: 'x' } })
  })

  it('tells a fault of the code with its place, and goes on', async () => {
    const pool = poolOf()
    await expect(pool.run('fail', {} as never, ann)).rejects.toThrow(/TypeError: a bug[\s\S]*busy-thread/)
    expect(await pool.run('double', { value: 1 }, ann)).toBe(2)
  })

  it('ends a task at its limit of processor time, and goes on with the next', async () => {
    const pool = poolOf()
    const endless = pool.run('spin', { ms: 60_000 }, { ...ann, cpuLimitMs: 100 })
    const next = pool.run('double', { value: 2 }, bob)
    await expect(endless).rejects.toMatchObject({ ending: 'processor-time', message: 'it took longer than 100 ms' })
    expect(await next).toBe(4)
    expect(pool.metrics).toMatchObject({ done: 1, ended: 1 })
    expect(pool.metrics.spentMs).toBeGreaterThan(90)
  })

  it.runIf(process.platform === 'linux')('counts the time on a processor, not that of waiting for one', async () => {
    const pool = poolOf({ threads: 8 })
    const many = Array.from({ length: 8 }, () => pool.run('spin', { ms: 400 }, { ...ann, cpuLimitMs: 390 }))
    // Eight threads on fewer processors get less than all of the 400 ms; on eight or more, some reach the limit.
    const outcomes = await Promise.allSettled(many)
    const { availableParallelism } = await import('node:os')
    if (availableParallelism() <= 4) expect(outcomes.map(({ status }) => status)).not.toContain('rejected')
  })

  it('ends a task that needs too much memory', async () => {
    const pool = poolOf({ memoryMb: 32 })
    await expect(pool.run('grow', {} as never, ann)).rejects.toMatchObject({ ending: 'memory' })
    expect(await pool.run('double', { value: 2 }, ann)).toBe(4)
  })

  it('tells of a thread that is lost, and replaces it', async () => {
    const pool = poolOf()
    await expect(pool.run('exit', {} as never, ann)).rejects.toMatchObject({ ending: 'lost' })
    expect(await pool.run('double', { value: 2 }, ann)).toBe(4)
  })

  it('tells everybody who waits when its threads cannot start', async () => {
    const pool = poolOf({}, './support/broken-thread.ts')
    const outcomes = await Promise.allSettled([
      pool.run('double', { value: 1 }, ann),
      pool.run('double', { value: 1 }, bob),
    ])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual([
      expect.objectContaining({ ending: 'lost', message: 'it cannot start' }),
      expect.objectContaining({ ending: 'lost' }),
    ])
  })

  it('gives users turns', async () => {
    const pool = poolOf()
    const order: string[] = []
    const asked = (who: { user: string; cost: number }, label: string) =>
      pool.run('spin', { ms: 5 }, who).then(() => order.push(label))
    const all = [...Array.from({ length: 10 }, (_, n) => asked(ann, `ann ${n}`)), asked(bob, 'bob')]
    await Promise.all(all)
    expect(order.indexOf('bob')).toBeLessThanOrEqual(2)
  })

  it('rejects what waits and what runs when it is closed', async () => {
    const pool = poolOf()
    await pool.run('double', { value: 1 }, ann)
    const outcomes = Promise.allSettled([pool.run('spin', { ms: 60_000 }, ann), pool.run('double', { value: 1 }, ann)])
    await pool.close()
    for (const outcome of await outcomes) {
      expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(TaskEnded)
    }
    await expect(pool.run('double', { value: 1 }, ann)).rejects.toMatchObject({ ending: 'closed' })
  })

  it('rejects an input that cannot be copied, and goes on', async () => {
    const pool = poolOf()
    await pool.run('double', { value: 1 }, ann)
    await expect(pool.run('double', { value: (() => 1) as never }, ann)).rejects.toThrow(/could not be cloned/)
    expect(await pool.run('double', { value: 2 }, ann)).toBe(4)
  })
})
