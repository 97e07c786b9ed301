import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
let path: string

beforeAll(async () => {
  server = await startServer()
  path = await create('plain')
})
afterAll(() => server.close())

async function create(name: string, fields: object = {}): Promise<string> {
  const { body } = await server.call('POST', 'materials', { body: material(name, fields) })
  return `/api/2018-10-01/materials/${body.data._id}`
}

/** A request as it goes over the wire. */
function request(target: string, lines: readonly string[] = [], version = '1.1'): string {
  const credentials = Object.entries(server.credentials.ada).map(([name, value]) => `${name}: ${value}`)
  return `${[`GET ${target} HTTP/${version}`, 'Host: a', ...credentials, ...lines].join('\r\n')}\r\n\r\n`
}

/** Sends texts one after another over one connection, and gives all that comes until the server closes or a text has come. */
function converse(texts: readonly string[], isEnd: (received: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1')
    let received = ''
    socket.setTimeout(5000, () => reject(new Error(`no end: ${received.slice(-500)}`)))
    socket.on('connect', () => {
      for (const text of texts) socket.write(text)
    })
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8')
      if (isEnd(received)) socket.destroy()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

const answersIn = (received: string) => received.split('HTTP/1.1 ').slice(1)

/** Header names and values of an answer, without what is another each time. */
function headersIn(answer: string): readonly string[] {
  const [, ...lines] = (answer.split('\r\n\r\n', 1)[0] ?? '').split('\r\n')
  const changing = /^(date|x-request-id|server-timing):/i
  return lines
    .filter((line) => !changing.test(line))
    .map((line) => `${line.slice(0, line.indexOf(':')).toLowerCase()}${line.slice(line.indexOf(':'))}`)
    .sort()
}

describe('an answer', () => {
  test('has the same headers whichever way its address is written, with the time as HTTP has it', async () => {
    const [plain] = answersIn(await converse([request(path)], (text) => text.includes('}}')))
    const [slashed] = answersIn(await converse([request(`${path}/`)], (text) => text.includes('}}')))
    expect(headersIn(plain ?? '')).toEqual(headersIn(slashed ?? ''))
    const date = /^Date: (.*)$/im.exec(plain ?? '')?.[1]?.trim() ?? ''
    expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000)
    expect(new Date(date).toUTCString()).toBe(date)
  })

  test('is followed by those to the requests behind it, in their order', async () => {
    const other = await create('second')
    const missing = '/api/2018-10-01/materials/none'
    const targets = [path, other, missing, path, '/api/2018-10-01/materials?projection={"limit":1}', other]
    const received = await converse([targets.map((target) => request(target)).join('')], (text) => {
      return answersIn(text).length === targets.length && text.endsWith('}')
    })
    const seen = answersIn(received).map((answer) => {
      const { data, status } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
      return status === 'success' ? (data.name ?? data.length) : status
    })
    expect(seen).toEqual(['plain', 'second', 'fail', 'plain', 1, 'second'])
  })

  test('is the last when the client wants to close, or is too old to go on', async () => {
    const closing = await converse([request(path, ['Connection: close'])], () => false)
    expect(closing).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*\}\}$/i)
    const old = await converse([request(path, [], '1.0')], () => false)
    expect(old).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*\}\}$/i)
  })

  test('says that nothing has changed, and the connection goes on', async () => {
    const [first] = answersIn(await converse([request(path)], (text) => text.includes('}}')))
    const etag = /^etag: (.*)$/im.exec(first ?? '')?.[1]?.trim() ?? ''
    const received = await converse([request(path, [`If-None-Match: ${etag}`]), request(path)], (text) =>
      text.includes('}}'),
    )
    expect(answersIn(received).map((answer) => answer.slice(0, 3))).toEqual(['304', '200'])
  })

  test.each([
    ['in letters that take one byte and more', { description: 'Ångström: 5.43 Å, 硅, 🧪, ½' }],
    ['long and plain', { description: 'x'.repeat(300_000) }],
    ['long, in letters that take more bytes', { description: '硅'.repeat(100_000) }],
  ])('is whole when the record is %s', async (_what, fields) => {
    const target = await create('special', fields)
    for (let time = 0; time < 3; time++) {
      const { body } = await server.call('GET', target)
      expect(body.data.description).toBe(fields.description)
    }
  })

  test('reaches a client that reads slowly', async () => {
    const target = await create('slow', { description: 'y'.repeat(4_000_000) })
    const received = await new Promise<number>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1')
      let bytes = 0
      socket.on('connect', () => {
        socket.pause()
        for (let time = 0; time < 3; time++) socket.write(request(target))
        // By then what the server has written waits.
        expect
          .poll(() => server.services.bytes.held)
          .toBeGreaterThan(1_000_000)
          .then(() => socket.resume(), reject)
      })
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > 12_000_000) socket.destroy()
      })
      socket.on('close', () => resolve(bytes))
      socket.on('error', reject)
    })
    expect(received).toBeGreaterThan(12_000_000)
  })
})

