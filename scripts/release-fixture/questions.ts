import type { JsonObject } from '../../src/kernel/json.ts'
import type { Question } from '../../test/support/questions.ts'
import type { Ids } from './contents.ts'

const API = '/api/2018-10-01'
const NAMES = { name: 1 }
const FCC = { 'lattice.type': 'FCC' }

/** Lists with a condition and an order. */
export const ORDERED: readonly { readonly query: JsonObject; readonly sort: JsonObject }[] = [
  { query: FCC, sort: { name: 1 } },
  { query: { tags: 'sorted' }, sort: { score: -1, name: 1 } },
  { query: {}, sort: { measured: 1, 'lattice.a': -1 } },
]

/** What the release is asked, and every later one on its file. */
export function questionsOn(ids: Ids): readonly Question[] {
  return [
    ...FILTERS.map((query) => list('ada', { query, projection: { fields: NAMES, limit: 100 } })),
    ...FILTERS.slice(0, 12).map((query) => list('bob', { query, projection: { fields: NAMES, limit: 100 } })),
    ...FILTERS.map((query) => count('lab', query)),
    ...ORDERED.map(({ query, sort }) =>
      list('ada', { query, projection: { sort, fields: NAMES, limit: 12, skip: 3 } }),
    ),
    ...SORTS.map((sort) => list('ada', { projection: { sort, fields: NAMES, limit: 100 } })),
    ...FIELDS.map((fields) => list('ada', { query: FCC, projection: { sort: { name: 1 }, fields, limit: 4 } })),
    ...WALKS.map((question) => ({ ...list('ada', question), walk: true as const })),
    ...records(ids),
    ...others(ids),
  ]
}

function list(as: string, body: JsonObject, kind = 'materials'): Question {
  return { as, method: 'POST', path: `${API}/${kind}/search`, body }
}

function count(as: string, query: JsonObject): Question {
  return { as, method: 'POST', path: `${API}/materials/count`, body: { query } }
}

function get(as: string, path: string): Question {
  return { as, method: 'GET', path }
}

const FILTERS: readonly JsonObject[] = [
  {},
  FCC,
  { 'lattice.type': { $ne: 'FCC' }, tags: 'even' },
  { 'lattice.a': { $gte: 3, $lt: 4.1 } },
  { score: { $gt: 12, $lte: 20 }, series: { $in: [1, 3, 5] } },
  { 'basis.elements.value': { $all: ['Ti', 'O'] } },
  { elements: { $size: 2 }, nSites: { $mod: [2, 0] } },
  { 'spaceGroup.number': { $gte: 200 }, isPublic: true },
  { odd: null },
  { odd: { $exists: true, $type: 'array' } },
  { odd: { $gt: '0' } },
  { odd: { $in: [1, 'a', true, [[1, 2], [3], []]] } },
  { odd: { $not: { $type: ['string', 'object'] } } },
  { odd: [1, [2, [3]], 'x'] },
  { 'odd.b.c': { $gte: 2 } },
  { 'odd.x': { $elemMatch: { y: 3 } } },
  { runs: { $elemMatch: { code: 'qe', ok: false } } },
  { 'runs.energy': { $lt: -40 }, 'runs.2': { $exists: true } },
  { note: { $regex: '^a note.*[05]$', $options: 'i' } },
  { note: { $gt: 'A note', $lt: 'B' } },
  { measured: { $gte: '2021-06-01', $lt: '2022-01-01T00:00' } },
  { spectrum: { $elemMatch: { $gt: 15 } } },
  { spectrum: [0, 9, 1, 10, 2, 11, 3, 12, 4, 13, 5, 14] },
  { 'bands.1': [3, 4, 5] },
  { 'Größe.in cm': { $gte: 16 } },
  { 'sparse.only.here': 'once' },
  { $or: [{ 'lattice.type': 'BCC' }, { nElements: 3 }], $nor: [{ tags: 'even' }] },
  { $expr: { $gt: [{ $size: { $ifNull: ['$runs', []] } }, 2] } },
  { $expr: { $eq: ['$lattice.a', '$lattice.c'] }, 'lattice.gamma': { $in: [90, 120] } },
  { name: { $regex: 'rock\\s+salt$' }, 'owner.slug': 'ada' },
  { series: { $bitsAllSet: 5 } },
]

