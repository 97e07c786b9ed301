import { afterAll, expect, test } from 'vitest'
import { createRandom } from '../../scripts/fuzz/random.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { projectDocument } from '../../src/query/fields/project-document.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { compareSortKeys, sortKeyOf } from '../../src/query/order/sort-key.ts'
import { naiveDistinct } from '../support/naive-distinct.ts'
import { triesOf } from '../support/study.ts'
import { bestIds, joined, type ListedMaterial, type ListedProperty } from './support/joined-properties.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

type Person = 'ada' | 'bob'

/** Some records of each home are columns, and the others are not. */
const SIZES = { tailRows: 4, mergedTogether: 3, takenOver: 50 }
const MOST = 500
const CHANGES = 8
const QUESTIONS = 20
const FEW = 2
const AT_FIRST = 40
/** Questions after which a server without records is asked: lists are read whole. */
const QUESTIONS_OF_ONE = 600

const GROUPS = ['', 'vasp:dft:gga:pbe', 'vasp:dft:hybrid:hse06', 'espresso:dft:gga:pbe']
const NAMES = ['total_energy', 'band_gaps', 'band_gap', 'fermi_energy', 'own_figure']
const SHOWN = ['total_energy', 'band_gap', 'fermi_energy', 'own_figure', 'nothing']

const total = triesOf('properties')
const random = createRandom(total + Number(process.env['SEED'] ?? 0))
let server: LiveServer
afterAll(() => server.close())
/** Questions that something is found by, and changes that were not refused. */
let [fruitful, carriedOut] = [0, 0]

const call = async (as: Person, method: string, path: string, body?: object) =>
  server.call(method, path, { as, ...(body === undefined ? {} : { body }) })

/** Refusals of what has gone meanwhile, or has not gone. */
const GONE = [400, 404, 409, 422]
async function change(as: Person, method: string, path: string, body?: object): Promise<Json> {
  const answer = await call(as, method, path, body)
  expect([200, 201, ...GONE], `${method} ${path}: ${answer.text}`).toContain(answer.status)
  if (GONE.includes(answer.status)) return null
  carriedOut += 1
  return answer.body.data
}

async function list<T>(as: Person, collection: string, query: object, projection: object): Promise<readonly T[]> {
  const parameters = new URLSearchParams({ query: JSON.stringify(query), projection: JSON.stringify(projection) })
  const { status, body } = await call(as, 'GET', `${collection}?${parameters}`)
  expect([status, body.message]).toEqual([200, undefined])
  return body.data
}

/** Ids of all records that have been made, the removed ones too. */
const made = { materials: [] as [Person, string][], properties: [] as [Person, string][] }

async function make(as: Person, collection: 'materials' | 'properties', record: object): Promise<void> {
  const data = (await change(as, 'PUT', `${collection}/create`, record)) as { _id: string } | null
  if (data !== null) made[collection].push([as, data._id])
}

const makeMaterial = (as: Person) =>
  make(as, 'materials', material(`m${made.materials.length}`, { isPublic: random.chance(0.5) }))

const anyName = () => (random.chance(0.5) ? 'total_energy' : random.pick(NAMES))
const anyGroup = () => (random.chance(0.5) ? '' : random.pick(GROUPS))

const number = () => Math.round(random.integer(40) - 20) / 4

function dataOf(name: string): object {
  if (name !== 'band_gaps') return { name, value: number(), ...(name === 'own_figure' ? {} : { units: 'eV' }) }
  const gaps = ['direct', 'indirect']
    .filter(() => random.chance(0.7))
    .map((type) => ({ type, value: random.integer(9) }))
  return { name, values: gaps.length === 0 ? [{ type: 'direct', value: 0 }] : gaps }
}

function newProperty(ids: readonly string[]): object {
  const group = anyGroup()
  return {
    data: dataOf(anyName()),
    exabyteId: ids.length === 1 && random.chance(0.5) ? ids[0] : ids,
    isPublic: random.chance(0.3),
    ...(group === '' ? {} : { group }),
    ...precision(),
    ...(random.chance(0.1) ? { isPreferred: true } : {}),
    ...(random.chance(0.1) ? { isRefined: true } : {}),
    ...(random.chance(0.1) ? { caveat: 'of a charged cell' } : {}),
  }
}

function precision(): object {
  if (random.chance(0.3)) return {}
  return { precision: { kppra: 100 * random.integer(3), ...(random.chance(0.5) ? { cutoff: random.integer(3) } : {}) } }
}

const anyOf = (as: Person, collection: 'materials' | 'properties'): string => {
  const own = made[collection].filter(([whose]) => whose === as)
  // Some have many properties, which are compared with each other.
  return own.length === 0 ? 'none' : random.pick(random.chance(0.6) ? own.slice(0, FEW) : own)[1]
}

async function makeProperty(as: Person): Promise<void> {
  // Of what is another's and public there may be properties, too.
  const material = () => (random.chance(0.1) ? random.pick(made.materials)[1] : anyOf(as, 'materials'))
  const ids = [...new Set([material(), ...(random.chance(0.3) ? [material()] : [])])]
  await make(as, 'properties', newProperty(ids))
}

