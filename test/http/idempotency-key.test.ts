import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { ANSWERS_KEPT_MS } from '../../src/store/port/answers.ts'
import { type Answer, type LiveServer, type Sent, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
let now = Date.now()
beforeAll(async () => {
  server = await startServer({ clock: () => now })
})
afterAll(() => server.close())

let last = 0
const newKey = (): string => `key-${++last}`
const keyed = (key: string, sent: Sent = {}): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'Idempotency-Key': key },
})

const create = async (name = 'thing', fields: object = {}) =>
  (await server.call('POST', 'materials', { body: material(name, fields) })).body.data
const newSet = async (name: string) =>
  (await server.call('PUT', 'materials/create-set', { body: { name, entitySetType: 'ordered' } })).body.data
const remove = async (id: string) => server.call('DELETE', `materials/${id}`)
const countNamed = async (name: string): Promise<number> =>
  (await server.call('POST', 'materials/count', { body: { query: { name } } })).body.data.count
const versionOf = async (id: string): Promise<number> =>
  (await server.call('GET', `materials/${id}/history`)).body.data.version

/** What a client goes by. */
const gist = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries(
    ['etag', 'location', 'x-warnings', 'x-duplicates'].map((name) => [name, headers.get(name)]),
  ),
})

interface Scenario {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** What would show that it has been carried out twice. */
  readonly trace: () => Promise<unknown>
}

const ofName = (name: string) => () => countNamed(name)
const POSCAR = 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n'

/** One for each route that keeps its answers. */
const SCENARIOS: Readonly<Record<string, () => Promise<Scenario>>> = {
  'POST materials': async () => ({
    method: 'POST',
    path: 'materials',
    body: material('posted', { unheardOf: 1 }),
    trace: ofName('posted'),
  }),
  'PUT materials/create': async () => ({
    method: 'PUT',
    path: 'materials/create',
    body: material('put'),
    trace: ofName('put'),
  }),
  'PATCH materials/:id': async () => {
    const { _id } = await create()
    const trace = () => versionOf(_id)
    return { method: 'PATCH', path: `materials/${_id}`, body: { name: 'patched' }, trace }
  },
  'PATCH materials': async () => {
    const { _id } = await create()
    const body = { ids: [_id], change: { name: 'patched together' } }
    return { method: 'PATCH', path: 'materials', body, trace: () => versionOf(_id) }
  },
  'DELETE materials': async () => {
    const { _id } = await create()
    const trace = async () => (await server.call('GET', 'bulk-changes')).body.data.length
    return { method: 'DELETE', path: 'materials', body: { ids: [_id] }, trace }
  },
  'POST bulk-changes/:id/undo': async () => {
    const { _id } = await create()
    const { data } = (await server.call('DELETE', 'materials', { body: { ids: [_id] } })).body
    return { method: 'POST', path: `bulk-changes/${data.undo}/undo`, trace: () => versionOf(_id) }
  },
  'POST materials/:id/copy': async () => {
    const { _id } = await create('copied')
    return { method: 'POST', path: `materials/${_id}/copy`, trace: ofName('copied') }
  },
  'POST materials/:id/set-default': async () => {
    const { _id } = await create()
    return { method: 'POST', path: `materials/${_id}/set-default`, trace: () => versionOf(_id) }
  },
  'PUT materials/create-set': async () => ({
    method: 'PUT',
    path: 'materials/create-set',
    body: { name: 'a set' },
    trace: ofName('a set'),
  }),
  'PUT materials/:id/update-set': async () => {
    const { _id } = await newSet('to be updated')
    const trace = () => versionOf(_id)
    return { method: 'PUT', path: `materials/${_id}/update-set`, body: { name: 'updated' }, trace }
  },
  'POST materials/:id/move-to-set': async () => {
    const [{ _id }, from, to] = [await create(), await newSet('from'), await newSet('to')]
    await server.call('POST', `materials/${_id}/move-to-set?newSetId=${from._id}`)
    const path = `materials/${_id}/move-to-set?oldSetId=${from._id}&newSetId=${to._id}`
    return { method: 'POST', path, trace: () => versionOf(_id) }
  },
  'POST materials/:id/restore': async () => {
    const { _id } = await create()
    await remove(_id)
    return { method: 'POST', path: `materials/${_id}/restore`, trace: () => versionOf(_id) }
  },
  'POST materials/:id/purge': async () => {
    const { _id } = await create()
    await remove(_id)
    const trace = async () => (await server.call('POST', `materials/${_id}/restore`)).status
    return { method: 'POST', path: `materials/${_id}/purge`, trace }
  },
  'POST materials/import': async () => ({
    method: 'POST',
    path: 'materials/import',
    body: { name: 'imported', content: POSCAR, format: 'poscar' },
    trace: ofName('imported'),
  }),
  'POST accounts': async () => ({
    method: 'POST',
    path: 'accounts',
    body: { name: 'surface-lab' },
    trace: async () => (await server.call('GET', 'accounts')).body.data.length,
  }),
  'PATCH accounts/:id': async () => {
    const { _id } = (await server.call('POST', 'accounts', { body: { name: 'renamed-lab' } })).body.data
    const trace = () => server.services.accounts.store.readAccountsVersion()
    return { method: 'PATCH', path: `accounts/${_id}`, body: { title: 'Lab' }, trace }
  },
}

