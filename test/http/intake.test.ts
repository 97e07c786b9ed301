import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { Intake } from '../../src/http/bounds/held.ts'
import { startServer } from './support/live-server.ts'

const MIB = 2 ** 20
const CONNECTIONS = 12

test('of the bodies of one user a few parts are read in a turn of the event loop, and all in the end', async () => {
  const intake = new Intake()
  let inTurn = 0
  let most = 0
  let bytes = 0
  let isOver = false
  const endTurn = (): void => {
    most = Math.max(most, inTurn)
    inTurn = 0
    if (!isOver) setImmediate(endTurn)
  }
  const server = createServer((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => {
      inTurn += 1
      bytes += chunk.length
      intake.note('ada', incoming)
    })
    incoming.on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  endTurn()
  try {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false })
        sent.end(Buffer.alloc(8 * MIB))
        const [response] = await once(sent, 'response')
        response.resume()
        await once(response, 'end')
      }),
    )
  } finally {
    isOver = true
    server.close()
  }
  expect(bytes).toBe(CONNECTIONS * 8 * MIB)
  // Eight for the user, and the first of each connection, which may come before it is known whose it is.
  expect(most).toBeLessThanOrEqual(8 + CONNECTIONS)
})

test('a body that is refused is thrown away to its end, and the next request on the connection is answered', async () => {
  const server = await startServer()
  const socket = connect(server.port, '127.0.0.1')
  try {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    const credentials = Object.entries(server.credentials.ada).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = (line: string) => `${line} HTTP/1.1\r\nHost: a\r\n${credentials.join('')}`
    const post = head('POST /api/2018-10-01/materials/count')
    socket.write(`${post}Content-Type: application/json\r\nContent-Length: ${30 * MIB}\r\n\r\n`)
    socket.write(Buffer.alloc(30 * MIB, ' '))
    socket.write(`${head('GET /api/2018-10-01/materials?limit=1')}\r\n`)
    await expect.poll(() => received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  } finally {
    socket.destroy()
    await server.close()
  }
})