const CHANGE_OF_PROPERTY: readonly ((as: Person) => object)[] = [
  () => ({ data: dataOf(anyName()) }),
  () => ({ group: random.pick(GROUPS.slice(1)) }),
  () => precision(),
  () => ({ isPreferred: random.chance(0.5) }),
  () => ({ isRefined: random.chance(0.5) }),
  () => (random.chance(0.5) ? { caveat: 'of one moment' } : { $unset: { caveat: '' } }),
  () => ({ isPublic: random.chance(0.5) }),
  (as) => ({ exabyteId: anyOf(as, 'materials') }),
]

const ACTS: readonly ((as: Person) => Promise<unknown>)[] = [
  makeMaterial,
  ...Array.from({ length: 6 }, () => makeProperty),
  ...Array.from(
    { length: 4 },
    () => (as: Person) =>
      change(as, 'PATCH', `properties/${anyOf(as, 'properties')}`, random.pick(CHANGE_OF_PROPERTY)(as)),
  ),
  (as) => change(as, 'DELETE', `properties/${anyOf(as, 'properties')}`),
  (as) => change(as, 'POST', `properties/${anyOf(as, 'properties')}/restore`),
  (as) => change(as, 'POST', `properties/${anyOf(as, 'properties')}/restore?revision=1`),
  (as) => change(as, 'PATCH', `materials/${anyOf(as, 'materials')}`, { isPublic: random.chance(0.5) }),
  (as) => change(as, 'PATCH', `materials/${anyOf(as, 'materials')}`, { name: `n${random.integer(100)}` }),
  (as) => change(as, 'DELETE', `materials/${anyOf(as, 'materials')}`),
  (as) => change(as, 'POST', `materials/${anyOf(as, 'materials')}/restore`),
  async (as) => {
    const data = (await change(as, 'POST', `materials/${random.pick(made.materials)[1]}/copy`)) as {
      _id: string
    } | null
    if (data !== null) made.materials.push([as, data._id])
  },
  (as) => {
    const query = { 'data.name': random.pick(NAMES), 'owner._id': server.accountIds[as] }
    return change(as, 'PATCH', 'properties', { query, change: { isPublic: random.chance(0.5) } })
  },
  (as) => {
    const ids = [anyOf(as, 'properties'), anyOf(as, 'properties')]
    return random.chance(0.3) ? change(as, 'DELETE', 'properties', { ids: [...new Set(ids)] }) : Promise.resolve()
  },
  (as) => {
    const ids = [...new Set([anyOf(as, 'materials'), anyOf(as, 'materials')])]
    return change(as, 'PATCH', 'materials', { ids, change: { isPublic: random.chance(0.5) } })
  },
]

const LEAVES = ['value', 'group', 'units', 'type', 'direct', 'max', 'propertyId', '']
function path(): string {
  const group = random.chance(0.3) ? `${random.pick(GROUPS.slice(1))}.` : ''
  const leaf = random.chance(0.6) ? 'value' : random.pick(LEAVES)
  return `properties.${random.pick(SHOWN)}.${group}${leaf}`.replace(/\.$/, '')
}

function operand(at: string, documents: readonly JsonObject[]): Json {
  const values = naiveDistinct(documents, at).map(([value]) => value)
  return values.length > 0 && random.chance(0.7) ? random.pick(values) : number()
}

function condition(documents: readonly JsonObject[], depth = 0): JsonObject {
  const at = path()
  const value = () => operand(at, documents)
  const choices: readonly (() => JsonObject)[] = [
    () => ({ [at]: value() }),
    () => ({ [at]: { $gt: value() } }),
    () => ({ [at]: { $lte: value() } }),
    () => ({ [at]: { $gte: number(), $lt: number() + 5 } }),
    () => ({ [at]: { $ne: value() } }),
    () => ({ [at]: { $in: [value(), value()] } }),
    () => ({ [at]: { $nin: [value(), null] } }),
    () => ({ [at]: { $exists: random.chance(0.5) } }),
    () => ({ [at]: null }),
    () => ({ [at]: { $not: { $gt: value() } } }),
    () => ({ [at]: { $type: random.pick(['number', 'string', 'object']) } }),
    () => ({ $expr: { $gt: [`$${at}`, `$${path()}`] } }),
    () => ({ isPublic: random.chance(0.5), [at]: { $exists: true } }),
  ]
  if (depth > 1 || random.chance(0.7)) return random.pick(choices)()
  const parts = [condition(documents, depth + 1), condition(documents, depth + 1)]
  return { [random.pick(['$and', '$or', '$nor'])]: parts }
}

/** Asks a list with its number, a page of some fields in an order, the different values of a field, and how often each comes; gives the number of questions. */
async function ask(as: Person, documents: readonly JsonObject[]): Promise<number> {
  const query = condition(documents)
  const filter = parseFilter(query)
  const found = documents.filter((document) => matches(filter, document))
  const told = `as ${as}: ${JSON.stringify(query)}`
  const ids = await list<{ _id: string }>(as, 'materials', query, { fields: { _id: 1 }, limit: MOST })
  expect(ids.map(({ _id }) => _id).sort(), told).toEqual(found.map(({ _id }) => String(_id)).sort())
  const counted = await call(as, 'POST', 'materials/count', { query })
  expect(counted.body.data.count, told).toBe(found.length)
  if (found.length > 0) fruitful += 5
  await askPage(as, query, found)
  await askValues(as, query, found)
  return 5
}