const SORTS: readonly JsonObject[] = [
  { name: 1 },
  { score: -1 },
  { odd: 1 },
  { odd: -1, name: 1 },
  { 'runs.energy': 1 },
  { 'lattice.type': 1, 'lattice.a': -1 },
  { note: -1, measured: 1 },
]

const FIELDS: readonly JsonObject[] = [
  { name: 1, 'lattice.a': 1, 'runs.code': 1 },
  { basis: 0, derivedProperties: 0, src: 0, 'lattice.vectors': 0 },
  { runs: { $slice: -1 }, _id: 0, name: 1, spectrum: 1 },
  { runs: { $elemMatch: { ok: true } }, spaceGroup: 1 },
]

const WALKS: readonly JsonObject[] = [
  { projection: { limit: 20 } },
  { query: { tags: 'sorted' }, projection: { sort: { score: 1 }, limit: 9 } },
  { query: { isPublic: true }, projection: { sort: { odd: -1, 'lattice.type': 1 }, limit: 5 } },
]

function records(ids: Ids): Question[] {
  const material = (id: string, rest = ''): string => `${API}/materials/${id}${rest}`
  return [
    get('ada', material(ids.changed)),
    get('bob', material(ids.changed)),
    get('ada', material(ids.changed, '/history')),
    get('ada', material(ids.changed, '?revision=2')),
    get('ada', material(ids.restored, '/history')),
    get('ada', material(ids.withdrawn, '/history')),
    get('bob', material(ids.withdrawn)),
    get('bob', material(ids.published)),
    get('bob', material(ids.published, '/history')),
    get('ada', material(ids.bobs)),
    get('ada', material(ids.removed)),
    get('ada', material(ids.returned)),
    get('ada', `${API}/materials/removed`),
    get('ada', `${API}/materials/default`),
    get('bob', `${API}/materials/default`),
    get('ada', `${API}/materials?setId=${ids.orderedSet}&sort=inSet.index`),
    get('ada', `${API}/materials?setId=${ids.set}`),
    get('ada', material(ids.published, '/export?format=poscar')),
    get(
      'ada',
      `${API}/materials/export?${new URLSearchParams({ query: '{"nElements":3}', projection: '{"fields":{"name":1}}' })}`,
    ),
  ]
}

function others(ids: Ids): Question[] {
  return [
    get('reader', `${API}/materials?quickSearch=magnesia`),
    get('reader', `${API}/materials?name=MgO+rock+salt&limit=3`),
    get('disabled', `${API}/materials`),
    get('guest', `${API}/materials`),
    get('ada', `${API}/methods/${ids.method}`),
    list(
      'bob',
      { query: { subtype: { $in: ['nc', 'us'] } }, projection: { fields: { type: 1, subtype: 1 } } },
      'methods',
    ),
    get('ada', `${API}/workflows`),
    get('ada', `${API}/jobs`),
    get('ada', `${API}/projects/default`),
    list('ada', { query: { 'data.value': { $lt: -12.6 } } }, 'properties'),
    list('lab', { projection: { fields: { data: 1 } } }, 'properties'),
    list(
      'bob',
      { projection: { sort: { formula: 1 }, fields: { formula: 1, sharedCount: 1 }, limit: 100 } },
      'bank-materials',
    ),
    get('bob', `${API}/bank-materials/${ids.banked}`),
    get('guest', `${API}/other/entity-counts`),
    get('ada', `${API}/accounts`),
    get('bob', '/api/v1/users/me'),
    get(
      'guest',
      `/optimade/v1/structures?${new URLSearchParams({ filter: 'elements HAS "O" AND nelements=2', response_fields: 'chemical_formula_reduced', page_limit: '50' })}`,
    ),
  ]
}
