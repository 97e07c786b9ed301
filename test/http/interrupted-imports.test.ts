import { request as sendRequest } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { logToLines } from '../support/log-lines.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { method } from './support/records.ts'

let server: LiveServer
afterEach(() => server.close())

test('a bulk load whose store takes no more ends with what is wrong, and without totals', async () => {
  const { log, lines: logged } = logToLines('error')
  server = await startServer({ log })
  const reports: string[] = []
  await new Promise<void>((resolve, reject) => {
    const sending = sendRequest(`${server.origin}/api/2018-10-01/methods/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', ...server.credentials.ada },
    })
    sending.on('error', reject)
    sending.on('response', (response) => {
      response.once('data', () => {
        void server.closeStore().then(() => sending.end(lines(300)))
      })
      response.on('data', (chunk: Buffer) => reports.push(chunk.toString()))
      response.on('end', resolve)
    })
    sending.write(lines(250))
  })
  const told = reports.join('').split('\n').slice(0, -1)
  expect(told.slice(0, 200).every((line) => JSON.parse(line).outcome === 'stored')).toBe(true)
  expect(JSON.parse(told.at(-1) ?? '')).toMatchObject({ outcome: 'broken', error: { code: 50304 } })
  expect(logged).toMatchObject([{ event: 'answer.broken-off', code: 50304, route: '/api/2018-10-01/methods/bulk' }])
})

const lines = (length: number) =>
  Array.from({ length }, (_, n) => `${JSON.stringify(method(`${length} ${n}`))}\n`).join('')
