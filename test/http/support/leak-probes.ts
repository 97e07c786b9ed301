import type { JsonObject } from '../../../src/kernel/json.ts'
import { ID_ALPHABET } from '../../../src/kernel/names.ts'
import { contentId } from '../../../src/records/ids.ts'
import { material, method } from './records.ts'
import { type Known, SECRET } from './secrets.ts'
import type { Sending } from './twin-servers.ts'

/** A try to learn of what is another's. */
export interface Probe {
  readonly name: string
  readonly ask: (known: Known) => Sending
}

const urlOf = (path: string, parameters: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(parameters)}`
const get = (path: string, headers?: Record<string, string>): Sending =>
  headers === undefined ? { method: 'GET', path } : { method: 'GET', path, headers }
const post = (path: string, body?: unknown): Sending => ({ method: 'POST', path, body })

/** What only a record of ada's would meet, or would change the answer by being there. */
const QUERIES: readonly JsonObject[] = [
  {},
  { project: SECRET },
  { project: { $exists: true } },
  { project: { $exists: false } },
  { project: { $regex: '^unob' } },
  { project: { $nin: [null, 'x'] } },
  { project: { $not: { $eq: 'x' } } },
  { projekt: SECRET },
  { name: SECRET },
  { name: { $gte: SECRET, $lt: `${SECRET}~` } },
  { name: SECRET.toUpperCase() },
  { _id: 'ada-plain' },
  { _id: { $in: ['ada-plain', 'ada-gone', 'lab-plain', 'ada-method'] } },
  { _id: { $gte: 'ada', $lt: 'adb' } },
  { _id: { $ne: 'x' } },
  { 'owner.slug': 'ada' },
  { 'owner.slug': 'lab', isPublic: false },
  { 'creator.slug': 'ada' },
  { isPublic: false },
  { isDefault: true },
  { isEntitySet: true },
  { 'inSet.slug': `${SECRET}-set` },
  { rank: 2 },
  { rank: '2' },
  { rank: 'two' },
  { rank: { $type: 'string' } },
  { rank: { $type: 'array' } },
  { rank: { $gt: 1 } },
  { rank: { $mod: [2, 0] } },
  { rank: { $size: 40 } },
  { rank: null },
  { 'rank.39': 39 },
  { 'rank.0': { $exists: true } },
  { list: 1 },
  { list: { $all: [1, 2] } },
  { list: { $elemMatch: { $gt: 1 } } },
  { tags: SECRET },
  { secretField: 1 },
  { secretFeild: 1 },
  { 'secretField.deep.level': 1 },
  { 'secretField.deep': { $elemMatch: { level: { $gte: 1 } } } },
  { 'odd.k7': { $exists: true } },
  { odd: { k7: 7 } },
  { bandGapp: 1 },
  { bandgap: 1 },
  { note: { $regex: 'word word' } },
  { description: { $exists: true } },
  { 'lattice.a': 9.9 },
  { 'lattice.a': { $gt: 9 } },
  { formula: 'Si' },
  { nElements: 1 },
  { $or: [{ project: SECRET }, { rank: 2 }, { secretField: { $exists: true } }] },
  { $nor: [{ project: SECRET }] },
  { $expr: { $eq: ['$project', SECRET] } },
  { $expr: { $gt: [{ $size: { $ifNull: ['$rank', []] } }, 3] } },
  { $expr: { $eq: ['secretField', 1] } },
  { $where: 'this.project' },
  { $text: { $search: SECRET } },
  { $comment: "' OR 1=1 --" },
]

/** Orders, pages and fields in which it would show. */
const PROJECTIONS: readonly JsonObject[] = [
  { sort: { rank: 1 } },
  { sort: { rank: -1 }, limit: 1 },
  { sort: { rank: 1 }, limit: 2, skip: 1 },
  { sort: { project: -1 } },
  { sort: { secretField: 1 } },
  { sort: { secretFeild: 1 } },
  { sort: { 'secretField.deep.level': -1 } },
  { sort: { p: 1, q: 1 } },
  { sort: { 'rank.39': 1, name: -1 } },
  { sort: { note: 1 }, limit: 3 },
  { sort: { updatedAt: -1, _id: 1 }, limit: 3 },
  { skip: 5 },
  { skip: 40, limit: 1 },
  { limit: 1 },
  { limit: 3, sort: { name: 1 }, fields: { name: 1 } },
  { fields: { project: 1, secretField: 1 } },
  { fields: { secretFeild: 1 } },
  { fields: { 'odd.k7': 0 } },
  { fields: { rank: { $slice: 1 } } },
  { fields: { odd: 1, rank: 1 } },
]

/** A value for every parameter of a list that only ada's records have, or that they would change the answer to. */
export const LIST_VALUES: Readonly<Record<string, readonly string[]>> = {
  query: [JSON.stringify({ project: SECRET })],
  projection: ['{"sort":{"rank":1},"limit":2}'],
  advancedSearches: [`[{"project":"${SECRET}"},{"rank":2}]`, '[{}]'],
  id: ['ada-plain', 'lab-plain', 'ada-gone'],
  name: [SECRET],
  slug: [SECRET],
  systemName: [SECRET],
  exabyteId: [SECRET],
  ownerId: ['ada'],
  ownerSlug: ['ada', 'lab'],
  setId: ['ada'],
  jobId: ['ada-job'],
  isDefault: ['true', 'false'],
  isCurated: ['true', 'false'],
  hashes: ['a665723ef7429caef6ca89385fe25bae'],
  quickSearch: [SECRET, 'unob', 'filler 3', 'bob'],
  globalSearch: ['true'],
  limit: ['1', '6', '7', '8'],
  skip: ['1', '6', '7', '8', '50'],
  sort: ['rank', '-rank', 'secretField', 'project', '-note'],
  count: ['true'],
  strict: ['true'],
  formula: ['Si'],
  formulaAnonymous: ['A'],
  chemicalSystem: ['Si'],
  spaceGroup: ['227'],
  elements: ['Si'],
  elementsAny: ['Si,Ge'],
  elementsOnly: ['Si'],
  elementsNone: ['Ge'],
  elementClasses: ['metalloid'],
  oxidationStates: ['Si4+'],
  isDisordered: ['true', 'false'],
  composition: ['Si:1-2'],
  prototype: ['diamond'],
}

/** Words for what other systems call the values of a field, and their numbers. */
const NOT_LISTED = ['distinct', 'aggregate', 'groupBy', 'facets', 'pipeline', 'hint', 'explain', 'total', 'ids']

/** Cursors that were written by nobody; of the numbers, some are of records of ada's. */
const FORGED: readonly (readonly [string, unknown])[] = [
  ...Array.from({ length: 40 }, (_, i) => ['note', ['note', null, i * 3 + 1]] as const),
  ...[0, 1, 5, 20, 60, 100, 1e6].flatMap((n) => [
    ['', ['', [], n]] as const,
    ['rank', ['rank', [[2]], n]] as const,
    ['rank', ['rank', [['two']], n]] as const,
    ['project', ['project', [[SECRET]], n]] as const,
    ['-project', ['-project', null, n]] as const,
  ]),
  ['rank', ['rank', [], 1]],
  ['rank', ['-rank', [[2]], 1]],
  ['', [1, 2, 3]],
  ['', { n: 1 }],
]

const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url')
const sortOf = (name: string) =>
  name === '' ? {} : name.startsWith('-') ? { sort: { [name.slice(1)]: -1 } } : { sort: { [name]: 1 } }
const afterOf = (name: string, after: string) =>
  get(urlOf('materials', { projection: JSON.stringify({ ...sortOf(name), after, limit: 3 }) }))

const conditions = QUERIES.flatMap((query): Probe[] => {
  const text = JSON.stringify(query)
  const named = (how: string, ask: () => Sending): Probe => ({ name: `${how} ${text}`, ask })
  return [
    named('a list with its number of', () => get(urlOf('materials', { query: text, count: 'true' }))),
    named('a strict list of', () => get(urlOf('materials', { query: text, strict: 'true' }))),
    named('a count by URL of', () => get(urlOf('materials/count', { query: text }))),
    named('a count of', () => post('materials/count', { query })),
    named('an export of', () => get(urlOf('materials/export', { query: text }))),
    named('a search with its number of', () => post('materials/search', { query, count: true })),
    named('a list of methods of', () => get(urlOf('methods', { query: text, count: 'true' }))),
    named('a list of the bank of', () => get(urlOf('bank-materials', { query: text, count: 'true' }))),
  ]
})

/** How a query was run. */
const explains: readonly Probe[] = [
  ...QUERIES.map(
    (query): Probe => ({
      name: `explain of ${JSON.stringify(query)}`,
      ask: () => post('materials/search', { query, explain: true }),
    }),
  ),
  ...PROJECTIONS.map(
    (projection): Probe => ({
      name: `explain by ${JSON.stringify(projection)}`,
      ask: () => post('materials/search', { query: { rank: { $gt: 0 } }, projection, explain: true }),
    }),
  ),
]

const projections = PROJECTIONS.flatMap((projection): Probe[] => {
  const text = JSON.stringify(projection)
  return [
    { name: `a list by ${text}`, ask: () => get(urlOf('materials', { projection: text })) },
    { name: `a search by ${text}`, ask: () => post('materials/search', { query: { rank: { $gt: 0 } }, projection }) },
    {
      name: `an export by ${text}`,
      ask: () => get(urlOf('materials/export', { projection: JSON.stringify({ ...projection, limit: undefined }) })),
    },
  ]
})

const parameters = Object.entries(LIST_VALUES).flatMap(([name, values]) =>
  values.flatMap((value): Probe[] => [
    { name: `the parameter ${name}=${value}`, ask: () => get(urlOf('materials', { [name]: value })) },
    { name: `a count by ${name}=${value}`, ask: () => get(urlOf('materials/count', { [name]: value })) },
  ]),
)

const ids: readonly Probe[] = [
  { name: 'the parameter ownerId of ada', ask: ({ adaId }) => get(urlOf('materials', { ownerId: adaId })) },
  { name: 'the parameter ownerId of the lab', ask: ({ labId }) => get(urlOf('materials', { ownerId: labId })) },
  { name: 'the parameter setId of a set of hers', ask: ({ setId }) => get(urlOf('materials', { setId })) },
]

const unknowns = NOT_LISTED.map(
  (name): Probe => ({
    name: `the parameter ${name}, which there is not`,
    ask: () => get(urlOf('materials', { [name]: 'project' })),
  }),
)

const cursors: readonly Probe[] = [
  { name: "ada's cursor", ask: ({ cursors: { plain } }) => afterOf('', plain) },
  { name: "ada's cursor of an order", ask: ({ cursors: { byRank } }) => afterOf('rank', byRank) },
  { name: "ada's cursor without what it sorts by", ask: ({ cursors: { byNote } }) => afterOf('-note', byNote) },
  { name: "ada's cursor in another order", ask: ({ cursors: { byRank } }) => afterOf('name', byRank) },
  {
    name: "ada's cursor of another collection",
    ask: ({ cursors: { plain } }) => get(urlOf('methods', { projection: JSON.stringify({ after: plain }) })),
  },
  ...FORGED.map(
    ([name, position]): Probe => ({
      name: `a forged cursor ${JSON.stringify(position)}`,
      ask: () => afterOf(name, cursorOf(position)),
    }),
  ),
]

const exports: readonly Probe[] = [
  ...['format=poscar', 'format=cif&name=unobtainium', 'gzip=true', 'format=material&quickSearch=unob'].map(
    (text): Probe => ({ name: `an export with ${text}`, ask: () => get(`materials/export?${text}`) }),
  ),
  { name: 'an export that is packed on its way', ask: () => get('materials/export', { 'accept-encoding': 'gzip' }) },
  { name: 'an export of methods', ask: () => get('methods/export') },
]

const tags: readonly Probe[] = [
  { name: "ada's tag of her list", ask: ({ listTag }) => get('materials', { 'if-none-match': listTag }) },
  {
    name: "ada's tag of her record",
    ask: ({ recordTag }) => get('materials/ada-plain', { 'if-none-match': recordTag }),
  },
  { name: 'any tag of her record', ask: () => get('materials/ada-plain', { 'if-none-match': '*' }) },
  {
    name: "ada's tag of her record for a change of it",
    ask: ({ recordTag }) => ({
      method: 'PATCH',
      path: 'materials/ada-plain',
      headers: { 'if-match': recordTag },
      body: { name: 'x' },
    }),
  },
  {
    name: 'any tag of her record for its removal',
    ask: () => ({ method: 'DELETE', path: 'materials/ada-plain', headers: { 'if-match': '*' } }),
  },
]

/** Whatever can be asked about one record. */
const ONE_RECORD: readonly (readonly [string, string, unknown?])[] = [
  ['GET', ''],
  ['HEAD', ''],
  ['GET', '?revision=1'],
  ['GET', '/history'],
  ['GET', '/export?format=poscar'],
  ['PATCH', '', { name: 'taken over' }],
  ['PATCH', '', { isPublic: true }],
  ['POST', '/copy'],
  ['POST', '/set-default'],
  ['POST', '/restore'],
  ['POST', '/restore?revision=1'],
  ['POST', '/purge'],
  ['POST', '/move-to-set?oldSetId=&newSetId=ada-plain'],
  ['PUT', '/update-set', { name: 'taken over' }],
  ['POST', '/submit'],
  ['DELETE', ''],
  ['DELETE', '?purge=true'],
]

const NEVER = ID_ALPHABET.slice(0, 17)
const single = [
  ...['materials/ada-plain', 'materials/lab-plain', 'materials/ada-gone', 'materials/ada-alone', `materials/${NEVER}`],
  ...['methods/ada-method', 'workflows/ada-workflow', 'jobs/ada-job', 'bank-materials/ada-plain'],
].flatMap((path) =>
  ONE_RECORD.map(
    ([verb, rest, body]): Probe => ({
      name: `${verb} ${path}${rest}`,
      ask: () => ({ method: verb, path: `${path}${rest}`, body }),
    }),
  ),
)

const pasts = ['', '?revision=1', '?revision=2', '/history', '/restore?revision=1', '/copy'].map(
  (rest): Probe => ({
    name: `the past of a record that is public by now: ${rest}`,
    ask: ({ withPastId }) => ({
      method: /^.(?:restore|copy)/.test(rest) ? 'POST' : 'GET',
      path: `materials/${withPastId}${rest}`,
    }),
  }),
)

const sets: readonly Probe[] = [
  { name: 'a set of hers', ask: ({ setId }) => get(`materials/${setId}`) },
  {
    name: 'a change of a set of hers',
    ask: ({ setId }) => ({ method: 'PUT', path: `materials/${setId}/update-set`, body: { name: 'x' } }),
  },
  {
    name: 'a new set of the name of hers',
    ask: () => ({
      method: 'PUT',
      path: 'materials/create-set',
      body: { name: `${SECRET} set`, entitySetType: 'ordered' },
    }),
  },
  {
    name: 'a record with a membership of a set of hers',
    ask: ({ setId }) =>
      post('materials', material('member', { inSet: [{ _id: setId, cls: 'Material', slug: SECRET }] })),
  },
]

const accounts: readonly Probe[] = [
  ...[
    'materials/default',
    'projects/default',
    'materials/removed',
    'materials/removed?skip=0&limit=5',
    'accounts',
    'tokens',
    'users/me',
  ].map((path): Probe => ({ name: path, ask: () => get(path) })),
  ...[
    'other/entity-counts',
    'other/clusters',
    'projects?count=true',
    'workflows?count=true',
    'jobs?count=true',
    'properties?count=true',
  ].map((path): Probe => ({ name: path, ask: () => get(path) })),
  { name: "ada's default", ask: ({ adaId }) => get(`materials/default?accountId=${adaId}`) },
  { name: "the lab's default", ask: ({ labId }) => get(`projects/default?accountId=${labId}`) },
  { name: "ada's account", ask: ({ adaId }) => get(`accounts/${adaId}`) },
  { name: 'the lab', ask: ({ labId }) => get(`accounts/${labId}`) },
  { name: 'the members of the lab', ask: ({ labId }) => get(`accounts/${labId}/members`) },
  { name: 'the end of the lab', ask: ({ labId }) => ({ method: 'DELETE', path: `accounts/${labId}` }) },
  { name: "ada's account with another's token", ask: ({ adaId }) => get('materials', { 'x-account-id': adaId }) },
  { name: "the lab's account with another's token", ask: ({ labId }) => get('materials', { 'x-account-id': labId }) },
  { name: 'an organization of the name of the lab', ask: () => post('accounts', { name: 'lab' }) },
  {
    name: "ada's first project, by its id",
    ask: ({ adaId }) => get(`projects/${contentId('starter', 'projects', adaId)}`),
  },
]

const STRUCTURES = '/optimade/v1/structures'
const optimade = [
  STRUCTURES,
  `${STRUCTURES}?page_limit=1`,
  `${STRUCTURES}?page_offset=2&page_limit=2`,
  `${STRUCTURES}?sort=-id`,
  `${STRUCTURES}?sort=last_modified&page_limit=2`,
  `${STRUCTURES}?filter=${encodeURIComponent('id="ada-plain"')}`,
  `${STRUCTURES}?filter=${encodeURIComponent('elements HAS "Si" AND nsites>1')}`,
  `${STRUCTURES}?filter=${encodeURIComponent('NOT chemical_formula_reduced="Ge"')}`,
  `${STRUCTURES}?filter=${encodeURIComponent('_exmpl_secretField=1')}`,
  `${STRUCTURES}?filter=${encodeURIComponent('id STARTS WITH "ada"')}`,
  `${STRUCTURES}?response_fields=nsites,_secret_project`,
  `${STRUCTURES}/ada-plain`,
  `${STRUCTURES}/ada-gone`,
  '/optimade/v1/info',
  '/optimade/v1/info/structures',
  '/optimade/v1/links',
].map((path): Probe => ({ name: path, ask: () => get(path) }))

const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n')
const bulk = (path: string, body: string): Sending => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-ndjson' },
  body,
})
const POSCAR = 'Si\n1\n9.9 0 0\n0 9.9 0\n0 0 9.9\nSi\n1\nDirect\n0 0 0\n'

/** Crystals that ada has: one that only she has, and one that is public, too. */
const HERS = material('hers', {}, 9.9)
const EVERYBODYS = material('everybodys', {}, 5.1)

const writes: readonly Probe[] = [
  ...['create', 'return', 'fail'].flatMap((onDuplicate): Probe[] => [
    {
      name: `a crystal of hers, onDuplicate=${onDuplicate}`,
      ask: () => post(`materials?onDuplicate=${onDuplicate}`, HERS),
    },
    {
      name: `a crystal that is public, onDuplicate=${onDuplicate}`,
      ask: () => post(`materials?onDuplicate=${onDuplicate}`, EVERYBODYS),
    },
    {
      name: `PUT of a crystal of hers, onDuplicate=${onDuplicate}`,
      ask: () => ({ method: 'PUT', path: `materials/create?onDuplicate=${onDuplicate}`, body: HERS }),
    },
    {
      name: `bulk import of crystals of hers, onDuplicate=${onDuplicate}`,
      ask: () => bulk(`materials/bulk?onDuplicate=${onDuplicate}`, lines(HERS, EVERYBODYS)),
    },
    {
      name: `a structure file, onDuplicate=${onDuplicate}`,
      ask: () =>
        post(`materials/import?onDuplicate=${onDuplicate}`, { content: POSCAR, format: 'poscar', name: SECRET }),
    },
  ]),
  { name: 'a record that brings an id of hers', ask: () => post('materials', material('copy', { _id: 'ada-plain' })) },
  {
    name: 'a record that brings an id of hers in another collection',
    ask: () => bulk('methods/bulk', lines(method('m', { _id: 'ada-plain' }))),
  },
  {
    name: 'a record for her account',
    ask: ({ adaId }) => post('materials', material('gift', { owner: { _id: adaId } })),
  },
  { name: 'a record for the lab', ask: ({ labId }) => post('materials', material('gift', { owner: { _id: labId } })) },
  {
    name: 'a record with fields that only hers have',
    ask: () =>
      post(
        'materials?strict=true',
        material('odd', { secretField: { deep: [{ level: 1 }] }, bandGapp: 2, projekt: 1 }),
      ),
  },
  {
    name: 'a record with a field near one that only hers have',
    ask: () => post('materials', material('odd', { secretFeild: 1, systemname: SECRET })),
  },
  { name: 'a public record of a crystal of hers', ask: () => post('materials', { ...HERS, isPublic: true }) },
  { name: 'the bank after that', ask: () => get('bank-materials?count=true') },
  { name: 'the sample of the bank', ask: () => get(urlOf('bank-materials', { query: '{"lattice.a":9.9}' })) },
  { name: 'what is there after all that', ask: () => get('materials?count=true&limit=100') },
  { name: 'what is exported after all that', ask: () => get('materials/export') },
  { name: 'methods after all that', ask: () => get('methods?count=true') },
  { name: 'what was removed after all that', ask: () => get('materials/removed') },
]

const named = (name: string, ask: Probe['ask']): Probe => ({ name, ask })
const mine = (_id: string, fields: object = {}) => material('mine', { _id, ...fields }, 6.2)

/** Ids that her private records have, or had before she removed them: for others they are free. */
const takenIds: readonly Probe[] = [
  ...['create', 'return', 'fail'].map((onDuplicate) =>
    named(`bulk import under ids of hers, onDuplicate=${onDuplicate}`, () =>
      bulk(
        `materials/bulk?onDuplicate=${onDuplicate}`,
        lines(...['ada-plain', 'lab-plain', 'ada-gone', 'ada-filler-1', 'never-was'].map((id) => mine(id))),
      ),
    ),
  ),
  named('an import under the id of a set of hers', ({ setId }) => bulk('materials/bulk', lines(mine(setId)))),
  named('an import of a public record under an id of hers', () =>
    bulk('materials/bulk', lines(mine('ada-filler-2', { isPublic: true }))),
  ),
  named('an import under the id of her first project', ({ adaId }) =>
    bulk('projects/bulk', lines({ _id: contentId('starter', 'projects', adaId), name: 'mine' })),
  ),
  ...(
    [
      ['GET', ''],
      ['HEAD', ''],
      ['PATCH', '', { description: 'mine' }],
      ['GET', '?revision=1'],
      ['GET', '/history'],
      ['POST', '/copy'],
      ['POST', '/set-default'],
      ['PATCH', '', { isPublic: true }],
      ['PATCH', '', { isPublic: false }],
      ['GET', '/export?format=poscar'],
    ] as const
  ).map(([method, rest, body]) =>
    named(`${method} of one's own record under an id of hers: ${rest} ${JSON.stringify(body)}`, () => ({
      method,
      path: `materials/lab-plain${rest}`,
      body,
    })),
  ),
  named('a list of ids that others have, too', () =>
    get(
      urlOf('materials', { query: '{"_id":{"$in":["ada-plain","lab-plain","ada-gone","never-was"]}}', count: 'true' }),
    ),
  ),
  named("the removal of one's own record under an id of hers", () => ({
    method: 'DELETE',
    path: 'materials/ada-plain',
  })),
  named("one's own removed records", () => get('materials/removed')),
  named('its return', () => post('materials/ada-plain/restore')),
  named('its end', () => ({ method: 'DELETE', path: 'materials/ada-plain?purge=true' })),
  named('what is left under the id', () => get('materials/ada-plain')),
  named('an import under the id again', () => bulk('materials/bulk', lines(mine('ada-plain')))),
]

/** In the order in which they are sent: what is read comes before what is written. */
export const PROBES: readonly Probe[] = [
  ...explains,
  ...conditions,
  ...projections,
  ...parameters,
  ...ids,
  ...unknowns,
  ...cursors,
  ...exports,
  ...optimade,
  ...accounts,
  ...tags,
  ...single,
  ...pasts,
  ...sets,
  ...writes,
  ...takenIds,
]
