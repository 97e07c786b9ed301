import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
  // More than what the system keeps of an answer that nobody reads.
  const description = 'x'.repeat(1_000_000)
  for (let n = 0; n < 30; n++)
    await server.call('POST', 'methods', { body: method(`m${n}`, { description, isPublic: true }) })
})
afterAll(() => server.close())

/** Begins an export, reads its head and nothing more. */
function begin(as: Actor): Promise<{ readonly head: string; readonly socket: Socket }> {
  const credentials = Object.entries(server.credentials[as]).map(([name, value]) => `${name}: ${value}`)
  const head = ['GET /api/2018-10-01/methods/export HTTP/1.1', 'Host: a', ...credentials].join('\r\n')
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`))
    socket.on('error', reject)
    socket.once('data', (chunk) => {
      socket.pause()
      resolve({ head: chunk.toString('latin1').split('\r\n\r\n')[0] ?? '', socket })
    })
  })
}

test('exports that nobody reads are few, and those of one user fewer', async () => {
  const open = await Promise.all(Array.from({ length: 4 }, () => begin('ada')))
  for (const { head } of open) expect(head).toMatch(/^HTTP\/1.1 200 OK/)
  const refused = await server.call('GET', 'methods/export')
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 42931, '5'])
  const others = await Promise.all(Array.from({ length: 4 }, () => begin('bob')))
  for (const { head } of others) expect(head).toMatch(/^HTTP\/1.1 200 OK/)

  open[0]?.socket.destroy()
  const again = async () => {
    const { head, socket } = await begin('ada')
    socket.destroy()
    return head
  }
  await expect.poll(again).toMatch(/^HTTP\/1.1 200 OK/)
  for (const { socket } of [...open, ...others]) socket.destroy()
})

test('an export that breaks off says beforehand that it cannot be gone on with, and is whole when it is asked for again', async () => {
  const { head, socket } = await begin('ada')
  expect(head).toMatch(/^accept-ranges: none$/im)
  expect(head).not.toMatch(/^content-length:/im)
  socket.destroy()
  const headers = { ...server.credentials.ada, range: 'bytes=1000-' }
  const ask = (path: string) => fetch(`${server.origin}/api/2018-10-01/${path}`, { headers })
  await expect.poll(async () => (await ask('methods/export')).status).toBe(200)
  const again = await ask('methods/export')
  expect((await again.text()).split('\n').filter((line) => line !== '')).toHaveLength(30)
  const archive = await ask('materials/export?files=true')
  expect([archive.status, archive.headers.get('accept-ranges')]).toEqual([200, 'none'])
  await archive.arrayBuffer()
})
