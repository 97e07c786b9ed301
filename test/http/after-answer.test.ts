import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterAnswer } from '../../src/http/bounds/held.ts'

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

const SOON = { timeout: 20_000 }

/** Requests in the order in which they have come. */
const responses: ServerResponse[] = []
const server = createServer((_request, response) => void responses.push(response))
const clients: Socket[] = []
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  for (const client of clients) client.destroy()
  server.close()
})

/** Sends so many requests on one connection, a new one where none is given; gives what they are answered on. */
async function send(
  count: number,
  given?: Socket,
): Promise<{ client: Socket; socket: Socket; sent: readonly ServerResponse[] }> {
  const client = given ?? connect((server.address() as AddressInfo).port, '127.0.0.1')
  if (given === undefined) client.on('error', () => {}).resume()
  clients.push(client)
  const before = responses.length
  client.write(GET.repeat(count))
  await expect.poll(() => responses.length, SOON).toBe(before + count)
  const sent = responses.slice(before)
  return { client, socket: (sent[0] as ServerResponse).req.socket, sent }
}

test('what is to be done after an answer is done when it is out, and not once more when the connection ends', async () => {
  const { client, socket, sent } = await send(1)
  let done = 0
  afterAnswer(sent[0] as ServerResponse, socket, () => done++)
  expect(done).toBe(0)
  sent[0]?.end('ok')
  await expect.poll(() => done, SOON).toBe(1)
  client.destroy()
  await once(socket, 'close')
  expect(done).toBe(1)
})

test('it is done when the client goes, for an answer that waits behind another, too', async () => {
  const { client, socket, sent } = await send(2)
  const done: number[] = []
  for (const [at, response] of sent.entries()) afterAnswer(response, socket, () => done.push(at))
  const over = Promise.all([once(socket, 'close'), once(sent[0] as ServerResponse, 'close')])
  client.destroy()
  await over
  await new Promise((resolve) => setImmediate(resolve))
  expect(done.sort()).toEqual([0, 1])
})

test('it is done once for a second answer on a connection that ends', async () => {
  const { client, socket, sent } = await send(1)
  afterAnswer(sent[0] as ServerResponse, socket, () => {})
  sent[0]?.end('ok')
  await once(sent[0] as ServerResponse, 'close')
  const [second] = (await send(1, client)).sent as [ServerResponse]
  let done = 0
  afterAnswer(second, socket, () => done++)
  const over = Promise.all([once(socket, 'close'), once(second, 'close')])
  client.destroy()
  await over
  expect(done).toBe(1)
})

test('it is done at once when the client has gone already', async () => {
  const { client, socket, sent } = await send(1)
  client.destroy()
  await once(socket, 'close')
  let done = 0
  afterAnswer(sent[0] as ServerResponse, socket, () => done++)
  expect(done).toBe(1)
})
