import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server/build-server.ts'
import { type Answer, type LiveServer, startServer } from './support/live-server.ts'
import { rawRequest } from './support/raw-request.ts'
import { material } from './support/records.ts'

let server: LiveServer
let id: string

beforeAll(async () => {
  server = await startServer()
  id = (await create('first', {})).body.data._id
})
afterAll(() => server.close())

const create = (name: string, fields: object, as: 'ada' | 'bob' = 'ada') =>
  server.call('POST', 'materials', { as, body: material(name, fields) })
const list = (headers: Record<string, string> = {}, as: 'ada' | 'bob' | 'guest' = 'ada') =>
  server.call('GET', 'materials?projection={"sort":{"name":1}}', { headers, as })
const one = (headers: Record<string, string> = {}) => server.call('GET', `materials/${id}`, { headers })
const etagOf = ({ headers }: Answer) => headers.get('etag') ?? ''
/** Nothing was run for it. */
const isRemembered = ({ status, headers }: Pick<Answer, 'headers' | 'status'>) =>
  status === 200 && /^total;/.test(headers.get('server-timing') ?? '')
const lengthOf = ({ body }: Answer): number => body.data.length

/** A new credential, as headers. */
async function newTokenOf(actor: 'ada' | 'bob') {
  const { body } = await server.call('POST', 'tokens', { as: actor, body: { name: 'new' } })
  const { token, ...headers } = body.data
  return { tokenId: token._id as string, headers }
}

/** What an answer says, without what is different each time. */
function lasting({ status, headers, text }: Answer) {
  const { date: _date, 'x-request-id': _id, 'server-timing': _timing, ...others } = Object.fromEntries(headers)
  return { status, headers: others, text }
}

describe('an answer that was given before', () => {
  test.each([
    ['a list', list],
    ['a record', one],
  ])('is given again in the same words: %s', async (_what, ask) => {
    const answers = [await ask(), await ask(), await ask()]
    expect(lasting(answers[1] as Answer)).toEqual(lasting(answers[0] as Answer))
    expect(lasting(answers[2] as Answer)).toEqual(lasting(answers[0] as Answer))
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3)
    for (const { headers } of answers) expect(headers.get('server-timing')).toMatch(/total;dur=\d+\.\d\d$/)
  })

  test('is the same the long way: with a slash at the end, under another version of the address', async () => {
    const { data } = (await one()).body
    for (const path of [`materials/${id}/`, `/api/2018-10-1/materials/${id}`, `/2018-10-01/materials/${id}`]) {
      expect((await server.call('GET', path)).body.data).toEqual(data)
    }
  })

  test('is not given after a write, by whichever process', async () => {
    await list()
    const before = lengthOf(await list())
    await create('second', {})
    expect(lengthOf(await list())).toBe(before + 1)
    const other = await server.storage.open()
    try {
      const text = JSON.stringify({ ...material('third'), _id: 'third' })
      const accountId = server.accountIds.ada
      await other.records.apply([
        { action: 'insert', collection: 'materials', id: 'third', accountId, isPublic: false, text },
      ])
      expect(lengthOf(await list())).toBe(before + 2)
    } finally {
      await other.close()
    }
  })

  test.each([
    ['GET', lengthOf],
    // Always comes the long way.
    ['HEAD', ({ headers }: Answer) => Number(headers.get('content-length'))],
  ])('is given under none of the addresses that were asked before a write: %s', async (method, sizeOf) => {
    const ask = (path: string) => server.call(method, path)
    const addresses = ['{"sort":{"name":1}}', '{"sort":{"name":-1}}'].map((sort) => `materials?projection=${sort}`)
    for (const address of [...addresses, ...addresses]) await ask(address)
    const before = await Promise.all(addresses.map(ask))
    await create('between', {})
    for (const [index, address] of addresses.entries()) {
      expect(sizeOf(await ask(address))).toBeGreaterThan(sizeOf(before[index] as Answer))
    }
  })

  test('is given the long way too: to another credential of the account, and for HEAD', async () => {
    await list()
    const { headers, status, text } = await server.call('HEAD', 'materials?projection={"sort":{"name":1}}')
    expect([status, text, isRemembered({ status, headers })]).toEqual([200, '', true])
    const again = await list((await newTokenOf('ada')).headers, 'guest')
    expect(isRemembered(again)).toBe(true)
    expect(lasting(again)).toEqual(lasting(await list()))
    const known = { 'if-none-match': etagOf(again) }
    expect((await server.call('HEAD', 'materials?projection={"sort":{"name":1}}', { headers: known })).status).toBe(304)
  })

  test('is given to nobody else', async () => {
    await one()
    await one()
    expect((await server.call('GET', `materials/${id}`, { as: 'bob' })).status).toBe(404)
    expect((await server.call('GET', `materials/${id}`, { as: 'guest' })).status).toBe(401)
    await list()
    expect(lengthOf(await list({}, 'bob'))).toBe(0)
  })

  test('is not given for a record that was changed or deleted', async () => {
    const path = `materials/${(await create('short-lived', {})).body.data._id}`
    await server.call('GET', path)
    await server.call('PATCH', path, { body: { name: 'renamed' } })
    expect((await server.call('GET', path)).body.data.name).toBe('renamed')
    await server.call('DELETE', path)
    expect((await server.call('GET', path)).status).toBe(404)
  })

  test('is not given when the request is refused the regular way', async () => {
    await one()
    const { 'x-account-id': account, 'x-auth-token': token } = server.credentials.ada
    const head = `GET /api/2018-10-01/materials/${id} HTTP/1.1\r\n`
    const credential = `X-Account-Id: ${account}\r\nX-Auth-Token: ${token}\r\n`
    expect((await rawRequest(server.port, `${head}${credential}\r\n`)).body.code).toBe(40030)
    const withBody = `${head}Host: a\r\n${credential}Content-Length: 2\r\n\r\n{}`
    expect((await rawRequest(server.port, withBody)).body.code).toBe(40040)
    expect((await server.call('HEAD', `materials/${id}`)).text).toBe('')
  })
})