describe.each(Object.keys(SCENARIOS))('%s with an Idempotency-Key', (name) => {
  test('is carried out once, and answered as it was', async () => {
    const { method, path, body, trace } = await (SCENARIOS[name] as () => Promise<Scenario>)()
    const sent = keyed(newKey(), body === undefined ? {} : { body })
    const first = await server.call(method, path, sent)
    expect(first.status).toBeLessThan(300)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const before = await trace()
    const again = await server.call(method, path, sent)
    expect(gist(again)).toEqual(gist(first))
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await trace()).toEqual(before)
  })
})

test('the ETag of what was created holds in the answer that is given again', async () => {
  const sent = keyed(newKey(), { body: material('tagged') })
  await server.call('POST', 'materials', sent)
  const { body, headers } = await server.call('POST', 'materials', sent)
  const etag = headers.get('etag') as string
  expect((await server.call('GET', `materials/${body.data._id}`)).headers.get('etag')).toBe(etag)
})

test('many that come at once make one record', async () => {
  const sent = keyed(newKey(), { body: material('at once') })
  const answers = await Promise.all(Array.from({ length: 12 }, () => server.call('POST', 'materials', sent)))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  expect(await countNamed('at once')).toBe(1)
})

test('many that purge at once all hear that it was done', async () => {
  const { _id } = await create()
  await remove(_id)
  const sent = keyed(newKey())
  const purge = () => server.call('POST', `materials/${_id}/purge`, sent)
  const answers = await Promise.all(Array.from({ length: 5 }, purge))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

test.each([
  ['another body', { body: material('other') }, 'materials'],
  ['another address', { body: material('one') }, 'materials?onDuplicate=return'],
  ['another condition', { body: material('one'), headers: { 'If-Match': '*' } }, 'materials'],
])('%s under the same key is refused', async (_what, sent, path) => {
  const key = newKey()
  expect((await server.call('POST', 'materials', keyed(key, { body: material('one') }))).status).toBe(201)
  const { status, body } = await server.call('POST', path, keyed(key, sent))
  expect([status, body.code]).toEqual([422, 42260])
  expect(await countNamed('other')).toBe(0)
})

test('the same key of another user, and in another account, is another request', async () => {
  const { _id: lab } = (await server.call('POST', 'accounts', { body: { name: 'two-users' } })).body.data
  await server.call('PUT', `accounts/${lab}/members/bob`)
  const key = newKey()
  const body = material('whose')
  const inLab = { 'x-account-id': lab, 'Idempotency-Key': key }
  const answers = [
    await server.call('POST', 'materials', keyed(key, { body })),
    await server.call('POST', 'materials', { body, headers: inLab }),
    await server.call('POST', 'materials', { body, headers: inLab, as: 'bob' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(answers.map(({ body: answer }) => answer.data._id)).size).toBe(3)
})

test('what was refused is judged anew', async () => {
  const key = newKey()
  const set = await newSet('later')
  const { _id } = await create()
  const path = `materials/${_id}/move-to-set?oldSetId=${set._id}`
  expect((await server.call('POST', path, keyed(key))).status).toBe(409)
  await server.call('POST', `materials/${_id}/move-to-set?newSetId=${set._id}`)
  expect((await server.call('POST', path, keyed(key))).status).toBe(200)
})

test('what has changed nothing is answered as it was, too', async () => {
  const present = material('present', {}, 5.55)
  const { _id } = (await server.call('POST', 'materials', { body: present })).body.data
  const sent = keyed(newKey(), { body: present })
  const first = await server.call('POST', 'materials?onDuplicate=return', sent)
  expect([first.status, first.body.data._id]).toEqual([200, _id])
  await server.call('DELETE', `materials/${_id}?purge=true`)
  const again = await server.call('POST', 'materials?onDuplicate=return', sent)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
})

test('a day later it is a new request', async () => {
  const sent = keyed(newKey(), { body: material('next day') })
  await server.call('POST', 'materials', sent)
  now += ANSWERS_KEPT_MS
  expect((await server.call('POST', 'materials', sent)).headers.get('idempotent-replayed')).toBeNull()
  expect(await countNamed('next day')).toBe(2)
})

test('a form that is sent again, with another boundary, is answered as it was', async () => {
  const key = newKey()
  const send = async () => {
    const form = new FormData()
    form.append('files', new Blob([POSCAR.replaceAll('3.35', '3.36')]), 'po.poscar')
    const headers = { ...server.credentials.ada, 'Idempotency-Key': key }
    const url = `${server.origin}/api/2018-10-01/materials/import`
    const response = await fetch(url, { method: 'POST', headers, body: form })
    return { replayed: response.headers.get('idempotent-replayed'), body: await response.json() }
  }
  const first = await send()
  expect(first).toMatchObject({ replayed: null, body: { data: { stored: 1 } } })
  expect(await send()).toEqual({ ...first, replayed: 'true' })
})

test('a bulk import takes a key, and stores nothing twice by itself', async () => {
  const lines = `${JSON.stringify(material('in bulk', {}, 4.01))}\n${JSON.stringify(material('in bulk', {}, 4.02))}\n`
  const send = () =>
    fetch(`${server.origin}/api/2018-10-01/materials/bulk`, {
      method: 'POST',
      headers: { ...server.credentials.ada, 'Content-Type': 'application/x-ndjson', 'Idempotency-Key': 'bulk' },
      body: lines,
    }).then((response) => response.text())
  expect(await send()).toContain('"stored":2')
  expect(await send()).toContain('"skipped":2')
  expect(await countNamed('in bulk')).toBe(2)
})

test.each([
  ['plain', '"plain"'],
  ['with space, comma', '"with space, comma"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
])('the key %s is a text, with quotes as without', async (_key, quoted) => {
  const body = material(`quoted ${last}`)
  const first = await server.call('POST', 'materials', keyed(quoted, { body }))
  expect(first.status).toBe(201)
  const again = quoted === '"plain"' ? 'plain' : quoted
  expect((await server.call('POST', 'materials', keyed(again, { body }))).text).toBe(first.text)
})

test.each(['', '""', 'a b', 'a, b', '"open', 'x'.repeat(256)])('the key %j is refused', async (key) => {
  const { status, body } = await server.call('POST', 'materials', keyed(key, { body: material('no key') }))
  expect([status, body.code, body.data.path]).toEqual([400, 40041, 'Idempotency-Key'])
})

test.each([
  ['POST', 'tokens', { name: 'laptop' }],
  ['DELETE', 'materials/nothing', undefined],
  ['POST', 'logout', undefined],
])('%s %s, whose answer is not kept, refuses the key by name', async (method, path, body) => {
  const { status, body: answer } = await server.call(method, path, keyed(newKey(), body === undefined ? {} : { body }))
  expect([status, answer.code]).toEqual([400, 40042])
})

test.each([
  ['GET', 'materials', undefined],
  ['POST', 'materials/search', { query: {} }],
  ['POST', 'materials/count', {}],
])('%s %s, which writes nothing, does not mind it', async (method, path, body) => {
  const sent = keyed('any thing', body === undefined ? {} : { body })
  expect((await server.call(method, path, sent)).status).toBe(200)
})

test('of each POST it is known whether it may come again', () => {
  const routes = allRoutes(server.services, DEFAULT_HTTP_SETTINGS)
  const unsaid = routes.filter(({ method, repeats }) => method === 'POST' && repeats === undefined)
  expect(unsaid.map(({ path }) => path.replace('/api/2018-10-01', ''))).toEqual([
    // Whoever sends these again wants another one, or is told that it is done.
    ...['/login', '/logout', '/session', '/tokens', '/users/me/password'],
  ])
})

test('each route of materials that keeps its answers is tried here', () => {
  const routes = allRoutes(server.services, DEFAULT_HTTP_SETTINGS)
  const kept = routes.filter(
    ({ repeats, path }) => repeats === 'kept' && /\/(materials|accounts|bulk-changes)(\/|$)/.test(path),
  )
  const names = kept.map(({ method, path }) => `${method} ${path.replace('/api/2018-10-01/', '')}`)
  expect(Object.keys(SCENARIOS).sort()).toEqual(names.sort())
})
