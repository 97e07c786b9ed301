import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Listening {
  readonly status: number
  readonly type: string | null
  /** The next event, or undefined at the end. */
  next(): Promise<{ event: string; data: { collections?: string[] } } | undefined>
  stop(): Promise<void>
}

async function listen(as: Actor | Record<string, string>, to: LiveServer = server): Promise<Listening> {
  const headers = typeof as === 'string' ? to.credentials[as] : as
  const answer = await fetch(`${to.origin}/api/2018-10-01/events`, { headers })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
          const [event, data] = [field('event'), field('data')]
          if (event !== undefined) return { event, data: JSON.parse(data ?? 'null') }
          continue
        }
        const { done, value } = await reader.read()
        if (done) return undefined
        text += decoder.decode(value, { stream: true })
      }
    },
    stop: () => reader.cancel(),
  }
}

async function ready(as: Actor | Record<string, string>, to?: LiveServer): Promise<Listening> {
  const listening = await listen(as, to)
  expect(await listening.next()).toEqual({ event: 'ready', data: {} })
  return listening
}

test('names the collections in which something has changed that the account sees, together', async () => {
  const [ada, bob] = [await ready('ada'), await ready('bob')]
  expect([ada.status, ada.type]).toEqual([200, 'text/event-stream'])
  const { body } = await server.call('POST', 'methods', { body: method('private') })
  expect(await ada.next()).toEqual({ event: 'changed', data: { collections: ['methods'] } })
  await server.call('DELETE', `methods/${body.data._id}`)
  expect(await ada.next()).toEqual({ event: 'changed', data: { collections: ['methods'] } })
  // Of what is private bob hears nothing: the first that he hears of is public.
  await server.call('POST', 'materials', { body: material('public', { isPublic: true }) })
  const heard = { event: 'changed', data: { collections: ['bank-materials', 'materials'] } }
  expect([await bob.next(), await ada.next()]).toEqual([heard, heard])
  await Promise.all([ada.stop(), bob.stop()])
})

test('hears of what goes into segments at once', async () => {
  const ada = await ready('ada')
  const lines = Array.from({ length: 600 }, (_, at) => JSON.stringify(method(`line ${at}`)))
  const headers = { ...server.credentials.ada, 'content-type': 'application/x-ndjson' }
  const sent = { method: 'POST', headers, body: `${lines.join('\n')}\n` }
  await (await fetch(`${server.origin}/api/2018-10-01/methods/bulk`, sent)).text()
  expect(await ada.next()).toEqual({ event: 'changed', data: { collections: ['methods'] } })
  await ada.stop()
})

test('tells of a change of many records, and that there is another one to be undone', async () => {
  const { body } = await server.call('POST', 'methods', { body: method('to change') })
  const ada = await ready('ada')
  await server.call('PATCH', 'methods', { body: { ids: [body.data._id], change: { rank: 1 } } })
  expect(await ada.next()).toEqual({ event: 'changed', data: { collections: ['bulk-changes', 'methods'] } })
  await ada.stop()
})

test('ends when the session does', async () => {
  const { body } = await server.call('POST', 'login', {
    as: 'guest',
    body: { username: 'bob', password: 'a good password' },
  })
  const listening = await ready(body.data)
  await server.call('POST', 'logout', { as: 'guest', headers: body.data })
  expect(await listening.next()).toBeUndefined()
})

test('ends when the token does by itself', async () => {
  let passed = 0
  const other = await startServer({ clock: () => Date.now() + passed })
  const { body } = await other.call('POST', 'tokens', { body: { name: 'for a day', expiresInDays: 1 } })
  const { 'X-Account-Id': account, 'X-Auth-Token': token } = body.data
  const listening = await ready({ 'X-Account-Id': account, 'X-Auth-Token': token }, other)
  passed = 24 * 3_600_000
  expect(await listening.next()).toBeUndefined()
  await other.close()
})

test('ends when the server closes', async () => {
  const other = await startServer()
  const listening = await ready('ada', other)
  const [last] = await Promise.all([listening.next(), other.close()])
  expect(last).toBeUndefined()
})

test.each(['guest', 'disabled', 'mixed'] as const)('is refused to %s', async (actor) => {
  const { status } = await server.call('GET', 'events', { as: actor })
  expect(status).toBe(401)
})

test('takes a bounded number of streams of one user, and a place is free again when one ends', async () => {
  const streams = await Promise.all(Array.from({ length: 12 }, () => ready('readOnly')))
  const { status, body } = await server.call('GET', 'events')
  expect([status, body.code]).toEqual([429, 42931])
  await Promise.all(streams.map((stream) => stream.stop()))
  const tryAgain = async () => {
    const one = await listen('ada')
    await one.stop()
    return one.status
  }
  await expect.poll(tryAgain).toBe(200)
})
