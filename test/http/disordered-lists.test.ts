import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

/** So small that what is asked lies in segments and beside them. */
const SIZES = { tailRows: 3, mergedTogether: 3, takenOver: 3 }

type Species = readonly [string, readonly [number, number, number], object?]

const basis = (species: readonly Species[], more: object = {}) => ({
  elements: species.map(([value, , fields], id) => ({ id, value, ...fields })),
  coordinates: species.map(([, value], id) => ({ id, value })),
  ...more,
})
const copper = (occurrence: number): Species => ['Cu', [0, 0, 0], { occurrence }]
const alternatives = (one: number, other: number): Species[] => [
  ['O', [0, 0, 0]],
  ['H', [0.2, 0, 0], one === 1 ? {} : { occurrence: one }],
  ['H', [0, 0.2, 0], other === 1 ? {} : { occurrence: other }],
]
const GROUPS = {
  disorder: [
    { id: 1, assembly: 'A', group: '1' },
    { id: 2, assembly: 'A', group: '2' },
  ],
}

/** What each record is, by its name. */
const RECORDS: Readonly<Record<string, object>> = {
  ordered: {},
  half: { basis: basis([copper(0.5)]) },
  'nine tenths': { basis: basis([copper(0.9)]) },
  'more than nine tenths': { basis: basis([copper(0.9002)]) },
  'mixed with gold': { basis: basis([copper(0.7), ['Au', [0, 0, 0], { occurrence: 0.3 }]]) },
  'mixed, vacant': { basis: basis([copper(0.7), ['Au', [0, 0, 0], { occurrence: 0.2 }]]) },
  'whole copper': { basis: basis([['Cu', [0, 0, 0]]]) },
  alternatives: { basis: basis(alternatives(0.6, 0.4), GROUPS) },
  'one group only': { basis: basis(alternatives(1, 1), { disorder: [{ id: 1, assembly: 'A', group: '1' }] }) },
  slab: { periodicDirections: [true, true, false] },
  'slab along b': { periodicDirections: [true, false, true] },
  wire: { periodicDirections: [false, false, true] },
  'three directions': { periodicDirections: [true, true, true] },
  molecule: { isNonPeriodic: true },
  magnetic: { basis: basis([['Fe', [0, 0, 0]]], { magneticMoments: [{ id: 0, value: [0, 0, 2.2] }] }) },
}
const DISORDERED = [
  'half',
  'nine tenths',
  'more than nine tenths',
  'mixed with gold',
  'mixed, vacant',
  'alternatives',
].sort()
/** Those with a site that species share, or that is empty in some cells: groups of whole species are none. */
const MIXED = DISORDERED.filter((name) => name !== 'alternatives')

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ segmentSizes: SIZES })
  for (const [rank, [name, fields]] of Object.entries(RECORDS).entries()) {
    const body = material(name, { isPublic: true, ...fields }, 4 + rank / 10)
    const { status, body: answer } = await server.call('POST', 'materials', { body })
    expect([name, status, answer.message]).toEqual([name, 201, undefined])
  }
})
afterAll(() => server.close())

async function listed(parameters: string): Promise<string[]> {
  const { status, body } = await server.call('GET', `materials?limit=100&${parameters}`)
  expect([status, body.message, body.warnings]).toEqual([200, undefined, undefined])
  return body.data.map(({ name }: { name: string }) => name).sort()
}

async function optimade(filter: string): Promise<string[]> {
  const fields = 'response_fields=_quarry_name'
  const reply = await fetch(
    `${server.origin}/optimade/v1/structures?page_limit=100&${fields}&filter=${encodeURIComponent(filter)}`,
  )
  const body = (await reply.json()) as { data: { attributes: { _quarry_name: string } }[] }
  expect([reply.status, body]).toMatchObject([200, {}])
  return body.data.map(({ attributes }) => attributes._quarry_name).sort()
}

const but = (...left: readonly string[]): string[] =>
  Object.keys(RECORDS)
    .filter((name) => !left.includes(name))
    .sort()

test('lists take isDisordered', async () => {
  expect(await listed('isDisordered=true')).toEqual(DISORDERED)
  expect(await listed('isDisordered=false')).toEqual(but(...DISORDERED))
  const { status, body } = await server.call('GET', 'materials?isDisordered=perhaps')
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('true or false')])
})

