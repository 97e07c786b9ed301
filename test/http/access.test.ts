import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RECORD_KINDS } from '../../src/records/kinds/record-kinds.ts'
import { triesOf } from '../support/study.ts'
import { ACTORS, type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { MAKERS, material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const COLLECTIONS = Object.keys(MAKERS)
const make = (collection: string, name: string, fields: object = {}) => MAKERS[collection]?.(name, fields)

/** Records of ada's, made anew for each attempt: one that only she sees, one that all see. */
async function prepare(collection: string, isPublic: boolean): Promise<string> {
  const { body } = await server.call('POST', collection, { body: make(collection, 'scenario', { isPublic }) })
  return body.data._id
}

type Expectation = Readonly<Record<Actor, number>>

const NOBODY = { guest: 401, disabled: 401, mixed: 401 }
const ANYONE: Expectation = { guest: 200, ada: 200, bob: 200, disabled: 200, readOnly: 200, mixed: 200 }
const NO_PROGRAM: Expectation = { guest: 403, ada: 403, bob: 403, disabled: 403, readOnly: 403, mixed: 403 }
const USERS: Expectation = { ...NOBODY, ada: 200, bob: 200, readOnly: 200 }
const WRITERS: Expectation = { ...NOBODY, ada: 201, bob: 201, readOnly: 403 }
const MISSING: Expectation = { ...NOBODY, ada: 404, bob: 404, readOnly: 404 }
const ORGANIZERS: Expectation = { ...NOBODY, ada: 400, bob: 400, readOnly: 403 }
const OWNER_READS: Expectation = { ...NOBODY, ada: 200, readOnly: 200, bob: 404 }
const OWNER_WRITES: Expectation = { ...NOBODY, ada: 200, readOnly: 403, bob: 404 }
const OWNER_WRITES_PUBLIC: Expectation = { ...NOBODY, ada: 200, readOnly: 403, bob: 403 }

interface Scenario {
  readonly method: string
  /** `:private` and `:public` stand for records of ada's. */
  readonly path: string
  readonly body?: unknown
  /** NDJSON to send instead of a body. */
  readonly lines?: string
  readonly expected: Expectation
}

function surveyScenarios(collection: string): readonly Scenario[] {
  return [
    { method: 'POST', path: `/${collection}/facets`, body: { facets: [{ path: 'name' }] }, expected: USERS },
    { method: 'POST', path: `/${collection}/points`, body: { x: 'a', y: 'b' }, expected: USERS },
    { method: 'GET', path: `/${collection}/fields`, expected: USERS },
    { method: 'GET', path: `/${collection}/distinct?path=name`, expected: USERS },
    { method: 'POST', path: `/${collection}/distinct`, body: { path: 'name' }, expected: USERS },
    { method: 'POST', path: `/${collection}/validate`, body: {}, expected: USERS },
  ]
}

function fileScenarios(collection: string): readonly Scenario[] {
  const file = (which: string) => `/${collection}/:${which}/files/a-file`
  return [
    { method: 'GET', path: `/${collection}/:private/provenance`, expected: OWNER_READS },
    { method: 'GET', path: `/${collection}/:public/provenance`, expected: USERS },
    { method: 'GET', path: `/${collection}/:private/files`, expected: OWNER_READS },
    { method: 'GET', path: `/${collection}/:public/files`, expected: USERS },
    { method: 'GET', path: file('private'), expected: MISSING },
    { method: 'PUT', path: file('private'), body: 'x', expected: OWNER_WRITES },
    { method: 'PUT', path: file('public'), body: 'x', expected: OWNER_WRITES_PUBLIC },
    { method: 'GET', path: `${file('private')}/upload`, expected: OWNER_READS },
    { method: 'DELETE', path: file('private'), expected: { ...MISSING, readOnly: 403 } },
    // Those of records that there are: `files.test.ts`.
    { method: 'GET', path: `/${collection}/none/files.zip`, expected: MISSING },
  ]
}

const RECORD_SCENARIOS = COLLECTIONS.map((collection): Scenario[] => {
  const made = make(collection, 'made')
  return [
    { method: 'GET', path: `/${collection}`, expected: USERS },
    { method: 'POST', path: `/${collection}/search`, body: {}, expected: USERS },
    { method: 'POST', path: `/${collection}/count`, body: {}, expected: USERS },
    { method: 'GET', path: `/${collection}/count`, expected: USERS },
    ...surveyScenarios(collection),
    ...fileScenarios(collection),
    { method: 'POST', path: `/${collection}`, body: made, expected: WRITERS },
    { method: 'PUT', path: `/${collection}/create`, body: made, expected: { ...WRITERS, ada: 200, bob: 200 } },
    { method: 'GET', path: `/${collection}/:private`, expected: OWNER_READS },
    { method: 'GET', path: `/${collection}/:public`, expected: USERS },
    { method: 'PATCH', path: `/${collection}/:private`, body: { name: 'x' }, expected: OWNER_WRITES },
    { method: 'PATCH', path: `/${collection}/:public`, body: { name: 'x' }, expected: OWNER_WRITES_PUBLIC },
    { method: 'DELETE', path: `/${collection}/:private`, expected: OWNER_WRITES },
    { method: 'DELETE', path: `/${collection}/:public`, expected: OWNER_WRITES_PUBLIC },
    {
      method: 'PATCH',
      path: `/${collection}`,
      body: { ids: ['none'], change: { name: 'x' } },
      expected: { ...USERS, readOnly: 403 },
    },
    { method: 'DELETE', path: `/${collection}`, body: { ids: ['none'] }, expected: { ...USERS, readOnly: 403 } },
  ]
})

const OWNER_COPIES: Expectation = { ...OWNER_READS, ada: 201, readOnly: 403 }
const ANYONE_COPIES: Expectation = { ...USERS, ada: 201, bob: 201, readOnly: 403 }
/** What is not removed cannot be restored or purged; who may not write learns not even that. */
const NOT_REMOVED: Expectation = { ...NOBODY, ada: 404, bob: 404, readOnly: 403 }

const VERB_SCENARIOS = COLLECTIONS.map((collection): Scenario[] => [
  { method: 'POST', path: `/${collection}/:private/copy`, expected: OWNER_COPIES },
  { method: 'POST', path: `/${collection}/:public/copy`, expected: ANYONE_COPIES },
  { method: 'GET', path: `/${collection}/default`, expected: collection === 'projects' ? USERS : MISSING },
  { method: 'POST', path: `/${collection}/:private/set-default`, expected: OWNER_WRITES },
  { method: 'POST', path: `/${collection}/:public/set-default`, expected: OWNER_WRITES_PUBLIC },
  {
    method: 'PUT',
    path: `/${collection}/create-set`,
    body: { name: 'set' },
    expected: { ...WRITERS, ada: 200, bob: 200 },
  },
  {
    method: 'PUT',
    path: `/${collection}/:private/update-set`,
    body: { name: 'x' },
    expected: { ...OWNER_WRITES, ada: 409, readOnly: 403 },
  },
  { method: 'POST', path: `/${collection}/:private/move-to-set`, expected: OWNER_WRITES },
  { method: 'POST', path: `/${collection}/:public/move-to-set`, expected: OWNER_WRITES_PUBLIC },
  { method: 'GET', path: `/${collection}/:private/history`, expected: OWNER_READS },
  { method: 'GET', path: `/${collection}/:public/history`, expected: { ...OWNER_READS, bob: 403 } },
  { method: 'GET', path: `/${collection}/:private?revision=1`, expected: OWNER_READS },
  { method: 'GET', path: `/${collection}/:public?revision=1`, expected: { ...OWNER_READS, bob: 403 } },
  { method: 'POST', path: `/${collection}/:private/restore?revision=1`, expected: OWNER_WRITES },
  { method: 'POST', path: `/${collection}/:public/restore?revision=1`, expected: OWNER_WRITES_PUBLIC },
  { method: 'GET', path: `/${collection}/removed`, expected: USERS },
  { method: 'POST', path: `/${collection}/none/purge`, expected: NOT_REMOVED },
])

const BANK_SCENARIOS: readonly Scenario[] = [
  { method: 'GET', path: '/bank-materials', expected: USERS },
  { method: 'POST', path: '/bank-materials/search', body: {}, expected: USERS },
  { method: 'POST', path: '/bank-materials/count', body: {}, expected: USERS },
  { method: 'GET', path: '/bank-materials/count', expected: USERS },
  ...surveyScenarios('bank-materials'),
  { method: 'GET', path: '/bank-materials/none', expected: MISSING },
  { method: 'POST', path: '/bank-materials/none/copy', expected: NOT_REMOVED },
]

const NO_ZONE: Expectation = { ...NOBODY, ada: 422, bob: 422, readOnly: 422 }

const PO = 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n'

const LINE_SCENARIOS = COLLECTIONS.map((collection): Scenario[] => [
  {
    method: 'POST',
    path: `/${collection}/bulk`,
    lines: `${JSON.stringify(make(collection, 'line'))}\n`,
    expected: { ...USERS, readOnly: 403 },
  },
  { method: 'GET', path: `/${collection}/export`, expected: USERS },
])

/** What answers with lines or files, or takes them. */
const FILE_SCENARIOS: readonly Scenario[] = [
  ...LINE_SCENARIOS.flat(),
  { method: 'POST', path: '/jobs/imports', lines: '', expected: { ...NOBODY, ada: 202, bob: 202, readOnly: 403 } },
  { method: 'POST', path: '/materials/import', body: { content: PO }, expected: { ...WRITERS, ada: 200, bob: 200 } },
  { method: 'GET', path: '/materials/:private/export?format=cif', expected: OWNER_READS },
  { method: 'GET', path: '/materials/:public/export?format=cif', expected: USERS },
  { method: 'GET', path: '/materials/:private/picture.svg', expected: OWNER_READS },
  { method: 'GET', path: '/materials/:public/picture.svg', expected: USERS },
  ...['same', 'similar'].flatMap((what): Scenario[] => [
    { method: 'GET', path: `/materials/:private/${what}`, expected: OWNER_READS },
    { method: 'GET', path: `/materials/:public/${what}`, expected: USERS },
  ]),
  // Nobody has energies here.
  { method: 'GET', path: '/phase-diagram?elements=Po', expected: { ...NOBODY, ada: 422, bob: 422, readOnly: 422 } },
  { method: 'POST', path: '/structures/convert', body: { content: PO, to: 'cif' }, expected: USERS },
  {
    method: 'POST',
    path: '/structures/build',
    body: { content: PO, steps: [{ supercell: { size: [2, 1, 1] } }] },
    expected: USERS,
  },
  { method: 'POST', path: '/structures/analyze', body: { content: PO }, expected: USERS },
  { method: 'POST', path: '/structures/diffraction', body: { content: PO }, expected: USERS },
  { method: 'POST', path: '/structures/coordination', body: { content: PO }, expected: USERS },
  { method: 'GET', path: '/materials/:private/coordination', expected: OWNER_READS },
  { method: 'GET', path: '/materials/:public/coordination', expected: USERS },
  // Without symmetry, as here, there is no zone; who asks is known by then.
  { method: 'POST', path: '/structures/reciprocal', body: { content: PO }, expected: NO_ZONE },
  { method: 'GET', path: '/materials/:private/diffraction', expected: OWNER_READS },
  { method: 'GET', path: '/materials/:public/diffraction', expected: USERS },
  { method: 'GET', path: '/materials/:private/analysis', expected: OWNER_READS },
  { method: 'GET', path: '/materials/:public/analysis', expected: USERS },
  { method: 'GET', path: '/materials/:private/reciprocal', expected: { ...NO_ZONE, bob: 404 } },
  { method: 'GET', path: '/materials/:public/reciprocal', expected: NO_ZONE },
]

/** What does not end is in `events.test.ts`. Logout is in `session.test.ts`: it would take the actors' sessions away. */
const SCENARIOS: readonly Scenario[] = [
  ...RECORD_SCENARIOS.flat(),
  ...VERB_SCENARIOS.flat(),
  ...BANK_SCENARIOS,
  { method: 'GET', path: '/tokens', expected: USERS },
  { method: 'POST', path: '/tokens', body: { name: 'x' }, expected: WRITERS },
  { method: 'DELETE', path: '/tokens/none', expected: { ...NOBODY, ada: 404, bob: 404, readOnly: 403 } },
  { method: 'DELETE', path: '/tokens?kind=session&others=true', expected: { ...USERS, readOnly: 403 } },
  {
    method: 'POST',
    path: '/users/me/password',
    body: { currentPassword: 'a wrong one', password: 'another good password' },
    expected: { ...NOBODY, ada: 403, bob: 403, readOnly: 403 },
  },
  { method: 'GET', path: '/api/v1/users/me', expected: USERS },
  { method: 'GET', path: '/accounts', expected: USERS },
  { method: 'POST', path: '/accounts', body: { name: '-' }, expected: ORGANIZERS },
  // Who may do what in an organization is in `organizations.test.ts`.
  { method: 'GET', path: '/accounts/none', expected: MISSING },
  { method: 'PATCH', path: '/accounts/none', body: { title: 'x' }, expected: { ...MISSING, readOnly: 403 } },
  { method: 'DELETE', path: '/accounts/none', expected: { ...MISSING, readOnly: 403 } },
  { method: 'GET', path: '/accounts/none/members', expected: MISSING },
  { method: 'PUT', path: '/accounts/none/members/nobody', expected: { ...MISSING, readOnly: 403 } },
  { method: 'DELETE', path: '/accounts/none/members/nobody', expected: { ...MISSING, readOnly: 403 } },
  { method: 'POST', path: '/login', body: { username: 'ada', password: 'a good password' }, expected: ANYONE },
  { method: 'GET', path: '/session', expected: ANYONE },
  // Only the page signs in: `page-session.test.ts`.
  { method: 'POST', path: '/session', body: { username: 'ada', password: 'a good password' }, expected: NO_PROGRAM },
  { method: 'POST', path: '/jobs/:private/submit', expected: { ...MISSING, ada: 501, readOnly: 403 } },
  { method: 'POST', path: '/jobs/:private/presigned-urls', body: { files: ['a'] }, expected: OWNER_WRITES },
  { method: 'POST', path: '/jobs/:private/output-files', body: { files: [] }, expected: OWNER_WRITES },
  { method: 'POST', path: '/jobs/import', body: { files: [] }, expected: { ...USERS, readOnly: 403 } },
  { method: 'PUT', path: '/uploads/a-file', body: 'x', expected: { ...USERS, readOnly: 403 } },
  { method: 'GET', path: '/uploads/a-file', expected: USERS },
  // Those with a link: `files.test.ts`.
  { method: 'GET', path: '/file-links', expected: NO_PROGRAM },
  { method: 'PUT', path: '/file-links', body: 'x', expected: NO_PROGRAM },
  { method: 'GET', path: '/bulk-changes', expected: USERS },
  { method: 'GET', path: '/bulk-changes/none', expected: { ...USERS, ada: 404, bob: 404, readOnly: 404 } },
  { method: 'POST', path: '/bulk-changes/none/cancel', expected: NOT_REMOVED },
  { method: 'POST', path: '/bulk-changes/none/undo', expected: NOT_REMOVED },
  { method: 'GET', path: '/other/clusters', expected: USERS },
  { method: 'GET', path: '/other/entity-counts', expected: ANYONE },
  { method: 'GET', path: '/schemas', expected: ANYONE },
  ...RECORD_KINDS.map(({ name }) => ({ method: 'GET', path: `/schemas/${name}`, expected: ANYONE })),
  { method: 'GET', path: '/openapi.json', expected: ANYONE },
  { method: 'GET', path: '/healthz', expected: ANYONE },
  { method: 'GET', path: '/readyz', expected: ANYONE },
]

/** The same route of some kinds of record, others than those of the next route: each kind has its turn. */
const LEFT_OUT = new Set(
  [RECORD_SCENARIOS, VERB_SCENARIOS, LINE_SCENARIOS].flatMap((byKind) =>
    byKind.flatMap((routes, kind) => routes.filter((_, route) => (kind + route) % byKind.length >= triesOf('access'))),
  ),
)
const isTried = (scenario: Scenario): boolean => !LEFT_OUT.has(scenario)

const AT_ROOT = /^\/(api|healthz|readyz)/

describe.each(SCENARIOS.filter(isTried))('$method $path', ({ method: verb, path, body, expected }) => {
  test.each(ACTORS)('as %s', async (as) => {
    const collection = path.split('/')[1] ?? ''
    const id = path.includes(':') ? await prepare(collection, path.includes(':public')) : ''
    const address = path.replace(/:(private|public)/, id)
    const { status } = await server.call(verb, AT_ROOT.test(address) ? address : address.slice(1), { as, body })
    expect(status).toBe(expected[as])
    // Whoever was refused changed nothing.
    if (id !== '' && status >= 400)
      expect((await server.call('GET', `${collection}/${id}`)).body.data.name).toBe('scenario')
  })
})

describe.each(FILE_SCENARIOS.filter(isTried))('$method $path', ({ method: verb, path, body, lines, expected }) => {
  test.each(ACTORS)('as %s', async (as) => {
    const id = path.includes(':') ? await prepare('materials', path.includes(':public')) : ''
    const response = await fetch(`${server.origin}/api/2018-10-01${path.replace(/:(private|public)/, id)}`, {
      method: verb,
      headers: {
        ...server.credentials[as],
        ...(verb === 'POST'
          ? { 'content-type': lines === undefined ? 'application/json' : 'application/x-ndjson' }
          : {}),
      },
      ...(verb === 'POST' ? { body: lines ?? JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    expect(response.status, text).toBe(expected[as])
    if (response.status >= 400) expect(JSON.parse(text).status).toBe('fail')
  })
})

test('every route has its scenarios', async () => {
  const { body } = await server.call('GET', 'openapi.json', { as: 'guest' })
  const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((verb) => `${verb.toUpperCase()} ${path.replace('/api/2018-10-01', '')}`),
  )
  const covered = new Set(
    [...SCENARIOS, ...FILE_SCENARIOS].map(
      ({ method: verb, path }) =>
        `${verb} ${path
          .replace(/\?.*/, '')
          .replace(/:\w+|none/, '{id}')
          .replace('nobody', '{user}')
          .replace('a-file', '{name}')}`,
    ),
  )
  const uncovered = described.filter(
    (route) => !covered.has(route) && !/ \/logout$|^DELETE \/session$|\/events$/.test(route),
  )
  expect(uncovered, `no scenario for ${uncovered.join(', ')}; of a kind of record: no maker in MAKERS`).toEqual([])
})

test('a record can be given to an account of the user and to no other', async () => {
  const own = material('own', { owner: { _id: server.accountIds.ada } })
  expect((await server.call('PUT', 'materials/create', { body: own })).body.data.owner._id).toBe(server.accountIds.ada)
  const foreign = material('foreign', { owner: { _id: server.accountIds.bob } })
  expect((await server.call('PUT', 'materials/create', { body: foreign })).body.code).toBe(40302)
  const listed = await server.call('GET', 'materials?name=foreign', { as: 'bob' })
  expect(listed.body.data).toEqual([])
})

test('creator, owner, id and times are not what a client says', async () => {
  const body = material('forged', {
    _id: 'x'.repeat(17),
    creator: { _id: 'someone', slug: 'bob', cls: 'User' },
    createdAt: '1999-01-01T00:00:00.000Z',
    isDefault: true,
  })
  const { body: answer } = await server.call('POST', 'materials', { body })
  expect(answer.data.creator.slug).toBe('ada')
  expect(answer.data._id).not.toBe('x'.repeat(17))
  expect(answer.data.createdAt).toMatch(/^20[2-9]/)
  expect(answer.data.isDefault).toBe(false)
})
