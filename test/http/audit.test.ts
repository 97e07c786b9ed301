import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import type { AuditRow } from '../../src/store/port/audit.ts'
import type { Store } from '../../src/store/port/store.ts'
import { vasprunText } from '../calculations/vasprun-text.ts'
import { type Actor, type LiveServer, PASSWORD, type Sent, startServer } from './support/live-server.ts'
import { beginMany, carryOutAll, MANY, storeMany } from './support/many.ts'
import { material, method } from './support/records.ts'
import { makeStale } from './support/stale.ts'

let server: LiveServer
let other: Store
beforeAll(async () => {
  server = await startServer()
  // As an operator reads it, beside the server.
  other = await server.storage.open({ readOnly: true })
})
afterAll(async () => {
  await other.close()
  await server.close()
})

const create = async (fields: object = {}): Promise<string> =>
  (await server.call('POST', 'methods', { body: method('thing', fields) })).body.data._id
const createSet = async (): Promise<string> =>
  (await server.call('PUT', 'methods/create-set', { body: { name: 'set', entitySetType: 'ordered' } })).body.data._id
const inSet = async () => {
  const [id, set] = [await create(), await createSet()]
  await server.call('POST', `methods/${id}/move-to-set?oldSetId=&newSetId=${set}`)
  return set
}
const removed = async () => {
  const id = await create({ isPublic: true })
  await server.call('DELETE', `methods/${id}`)
  return id
}
const organization = async (name: string) =>
  (await server.call('POST', 'accounts', { body: { name } })).body.data._id as string
const withBob = async (name: string) => {
  const id = await organization(name)
  await server.call('PUT', `accounts/${id}/members/bob`, { body: { role: 'member' } })
  return id
}
const token = async () => (await server.call('POST', 'tokens', { body: { name: 'x' } })).body.data.token._id as string
const anotherSession = async () => {
  const { body } = await server.call('POST', 'login', { as: 'guest', body: { username: 'ada', password: PASSWORD } })
  return { 'x-account-id': body.data['X-Account-Id'], 'x-auth-token': body.data['X-Auth-Token'] }
}

const withFile = async () => {
  const id = await create()
  await server.call('PUT', `methods/${id}/files/a`, { body: 'x' })
  return id
}
const job = async () => (await server.call('POST', 'jobs', { body: { name: 'relax' } })).body.data._id as string
const addressFor = async (id: string): Promise<string> => {
  const { body } = await server.call('POST', `jobs/${id}/presigned-urls`, { body: { files: ['a'] } })
  return body.data.presignedURLs[0].URL
}
const withUpload = async () => {
  const id = await job()
  await fetch(await addressFor(id), { method: 'PUT', body: 'x' })
  return id
}
const staged = async (text = vasprunText()) => {
  const { body } = await server.call('PUT', 'uploads/vasprun.xml', { body: text })
  return { name: 'vasprun.xml', ticket: body.data.ticket as string }
}