async function askPage(as: Person, query: JsonObject, found: readonly JsonObject[]): Promise<void> {
  const sort = {
    [path()]: random.pick([1, -1]),
    ...(random.chance(0.4) ? { [path()]: random.pick([1, -1]) } : {}),
    _id: 1,
  }
  const fields = Object.fromEntries([path(), ...(random.chance(0.5) ? [path()] : [])].map((at) => [at, 1]))
  const whole = random.chance(0.3) ? { properties: 1 } : fields
  const asked = {
    fields: hasClash(whole) ? { properties: 1 } : whole,
    sort,
    limit: 1 + random.integer(9),
    skip: random.integer(4),
  }
  const [projection, filter] = [parseProjection(asked), parseFilter(query)]
  const keyed = found.map((document) => ({ document, key: sortKeyOf(document, projection.sort) }))
  keyed.sort((one, other) => compareSortKeys(one.key, other.key, projection.sort))
  const expected = keyed
    .slice(asked.skip, asked.skip + asked.limit)
    .map(({ document }) =>
      projection.fields === null ? document : projectDocument(document, projection.fields, filter),
    )
  expect(await list(as, 'materials', query, asked), JSON.stringify({ as, query, asked })).toEqual(expected)
}

/** Of a field and a field within it one alone can be asked for. */
function hasClash(fields: object): boolean {
  const paths = Object.keys(fields)
  return paths.some((one) => paths.some((other) => one !== other && other.startsWith(`${one}.`)))
}

async function askValues(as: Person, query: JsonObject, found: readonly JsonObject[]): Promise<void> {
  const at = path()
  const told = JSON.stringify({ as, query, at })
  const expected = naiveDistinct(found, at)
  const distinct = await call(as, 'POST', 'materials/distinct', { path: at, query, limit: MOST })
  expect(distinct.body.data.values, told).toEqual(expected.map(([value]) => value))
  const facets = [{ path: at, limit: MOST }]
  const { body } = await call(as, 'POST', 'materials/facets', { query, facets })
  const counts = (body.data.facets[0].values as { value: Json; count: number }[]).map(({ value, count }) => [
    value,
    count,
  ])
  const inOrder = (pairs: readonly (readonly [Json, number])[]) => pairs.map((pair) => JSON.stringify(pair)).sort()
  expect(inOrder(counts as [Json, number][]), told).toEqual(inOrder(expected.filter(([value]) => !isJsonObject(value))))
}

async function world(): Promise<Readonly<Record<Person, readonly JsonObject[]>>> {
  const read = async <T extends { _id: string }>(collection: string, fields: object = {}) => {
    const seen = await Promise.all(
      (['ada', 'bob'] as const).map((as) => list<T>(as, collection, {}, { limit: MOST, ...fields })),
    )
    return { seen, all: [...new Map(seen.flat().map((one) => [one._id, one])).values()] }
  }
  const properties = (await read<ListedProperty>('properties')).all
  const best = properties.filter(({ isBest }) => isBest === true).map(({ _id }) => _id)
  expect(best.sort()).toEqual(bestIds(properties))
  const { seen } = await read<ListedMaterial>('materials', { fields: { name: 1, isPublic: 1, owner: 1 } })
  return { ada: joined(seen[0] ?? [], properties), bob: joined(seen[1] ?? [], properties) }
}

test(`what materials show of their properties is what a join of both says, in ${total} questions`, async () => {
  let asked = 0
  while (asked < total) {
    if (asked > 0) await server.close()
    server = await startServer({ segmentSizes: SIZES })
    for (const ids of Object.values(made)) ids.length = 0
    asked += await askOne(Math.min(QUESTIONS_OF_ONE, total - asked))
  }
  if (process.env['STUDIES'] !== undefined) console.log({ asked, fruitful, carriedOut })
  expect(Math.min(fruitful, 10 * carriedOut)).toBeGreaterThan(total / 4)
})

/** Asks one server so many questions while what it has changes; gives their number. */
async function askOne(most: number): Promise<number> {
  for (const as of ['ada', 'ada', 'ada', 'bob', 'bob'] as const) await makeMaterial(as)
  for (let at = 0; at < AT_FIRST; at++) await makeProperty(at % 5 === 0 ? 'bob' : 'ada')
  let asked = 0
  while (asked < most) {
    for (let at = 0; at < CHANGES; at++) await random.pick(ACTS)(random.chance(0.75) ? 'ada' : 'bob')
    const documents = await world()
    for (let at = 0; at < QUESTIONS; at += 5) {
      const as = random.chance(0.7) ? 'ada' : 'bob'
      asked += await ask(as, documents[as])
    }
  }
  return asked
}
