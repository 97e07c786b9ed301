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

test('a form of structures is stored to its end by the server when all of it was sent and nobody waits for the answer', async () => {
  server = await startServer()
  // What did not arrive whole is not stored at all.
  await sendAndLeave('half', 0.5)
  await sendAndLeave('whole', 1)
  const count = async (name: string) => {
    const query = { name: { $regex: `^${name} ` } }
    return (await server.call('POST', 'materials/count', { body: { query } })).body.data.count
  }
  await expect.poll(() => count('whole')).toBe(40)
  expect(await count('half')).toBe(0)
})

/** Sends a share of a form of forty structures, and goes away. */
function sendAndLeave(name: string, share: number): Promise<void> {
  const parts = Array.from({ length: 40 }, (_, at) => {
    const poscar = `${name} ${at}\n1\n${3 + at / 100} 0 0\n0 3 0\n0 0 3\nPo\n1\nDirect\n0 0 0\n`
    return `--cut\r\nContent-Disposition: form-data; name="file"; filename="${at}.vasp"\r\n\r\n${poscar}\r\n`
  })
  const form = `${parts.join('')}--cut--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=cut', 'content-length': form.length }
  return new Promise((resolve, reject) => {
    const sending = sendRequest(`${server.origin}/api/2018-10-01/materials/import`, {
      method: 'POST',
      headers: { ...headers, ...server.credentials.ada },
    })
    sending.on('error', () => {}).on('close', resolve)
    sending.write(form.slice(0, 100))
    // One that is let in later is answered: the server reads this one.
    const isRead = server.call('GET', 'materials')
    isRead.then(() => sending.write(form.slice(100, Math.ceil(form.length * share)), () => sending.destroy()), reject)
  })
}

const lines = (length: number) =>
  Array.from({ length }, (_, n) => `${JSON.stringify(method(`${length} ${n}`))}\n`).join('')