describe('a client of a connection', () => {
  test('is another one as soon as it sends another credential', async () => {
    const bearer = (name: 'ada' | 'bob') => `Authorization: Bearer ${server.credentials[name]['x-auth-token']}`
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\n`
    const texts = [bearer('ada'), bearer('ada'), bearer('bob'), 'X-Nobody: 1', bearer('ada')]
    const received = await converse(
      texts.map((line) => `${head}${line}\r\n\r\n`),
      (text) => answersIn(text).length === texts.length && text.endsWith('}}'),
    )
    expect(answersIn(received).map((answer) => answer.slice(0, 3))).toEqual(['200', '200', '404', '401', '200'])
  })

  test('asks for the account that it names, whichever it named before', async () => {
    const { ada, bob } = server.credentials
    const of = (account: string) =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Account-Id: ${account}\r\nX-Auth-Token: ${ada['x-auth-token']}\r\n\r\n`
    const accounts = [ada, ada, bob, ada].map((one) => one['x-account-id'] as string)
    const received = await converse(
      accounts.map(of),
      (text) => answersIn(text).length === accounts.length && text.endsWith('}}'),
    )
    expect(answersIn(received).map((answer) => answer.slice(0, 3))).toEqual(['200', '200', '401', '200'])
  })
})

describe('a list that was asked before and is not remembered', () => {
  const TARGET = `/api/2018-10-01/materials?query={"name":{"$gte":"list"}}&projection={"sort":{"name":1},"limit":2,"fields":{"name":1}}`
  let forgetful: LiveServer
  beforeAll(async () => {
    forgetful = await startServer({ http: { responseCacheBytes: 0 } })
    for (const name of ['list a', 'list b', 'list c']) await add(name)
  })
  afterAll(() => forgetful.close())

  const add = (name: string, as: 'ada' | 'bob' = 'ada') =>
    forgetful.call('POST', 'materials', { as, body: material(name) })
  const ask = (target = TARGET, headers: Record<string, string> = {}) => forgetful.call('GET', target, { headers })
  const namesIn = (answer: Awaited<ReturnType<typeof ask>>) =>
    answer.body.data.map(({ name }: { name: string }) => name)

  test('is answered in the words of the first time, with the way to the next page and the stations of the query', async () => {
    const [first, ...later] = [await ask(), await ask(), await ask()]
    for (const again of later) {
      expect(again.text).toBe(first?.text)
      for (const name of ['etag', 'link', 'x-next-cursor', 'content-type', 'cache-control']) {
        expect([name, again.headers.get(name)]).toEqual([name, first?.headers.get(name)])
      }
      expect(again.headers.get('server-timing')).toMatch(
        /^thread;desc=request, homes;.*, choose;.*, documents;.*, total;dur=\d/,
      )
    }
    const next = /^<([^>]+)>; rel="next"$/.exec(later[0]?.headers.get('link') ?? '')?.[1] ?? ''
    for (let time = 0; time < 2; time++) expect(namesIn(await ask(next))).toEqual(['list c'])
  })

  test('has what was written since, and is 304 for whom nothing has changed', async () => {
    const etag = (await ask()).headers.get('etag') ?? ''
    expect((await ask(TARGET, { 'if-none-match': etag })).status).toBe(304)
    await add('list 0')
    const changed = await ask(TARGET, { 'if-none-match': etag })
    expect([changed.status, namesIn(changed)]).toEqual([200, ['list 0', 'list a']])
  })

  test('is of whoever asks', async () => {
    await ask()
    await ask()
    await add('list of bob', 'bob')
    const ofBob = await forgetful.call('GET', TARGET, { as: 'bob' })
    expect(namesIn(ofBob)).toEqual(['list of bob'])
    expect(namesIn(await forgetful.call('GET', TARGET, { as: 'bob' }))).toEqual(['list of bob'])
  })

  test('is refused again when it was refused', async () => {
    for (let time = 0; time < 3; time++) {
      expect((await ask('/api/2018-10-01/materials?query={"$where":"1"}')).status).toBe(400)
    }
  })

  test('is refused once its cursor leads nowhere, though it was answered before', async () => {
    const place = await add('list z')
    const long = `list z${'z'.repeat(3000)}`
    await forgetful.call('PATCH', `materials/${place.body.data._id}`, { body: { name: long } })
    const target = (after: string) =>
      `/api/2018-10-01/materials?projection=${encodeURIComponent(`{"sort":{"name":-1},"limit":1,"after":"${after}"}`)}`
    const first = await ask(`/api/2018-10-01/materials?projection={"sort":{"name":-1},"limit":1}`)
    const after = first.headers.get('x-next-cursor') ?? ''
    expect([(await ask(target(after))).status, (await ask(target(after))).status]).toEqual([200, 200])
    await forgetful.call('DELETE', `materials/${place.body.data._id}`)
    const statuses = [(await ask(target(after))).status, (await ask(target(after))).status]
    expect(statuses[1]).toBe(statuses[0])
  })
})