test.each([
  ['Cu:0.5-0.9', ['half', 'mixed with gold', 'mixed, vacant', 'nine tenths']],
  ['cu:0.9-', ['more than nine tenths', 'nine tenths', 'whole copper']],
  ['Cu:-0.5', ['half']],
  ['Cu:0.7', ['mixed with gold', 'mixed, vacant']],
  ['Cu:0.5-0.9,Au:0.25-', ['mixed with gold']],
  ['Au:0-1', ['mixed with gold', 'mixed, vacant']],
])('lists take composition=%s', async (composition, names) => {
  expect(await listed(`composition=${encodeURIComponent(composition)}`)).toEqual(names)
})

test('composition and isDisordered go together, and with a query', async () => {
  expect(await listed('composition=Cu:0.5-&isDisordered=false')).toEqual(['whole copper'])
  const query = encodeURIComponent(JSON.stringify({ disorderKinds: 'vacancy' }))
  expect(await listed(`composition=Cu:0.5-0.9&query=${query}`)).toEqual(['half', 'mixed, vacant', 'nine tenths'])
})

test('facets count the kinds of disorder', async () => {
  const facets = [{ path: 'disorderKinds' }, { path: 'isDisordered' }]
  const { status, body } = await server.call('POST', 'materials/facets', { body: { facets } })
  expect([status, body.message]).toEqual([200, undefined])
  const [kinds, disordered] = body.data.facets
  expect(
    Object.fromEntries(kinds.values.map((one: { value: string; count: number }) => [one.value, one.count])),
  ).toEqual({ vacancy: 4, substitution: 2, position: 1 })
  expect(disordered.values).toEqual([
    { value: false, count: but(...DISORDERED).length },
    { value: true, count: DISORDERED.length },
  ])
})

test.each([
  ['structure_features HAS "disorder"', MIXED],
  ['NOT structure_features HAS "disorder"', but(...MIXED)],
  ['structure_features HAS "assemblies"', ['alternatives', 'one group only']],
  ['structure_features HAS ALL "assemblies","disorder"', []],
  ['structure_features HAS ANY "assemblies","disorder"', [...DISORDERED, 'one group only'].sort()],
  ['structure_features HAS ONLY "disorder"', but('alternatives', 'one group only')],
  ['structure_features LENGTH 1', [...DISORDERED, 'one group only'].sort()],
  ['structure_features LENGTH 2', []],
  ['structure_features LENGTH 0', but(...DISORDERED, 'one group only')],
  ['_quarry_magnetic_moments IS KNOWN', ['magnetic']],
  ['assemblies IS KNOWN', ['alternatives', 'one group only']],
  ['assemblies IS UNKNOWN', but('alternatives', 'one group only')],
  ['dimension_types HAS 0', ['molecule', 'slab', 'slab along b', 'wire']],
  ['dimension_types HAS ALL 0,1', ['slab', 'slab along b', 'wire']],
  ['dimension_types HAS ONLY 1', but('molecule', 'slab', 'slab along b', 'wire')],
  ['dimension_types HAS ONLY 0', ['molecule']],
  ['dimension_types LENGTH 3', but()],
  ['nperiodic_dimensions=3', but('molecule', 'slab', 'slab along b', 'wire')],
  ['nperiodic_dimensions=2', ['slab', 'slab along b']],
  ['nperiodic_dimensions=1', ['wire']],
  ['nperiodic_dimensions=0', ['molecule']],
  ['nperiodic_dimensions<3 AND nperiodic_dimensions>0', ['slab', 'slab along b', 'wire']],
  ['nperiodic_dimensions!=3', ['molecule', 'slab', 'slab along b', 'wire']],
])('OPTIMADE finds by %s', async (filter, names) => {
  expect(await optimade(filter)).toEqual([...names])
})

test('what OPTIMADE answers of features and directions is what it finds by', async () => {
  const reply = await fetch(
    `${server.origin}/optimade/v1/structures?page_limit=100&response_fields=_quarry_name,structure_features,dimension_types,nperiodic_dimensions`,
  )
  const { data } = (await reply.json()) as {
    data: { attributes: { _quarry_name: string; structure_features: string[]; nperiodic_dimensions: number } }[]
  }
  expect(data).toHaveLength(Object.keys(RECORDS).length)
  const having = (test: (one: (typeof data)[number]['attributes']) => boolean): string[] =>
    data
      .filter(({ attributes }) => test(attributes))
      .map(({ attributes }) => attributes._quarry_name)
      .sort()
  for (const feature of ['disorder', 'assemblies']) {
    const answered = having((one) => one.structure_features.includes(feature))
    expect(await optimade(`structure_features HAS "${feature}"`)).toEqual(answered)
  }
  for (const count of [0, 1, 2, 3]) {
    expect(await optimade(`nperiodic_dimensions=${count}`)).toEqual(having((one) => one.nperiodic_dimensions === count))
  }
})
