import { afterEach, describe, expect, it } from 'vitest'
import { ThreadGone, WorkerChannel } from '../../src/kernel/worker-channel.ts'
import { sourceEntry } from '../../src/kernel/worker-entry.ts'
import type { CalledJob } from './support/called-thread.ts'

const channels: WorkerChannel<CalledJob, unknown>[] = []
afterEach(() => Promise.all(channels.splice(0).map((channel) => channel.end())))

function open(onGone: (gone: ThreadGone) => void = () => {}) {
  const entry = sourceEntry(new URL('./support/called-thread.ts', import.meta.url))
  const channel = new WorkerChannel<CalledJob, unknown>({ entry, data: null, onGone })
  channels.push(channel)
  return channel
}

const echo = (value: unknown): CalledJob => ({ kind: 'echo', value })

describe('a channel to a worker thread', () => {
  it('gives every caller its own result, in whatever order the thread replies', async () => {
    const channel = open()
    const order: unknown[] = []
    const calls = [{ kind: 'wait', value: 'a' } as const, echo('b'), echo('c')].map(async (job) => {
      const result = await channel.call(job)
      order.push(result)
      return result
    })
    expect(channel.waiting).toBe(3)
    expect(await Promise.all(calls)).toEqual(['a', 'b', 'c'])
    expect([order[0], channel.waiting, channel.longestWaitMs]).toEqual(['b', 0, 0])
  })

  it('tells how far a job is to whoever called for it', async () => {
    const channel = open()
    const heard: string[] = []
    const counting = (name: string, to: number) =>
      channel.call({ kind: 'count', to }, { progress: (done, total) => heard.push(`${name} ${done}/${total}`) })
    expect(await Promise.all([counting('a', 2), counting('b', 1), channel.call(echo(0))])).toEqual([2, 1, 0])
    expect(heard).toEqual(['a 1/2', 'a 2/2', 'b 1/1'])
  })

  it('hands parts over instead of copying them', async () => {
    const bytes = Uint8Array.of(1, 2, 3)
    expect(await open().call(echo(bytes), { handOver: [bytes.buffer] })).toEqual(Uint8Array.of(1, 2, 3))
    expect(bytes.byteLength).toBe(0)
  })

  it('refuses a job that cannot be copied, and goes on', async () => {
    const channel = open()
    await expect(channel.call(echo(() => 1))).rejects.toThrow(/could not be cloned/)
    expect([channel.waiting, await channel.call(echo(1))]).toEqual([0, 1])
  })

  it.each([
    { end: 'a fault', job: { kind: 'throw' }, message: 'a fault of the thread' },
    { end: 'leaving by itself', job: { kind: 'exit' }, message: 'its thread ended' },
  ] as const)('tells all that wait when the thread ends of $end, its owner first', async ({ job, message }) => {
    const told: string[] = []
    const channel = open((gone) => told.push(`owner: ${gone.message}`))
    const before = channel.call(echo('before')).then((result) => told.push(`heard ${result}`))
    const waiting = [channel.call({ kind: 'wait', value: 0 }), channel.call(job)].map((call) =>
      call.catch((error: Error) => {
        told.push(`caller: ${error.message}`)
        return error
      }),
    )
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(ThreadGone)
    await before
    expect(told).toEqual(['heard before', `owner: ${message}`, `caller: ${message}`, `caller: ${message}`])
    expect(channel.waiting).toBe(0)
    await expect(channel.call(echo(1))).rejects.toThrow(message)
    await channel.close()
  })

  it('tells those that wait when it is ended', async () => {
    const channel = open()
    const waiting = expect(channel.call({ kind: 'wait', value: 0 })).rejects.toMatchObject({ cause: null })
    await channel.end()
    await waiting
  })

  it('lets the thread reply to what came before it is closed', async () => {
    const channel = open()
    const calls = [channel.call(echo(1)), channel.call(echo(2))]
    await channel.close()
    expect(await Promise.all(calls)).toEqual([1, 2])
  })
})
