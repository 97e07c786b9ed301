import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startCpuClock } from '../../bench/load/process-figures.ts'
import { type RunningServer, startServer } from '../../bench/load/server-process.ts'
import { fetchAnswer } from '../../bench/measure/check-answers.ts'
import type { Contestant } from '../../bench/servers/contestant.ts'
import { bareWorkers, floorsOver } from '../../bench/servers/floors.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarry-floor-'))
afterAll(() => rmSync(folder, { recursive: true }))

const TARGET = '/api/2018-10-01/materials/one'
const BODY = '{"status":"success","data":{"name":"β-Sn"}}'
const HEAD = [
  ['x-content-type-options', 'nosniff'],
  ['content-type', 'application/json; charset=utf-8'],
  ['etag', '"7-1"'],
  ['x-request-id', 'kept-0'],
  ['server-timing', 'thread;desc=request, homes;dur=0.01, total;dur=1.92'],
  ['content-length', String(Buffer.byteLength(BODY))],
].flat()
const credentials = { 'X-Account-Id': 'account', 'X-Auth-Token': 'secret' }
const answers = new Map([[TARGET, { head: HEAD, body: BODY }]])
const [bare, fair] = floorsOver(join(folder, 'answers.json'), credentials, answers) as [Contestant, Contestant]

async function over<Result>({ command }: Contestant, use: (server: RunningServer) => Promise<Result>): Promise<Result> {
  const server = await startServer(command)
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

const pairs = (head: readonly string[]) =>
  Object.fromEntries(head.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), head[at + 1]]] : [])))

describe('the fair floor', () => {
  it('sends the bytes with the head of Quarry: an id of its own for each request, and the time that it took itself', async () => {
    const [first, second] = await over(fair, async ({ port }) => [
      await fetchAnswer(port, fair.read('one')),
      await fetchAnswer(port, fair.read('one')),
    ])
    const of = (answer: typeof first) => {
      const { 'x-request-id': id, 'server-timing': timing, ...rest } = pairs(answer?.head ?? [])
      return { id, timing, rest }
    }
    const { 'x-request-id': _, 'server-timing': __, ...kept } = pairs(HEAD)
    expect([first?.body, second?.body]).toEqual([BODY, BODY])
    expect([of(first).rest, of(second).rest]).toEqual([kept, kept])
    expect(of(first).id).toMatch(/^[0-9a-f]{8}-0$/)
    expect(of(second).id).toMatch(/^[0-9a-f]{8}-1$/)
    expect(of(first).timing).toMatch(/^thread;desc=request, homes;dur=0\.01, total;dur=\d+\.\d\d$/)
  })

  it('lets nobody in whom it does not know', async () => {
    await over(fair, async ({ port }) => {
      await expect(fetchAnswer(port, { target: TARGET })).rejects.toThrow('answered 401')
      const headers = { ...credentials, 'X-Auth-Token': 'other' }
      await expect(fetchAnswer(port, { target: TARGET, headers })).rejects.toThrow('answered 401')
      await expect(fetchAnswer(port, fair.read('two'))).rejects.toThrow('answered 404')
    })
  })
})

describe('the bare floor', () => {
  it('answers from several processes on one port, and takes a processor for it as long as it is told to', async () => {
    const command = bareWorkers(join(folder, 'workers.json'), credentials, answers)(2, 20_000)
    await over({ ...bare, command }, async ({ port, pids }) => {
      const cpu = startCpuClock(pids)
      const asked = await Promise.all(Array.from({ length: 8 }, () => fetchAnswer(port, bare.read('one'))))
      expect(asked.map(({ body }) => body)).toEqual(Array(8).fill(BODY))
      expect(cpu()).toBeGreaterThan(150_000)
    })
  })

  it('sends the bytes with their type and length alone', async () => {
    const answer = await over(bare, ({ port }) => fetchAnswer(port, bare.read('one')))
    expect(answer.body).toBe(BODY)
    expect(Object.keys(pairs(answer.head)).sort()).toEqual(['content-length', 'content-type'])
  })
})
