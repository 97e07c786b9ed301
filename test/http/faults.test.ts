import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server/build-server.ts'
import type { HttpServices } from '../../src/http/services.ts'
import { logToLines } from '../support/log-lines.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** The services of the running server with a store that breaks, as a bug or a full disk would have it. */
function brokenServices(error: Error): HttpServices {
  const breaks = () => Promise.reject(error)
  const counters = { changeCounter: () => 0, readChangeCounter: async () => 0 }
  const reads = { find: breaks, read: breaks, count: breaks }
  const store = { ...server.services.records.store, ...counters, ...reads, apply: breaks }
  return { ...server.services, records: { ...server.services.records, store }, ping: breaks }
}

describe('a bug', () => {
  const secret = 'SELECT password FROM /home/quarry/secret.db'

  test('is 500 without internals; the log has them under the request id', async () => {
    const { log, lines } = logToLines('info')
    const broken = buildServer({ ...brokenServices(new Error(secret)), log })
    try {
      const origin = await broken.listen({ host: '127.0.0.1', port: 0 })
      for (const [path, status] of [
        ['/api/2018-10-01/materials', 500],
        ['/api/2018-10-01/materials/x', 500],
        ['/readyz', 503],
      ] as const) {
        const response = await fetch(`${origin}${path}`, { headers: server.credentials.ada })
        const text = await response.text()
        const body = JSON.parse(text)
        expect(response.status).toBe(status)
        expect(body.status).toBe('error')
        expect(text).not.toContain('SELECT')
        expect(text).not.toContain('secret')
        expect(body.data.requestId).toBe(response.headers.get('x-request-id'))
        const logged = lines.map((line) => JSON.stringify(line))
        expect(logged.find((line) => line.includes(body.data.requestId))).toContain(secret)
      }
      expect(JSON.stringify(lines)).not.toContain(server.credentials.ada['x-auth-token'])
    } finally {
      await broken.close()
    }
  })

  test('is not what ends because its client has gone', async () => {
    const { log, lines } = logToLines('info')
    const services = brokenServices(new Error(secret))
    let reading: AbortSignal | null = null
    const find: HttpServices['records']['store']['find'] = async (_plan, terms) => {
      const signal = terms?.signal as AbortSignal
      reading = signal
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw signal.reason
    }
    const store = { ...services.records.store, find }
    const slow = buildServer({ ...services, records: { ...services.records, store }, log })
    try {
      const origin = await slow.listen({ host: '127.0.0.1', port: 0 })
      const client = new AbortController()
      const headers = server.credentials.ada
      const asked = fetch(`${origin}/api/2018-10-01/materials`, { headers, signal: client.signal })
      await expect.poll(() => reading).not.toBeNull()
      client.abort()
      await expect(asked).rejects.toThrow()
      await expect.poll(() => reading?.aborted).toBe(true)
      // A fault of another request is told after it.
      await fetch(`${origin}/api/2018-10-01/materials/x`, { headers })
      expect(lines.filter(({ event }) => event === 'request.failed')).toHaveLength(1)
    } finally {
      await slow.close()
    }
  })
})