describe('a credential that was right before', () => {
  /** A token of ada's that the server knows well. */
  async function familiarToken() {
    const { body } = await server.call('POST', 'tokens', { body: { name: 'familiar' } })
    const { token, ...headers } = body.data
    const ask = () => server.call('GET', `materials/${id}`, { as: 'guest', headers })
    for (let use = 0; use < 3; use++) expect((await ask()).status).toBe(200)
    return { tokenId: token._id as string, ask }
  }

  test('is dead from the request after its end on', async () => {
    const { tokenId, ask } = await familiarToken()
    await server.call('DELETE', `tokens/${tokenId}`)
    expect((await ask()).status).toBe(401)
  })

  test('is dead too when another process ended it', async () => {
    const { tokenId, ask } = await familiarToken()
    const { user } = (await server.services.accounts.store.membersOf(server.accountIds.ada))[0] ?? {}
    const other = await server.storage.open()
    try {
      expect(await other.accounts.revokeToken(user?.id ?? '', tokenId)).toBe(true)
      expect((await ask()).status).toBe(401)
    } finally {
      await other.close()
    }
  })
})

describe('the entity tag of a list', () => {
  test('answers 304 while nothing has changed', async () => {
    const etag = etagOf(await list())
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const known of [etag, `"0", ${etag}`, etag.slice(2)]) {
      const again = await list({ 'if-none-match': known })
      expect([again.status, again.text, etagOf(again)]).toEqual([304, '', etag])
    }
    expect((await list({ 'if-none-match': '"0"' })).status).toBe(200)
  })

  test('answers 304 also when the answer itself is not remembered', async () => {
    const forgetful = await startServer({ http: { responseCacheBytes: 0 } })
    try {
      const etag = (await forgetful.call('GET', 'materials')).headers.get('etag') ?? ''
      expect((await forgetful.call('GET', 'materials', { headers: { 'if-none-match': etag } })).status).toBe(304)
    } finally {
      await forgetful.close()
    }
  })

  test('is another one after every change that the asker can see, and only then', async () => {
    const tags = [etagOf(await list())]
    await create('of bob, private', {}, 'bob')
    tags.push(etagOf(await list()))
    expect(tags[1]).toBe(tags[0])
    await create('of bob, public', { isPublic: true }, 'bob')
    tags.push(etagOf(await list()))
    await create('mine', {})
    tags.push(etagOf(await list()))
    expect(new Set(tags).size).toBe(3)
    expect((await list({ 'if-none-match': tags[1] ?? '' })).status).toBe(200)
  })

  test('is another one for another account and another question', async () => {
    const etag = etagOf(await list())
    expect((await list({ 'if-none-match': etag }, 'bob')).status).toBe(200)
    const headers = { 'if-none-match': etag }
    expect((await server.call('GET', 'materials?projection={"limit":1}', { headers })).status).toBe(200)
    expect((await server.call('GET', 'materials?projection={"limit":0}', { headers })).status).toBe(400)
  })
})

describe('an answer that others make no difference to', () => {
  test('is given again though others have written what the asker cannot see, and have read', async () => {
    const { tokenId, headers } = await newTokenOf('bob')
    await list()
    expect(isRemembered(await list())).toBe(true)
    await create('of bob, private, unseen', {}, 'bob')
    expect(isRemembered(await list())).toBe(true)
    await list(headers, 'guest')
    const { store } = server.services.accounts
    const [bob] = await store.membersOf(server.accountIds.bob)
    const lastUse = async () =>
      (await store.listTokens(bob?.user.id ?? '')).find(({ id }) => id === tokenId)?.lastUsedAt ?? null
    await expect.poll(lastUse).not.toBeNull()
    expect(isRemembered(await list())).toBe(true)
    await create('of bob, for all', { isPublic: true }, 'bob')
    expect(isRemembered(await list())).toBe(false)
  })
})

describe('answers to several requests on one connection', () => {
  test('come in their order, whichever is found first', async () => {
    const { headers: credential } = await newTokenOf('ada')
    const { services } = server
    const { store } = services.records
    const find: typeof store.find = async (...asked) => {
      await store.readChangeCounter({ kind: 'operator' })
      await new Promise((resolve) => setImmediate(resolve))
      return store.find(...asked)
    }
    const distant = buildServer({ ...services, records: { ...services.records, store: { ...store, find } } })
    try {
      const origin = await distant.listen({ host: '127.0.0.1', port: 0 })
      await fetch(`${origin}/api/2018-10-01/materials?limit=1`, { headers: credential })
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      const head = Object.entries({ Host: 'a', ...credential }).map(([name, value]) => `${name}: ${value}`)
      const get = (path: string) => `GET /api/2018-10-01/${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`
      socket.write(get('materials?limit=2') + get(`materials/${id}`))
      let text = ''
      for await (const chunk of socket) {
        text += String(chunk)
        if (text.split('HTTP/1.1 200').length === 3 && text.endsWith('}')) break
      }
      const [, first = '', second = ''] = text.split('HTTP/1.1 200')
      expect([first.includes('"data":['), second.includes('"data":{')]).toEqual([true, true])
    } finally {
      await distant.close()
    }
  })
})
