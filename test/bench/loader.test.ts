import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { AnswerCounter } from '../../bench/load/answer-counter.ts'
import { encodeRequest, runLoad } from '../../bench/load/loader.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function serve(
  answer: (url: string) => { status: number; body: string },
): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const { status, body } = answer(request.url ?? '')
    seen.push(`${request.method} ${request.url}`)
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(body) }).end(body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, seen }
}

describe('the loader', () => {
  it('sends exactly as many requests as it was told, in turn', async () => {
    const { port, seen } = await serve((url) => ({ status: 200, body: url }))
    const requests = ['/a', '/b', '/c'].map((target) => encodeRequest({ target }))
    const result = await runLoad({ port, requests, count: 100, connections: 3 })
    expect(result.answered).toBe(100)
    expect(seen).toHaveLength(100)
    expect(seen.filter((line) => line === 'GET /a')).toHaveLength(34)
  })

  it('fails when the server answers anything but 2xx', async () => {
    const { port } = await serve(() => ({ status: 500, body: 'no' }))
    const load = runLoad({ port, requests: [encodeRequest({ target: '/' })], count: 10, connections: 2 })
    await expect(load).rejects.toThrow('answered 500')
  })

  it('stops sending when it is told to, and counts what was answered', async () => {
    const { port, seen } = await serve(() => ({ status: 200, body: '' }))
    const requests = [encodeRequest({ target: '/' })]
    const until = AbortSignal.timeout(50)
    const result = await runLoad({ port, requests, count: 1_000_000, connections: 2, until })
    expect(result.answered).toBe(seen.length)
    expect(result.answered).toBeLessThan(1_000_000)
  })

  it('sends bodies with their length in bytes', async () => {
    const request = encodeRequest({
      method: 'POST',
      target: '/x',
      headers: { 'X-A': '1' },
      body: '{"a":"é"}',
    }).toString()
    expect(request).toContain('Content-Length: 10\r\n')
    expect(request.endsWith('\r\n\r\n{"a":"é"}')).toBe(true)
  })
})

describe('the counter of answers', () => {
  const answers = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 204 No\r\ncontent-length: 0\r\n\r\n'

  it.each([1, 2, 5, 1000])('finds the same answers in pieces of %i bytes', (size) => {
    const statuses: number[] = []
    const counter = new AnswerCounter((status) => statuses.push(status))
    const bytes = Buffer.from(answers + answers)
    for (let at = 0; at < bytes.length; at += size) counter.feed(bytes.subarray(at, at + size))
    expect(statuses).toEqual([200, 204, 200, 204])
  })

  it('refuses an answer without a length', () => {
    const counter = new AnswerCounter(() => {})
    expect(() => counter.feed(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))).toThrow(
      'Content-Length',
    )
  })
})