interface Write {
  /** The route that it is a request to. */
  readonly route: string
  /** Prepares what the request needs, and gives it. */
  readonly request: () => Promise<readonly [method: string, path: string, sent?: Sent]>
  readonly actions: readonly string[]
  readonly as?: Actor
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const PAGE = { 'x-quarry-page': '1', 'sec-fetch-site': 'same-origin' }
const LINES = { 'content-type': 'application/x-ndjson' }
const lines = (...documents: object[]) => documents.map((document) => JSON.stringify(document)).join('\n')
const POSCAR = 'Si\n1.0\n0 2.7 2.7\n2.7 0 2.7\n2.7 2.7 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'

const WRITES: readonly Write[] = [
  {
    route: 'POST /login',
    request: async () => ['POST', 'login', { as: 'guest', headers: FORM, body: `username=ada&password=${PASSWORD}` }],
    actions: ['login.succeeded'],
  },
  {
    route: 'POST /login',
    request: async () => ['POST', 'login', { as: 'guest', headers: FORM, body: 'username=ada&password=no' }],
    actions: ['login.failed'],
  },
  {
    route: 'POST /session',
    request: async () => [
      'POST',
      'session',
      { as: 'guest', headers: PAGE, body: { username: 'ada', password: PASSWORD } },
    ],
    actions: ['login.succeeded'],
  },
  {
    route: 'DELETE /session',
    request: async () => ['DELETE', 'session', { as: 'guest', headers: await anotherSession() }],
    actions: ['session.ended'],
  },
  {
    route: 'POST /tokens',
    request: async () => ['POST', 'tokens', { body: { name: 'x' } }],
    actions: ['token.created'],
  },
  {
    route: 'DELETE /tokens/:id',
    request: async () => ['DELETE', `tokens/${await token()}`],
    actions: ['token.revoked'],
  },
  {
    route: 'DELETE /tokens',
    request: async () => {
      await server.call('DELETE', 'tokens?kind=session&others=true')
      await anotherSession()
      return ['DELETE', 'tokens?kind=session&others=true']
    },
    actions: ['session.ended'],
  },
  {
    route: 'POST /users/me/password',
    request: async () => [
      'POST',
      'users/me/password',
      { as: 'bob', body: { currentPassword: PASSWORD, password: 'another good password' } },
    ],
    as: 'bob',
    actions: ['user.password-changed'],
  },
  {
    route: 'POST /users/me/password',
    request: async () => [
      'POST',
      'users/me/password',
      { as: 'bob', body: { currentPassword: 'a wrong password', password: 'another good password' } },
    ],
    as: 'bob',
    actions: ['login.failed'],
  },
  {
    route: 'POST /accounts',
    request: async () => ['POST', 'accounts', { body: { name: 'lab-1' } }],
    actions: ['account.created'],
  },
  {
    route: 'PATCH /accounts/:id',
    request: async () => ['PATCH', `accounts/${await organization('lab-6')}`, { body: { title: 'Lab 6' } }],
    actions: ['account.changed'],
  },
  {
    route: 'DELETE /accounts/:id',
    request: async () => ['DELETE', `accounts/${await organization('lab-2')}`],
    actions: ['account.removed'],
  },
  {
    route: 'PUT /accounts/:id/members/:user',
    request: async () => ['PUT', `accounts/${await organization('lab-3')}/members/bob`, { body: { role: 'member' } }],
    actions: ['member.put'],
  },
  {
    route: 'PUT /accounts/:id/members/:user',
    request: async () => ['PUT', `accounts/${await withBob('lab-4')}/members/bob`, { body: { role: 'owner' } }],
    actions: ['member.owner-passed'],
  },
  {
    route: 'DELETE /accounts/:id/members/:user',
    request: async () => ['DELETE', `accounts/${await withBob('lab-5')}/members/bob`],
    actions: ['member.removed'],
  },
  {
    route: 'POST /methods',
    request: async () => ['POST', 'methods', { body: method('a') }],
    actions: ['record.created'],
  },
  {
    route: 'POST /methods',
    request: async () => ['POST', 'methods', { body: method('a', { isPublic: true }) }],
    actions: ['record.created', 'record.published'],
  },
  {
    route: 'PUT /methods/create',
    request: async () => ['PUT', 'methods/create', { body: method('a') }],
    actions: ['record.created'],
  },
  {
    route: 'PATCH /methods/:id',
    request: async () => ['PATCH', `methods/${await create()}`, { body: { name: 'b' } }],
    actions: ['record.changed'],
  },
  {
    route: 'PATCH /methods/:id',
    request: async () => ['PATCH', `methods/${await create()}`, { body: { isPublic: true } }],
    actions: ['record.changed', 'record.published'],
  },
  {
    route: 'PATCH /methods/:id',
    request: async () => ['PATCH', `methods/${await create({ isPublic: true })}`, { body: { isPublic: false } }],
    actions: ['record.changed', 'record.withdrawn'],
  },
  {
    route: 'PATCH /methods',
    request: async () => {
      const ids = [await create(), await create()]
      return ['PATCH', 'methods', { body: { ids, change: { isPublic: true } } }]
    },
    actions: ['record.changed', 'record.published', 'record.changed', 'record.published'],
  },
  {
    route: 'PATCH /methods',
    request: async () => {
      const id = await create()
      await makeStale(server, 'methods', id, 'slug')
      return ['PATCH', 'methods', { body: { ids: [id], recompute: true } }]
    },
    actions: ['record.recomputed'],
  },
  {
    route: 'DELETE /methods',
    request: async () => ['DELETE', 'methods', { body: { ids: [await create(), await create()] } }],
    actions: ['record.removed', 'record.removed'],
  },
  {
    route: 'POST /bulk-changes/:id/undo',
    request: async () => {
      const { data } = (await server.call('DELETE', 'methods', { body: { ids: [await create()] } })).body
      return ['POST', `bulk-changes/${data.undo}/undo`]
    },
    actions: ['record.restored'],
  },
  {
    route: 'POST /bulk-changes/:id/cancel',
    // What it has done by then is in the audit with the portions: the test below.
    request: async () => {
      await storeMany(server, 'cancelled')
      const { data } = (await beginMany(server, 'cancelled', { change: { rank: 1 } })).body
      return ['POST', `bulk-changes/${data._id}/cancel`]
    },
    actions: [],
  },
  {
    route: 'PUT /methods/:id/files/:name',
    request: async () => ['PUT', `methods/${await create()}/files/a`, { body: 'x' }],
    actions: ['record.changed'],
  },
  {
    route: 'DELETE /methods/:id/files/:name',
    request: async () => ['DELETE', `methods/${await withFile()}/files/a`],
    actions: ['record.changed'],
  },
  {
    route: 'POST /jobs/:id/output-files',
    request: async () => ['POST', `jobs/${await withUpload()}/output-files`, { body: { files: ['a'] } }],
    actions: ['record.changed'],
  },
  {
    route: 'POST /jobs/import',
    request: async () => ['POST', 'jobs/import', { body: { files: [await staged()] } }],
    actions: Array<string>(15).fill('record.created'),
  },
  {
    route: 'POST /jobs/imports',
    // What is stored by then is in the audit with the portions: a test below.
    request: async () => ['POST', 'jobs/imports', { body: '', headers: { 'content-type': 'application/x-ndjson' } }],
    actions: [],
  },
  // Bytes on their way to a record are none of its yet.
  { route: 'PUT /uploads/:name', request: async () => ['PUT', 'uploads/a', { body: 'x' }], actions: [] },
  {
    route: 'PUT /file-links',
    request: async () => ['PUT', await addressFor(await job()), { as: 'guest', body: 'x' }],
    actions: [],
  },
  {
    route: 'DELETE /methods/:id',
    request: async () => ['DELETE', `methods/${await create()}`],
    actions: ['record.removed'],
  },
  {
    route: 'DELETE /methods/:id',
    request: async () => ['DELETE', `methods/${await create()}?purge=true`],
    actions: ['record.erased'],
  },
  {
    route: 'DELETE /methods/:id',
    request: async () => ['DELETE', `methods/${await inSet()}`],
    actions: ['record.removed', 'record.changed'],
  },
  {
    route: 'POST /methods/:id/restore',
    request: async () => ['POST', `methods/${await removed()}/restore`],
    actions: ['record.restored', 'record.published'],
  },
  {
    route: 'POST /methods/:id/purge',
    request: async () => ['POST', `methods/${await removed()}/purge`],
    actions: ['record.erased'],
  },
  {
    route: 'POST /methods/:id/copy',
    request: async () => ['POST', `methods/${await create()}/copy`],
    actions: ['record.created'],
  },
  {
    route: 'POST /methods/:id/set-default',
    request: async () => ['POST', `methods/${await create()}/set-default`],
    actions: ['record.changed'],
  },
  {
    route: 'POST /methods/:id/set-default',
    request: async () => ['POST', `methods/${await create()}/set-default`],
    actions: ['record.changed', 'record.changed'],
  },
  {
    route: 'PUT /methods/create-set',
    request: async () => ['PUT', 'methods/create-set', { body: { name: 's' } }],
    actions: ['record.created'],
  },
  {
    route: 'PUT /methods/:id/update-set',
    request: async () => ['PUT', `methods/${await createSet()}/update-set`, { body: { name: 'other' } }],
    actions: ['record.changed'],
  },
  {
    route: 'POST /methods/:id/move-to-set',
    request: async () => ['POST', `methods/${await create()}/move-to-set?oldSetId=&newSetId=${await createSet()}`],
    actions: ['record.changed'],
  },
  {
    route: 'POST /methods/bulk',
    request: async () => [
      'POST',
      'methods/bulk',
      { headers: LINES, body: lines(method('a'), method('b', { isPublic: true }), { name: 7 }) },
    ],
    actions: ['record.created', 'record.created', 'record.published'],
  },
  {
    route: 'POST /structures/build',
    request: async () => {
      const { body } = await server.call('POST', 'materials', { body: material('cell') })
      const steps = [{ supercell: { size: [2, 1, 1] } }]
      return ['POST', 'structures/build', { body: { material: body.data._id, steps, store: true } }]
    },
    actions: ['record.created'],
  },
  {
    route: 'POST /materials/import',
    request: async () => ['POST', 'materials/import', { body: { content: POSCAR, format: 'poscar' } }],
    actions: ['record.created'],
  },
  {
    route: 'POST /materials',
    // The bank gets its entry with it, which is nobody's doing.
    request: async () => ['POST', 'materials', { body: material('banked', { isPublic: true }) }],
    actions: ['record.created', 'record.published'],
  },
  {
    route: 'POST /bank-materials/:id/copy',
    request: async () => {
      const { data } = (await server.call('GET', 'bank-materials')).body
      return ['POST', `bank-materials/${data[0]._id}/copy`]
    },
    actions: ['record.created'],
  },
  {
    route: 'POST /logout',
    request: async () => ['POST', 'logout', { as: 'bob' }],
    actions: ['session.ended'],
    as: 'bob',
  },
]

describe('the audit has what a request has changed, by whom, from where and in which request', () => {
  test.each(WRITES.map((write) => [`${write.route} (${write.actions.join(', ')})`, write] as const))(
    '%s',
    async (_what, { request, actions, as = 'ada' }) => {
      const [method_, path, sent] = await request()
      const { status, headers } = await send(method_, path, sent)
      const rows = await other.audit.read({ request: headers.get('x-request-id') ?? '', limit: 100 })
      expect([status < 300 || actions.includes('login.failed'), rows.map(({ action }) => action).sort()]).toEqual([
        true,
        [...actions].sort(),
      ])
      for (const row of rows) expect(row).toMatchObject(doneBy(as))
      expect(rows.filter(({ kind }) => kind.startsWith('bank'))).toEqual([])
    },
  )

  const doneBy = (name: string): Partial<AuditRow> => ({
    via: 'http',
    address: '127.0.0.1',
    user: { id: expect.any(String), name },
    account: { id: server.accountIds[name as 'ada'], slug: name },
  })

  /** The answer to an import is lines, not the envelope. */
  async function send(method_: string, path: string, sent: Sent = {}) {
    if (!path.endsWith('/bulk')) return server.call(method_, path, sent)
    const headers = { ...server.credentials.ada, ...sent.headers }
    const response = await fetch(`${server.origin}/api/2018-10-01/${path}`, {
      method: method_,
      headers,
      body: sent.body as string,
    })
    await response.text()
    return response
  }

  test('every route that writes is among them', () => {
    /** What asks with a body, or works something out. */
    const reading =
      /\/(presigned-urls|search|count|facets|points|distinct|validate|convert|analyze|coordination|diffraction|reciprocal|submit)$/
    const routes = allRoutes(server.services, DEFAULT_HTTP_SETTINGS)
      .filter(({ method: name, path }) => name !== 'GET' && !reading.test(path))
      .map(({ method: name, path }) => `${name} ${path.replace('/api/2018-10-01', '')}`)
    const tried = WRITES.map(({ route }) => route)
    // All kinds of records have the routes of methods.
    const kinds = new RegExp(`/(${RECORD_KINDS.map(({ collection }) => collection).join('|')})(?=/|$)`)
    const asForMethods = (route: string) => route.replace(kinds, '/methods')
    const untried = routes.filter((route) => !tried.includes(route) && !tried.includes(asForMethods(route)))
    expect(untried, `no row of WRITES: ${untried}`).toEqual([])
    expect(tried.filter((route) => !routes.includes(route))).toEqual([])
  })

  test('what is carried out in portions is of whoever asked for it, in that request', async () => {
    await storeMany(server, 'audited')
    const { status, headers } = await beginMany(server, 'audited', { change: { rank: 2 } })
    await carryOutAll(server)
    const rows = await other.audit.read({ request: headers.get('x-request-id') ?? '', limit: 2 * MANY })
    expect([status, rows.length]).toEqual([202, MANY])
    for (const row of rows) expect(row).toMatchObject({ action: 'record.changed', ...doneBy('ada') })
  })

  test('and so is what is imported in portions', async () => {
    const files = [await staged(vasprunText({ incar: '<i name="ENCUT"> 611.0</i>' }))]
    const { body } = await server.call('POST', 'jobs/import', { body: { files, dryRun: true } })
    const only = body.data.calculations.map(({ jobId }: { jobId: string }) => jobId)
    const { status, headers } = await server.call('POST', 'jobs/imports', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ files, only }),
    })
    await carryOutAll(server)
    const rows = await other.audit.read({ request: headers.get('x-request-id') ?? '', limit: 100 })
    expect([status, rows.filter(({ kind }) => kind === 'jobs').length]).toEqual([202, 1])
    for (const row of rows) expect(row).toMatchObject({ action: 'record.created', ...doneBy('ada') })
  })

  test('a request that was refused has changed nothing, and is not in it', async () => {
    const id = await create()
    const refusals = [
      await server.call('POST', 'methods', { body: { name: 7 } }),
      await server.call('PATCH', `methods/${id}`, { body: { name: 'x' }, as: 'bob' }),
      await server.call('PATCH', `methods/${id}`, { body: { name: 'x' }, headers: { 'if-match': '"other"' } }),
      await server.call('DELETE', `methods/${id}`, { as: 'readOnly' }),
      await server.call('PATCH', `methods/${id}`, { body: { name: 'thing' } }),
    ]
    for (const { headers } of refusals) {
      expect(await other.audit.read({ request: headers.get('x-request-id') ?? '', limit: 10 })).toEqual([])
    }
  })
})
