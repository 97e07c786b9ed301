import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { loadSamples } from '../../src/records/samples/load-samples.ts'
import { insertion } from '../support/plans.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
  await loadSamples(server.services.records)
  await server.call('PUT', 'materials/create-set', { body: { name: 'a set of materials' } })
})
afterAll(() => server.close())

type Found = JsonObject & { readonly formula?: string; readonly elements?: readonly string[] }

async function found(parameters: string): Promise<Found[]> {
  const { status, body } = await server.call('GET', `materials?limit=500&${parameters}`)
  expect([status, body.message, body.warnings]).toEqual([200, undefined, undefined])
  return body.data
}

const ids = (records: readonly Found[]) => records.map(({ _id }) => _id).sort()
const byQuery = async (query: JsonObject) => ids(await found(`query=${encodeURIComponent(JSON.stringify(query))}`))
const asked = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`

describe('formula', () => {
  test.each([
    'TiO2',
    'O2Ti',
    'Ti2O4',
    'Ti O2',
    'TiO₂',
    'O4Ti2',
    'Ti(O)2',
    '$\\mathrm{TiO_2}$',
    'Ti<sub>1</sub>O<sub>2</sub>',
  ])('finds TiO2 as %s', async (text) => {
    const records = await found(asked('formula', text))
    expect(records.length).toBeGreaterThan(1)
    expect(ids(records)).toEqual(await byQuery({ formula: 'TiO2' }))
  })

  test('takes several, of which any will do', async () => {
    expect(ids(await found(asked('formula', 'O2Ti, ClNa')))).toEqual(
      await byQuery({ formula: { $in: ['TiO2', 'NaCl'] } }),
    )
  })

  test('finds a record that is older than the fields beside it', async () => {
    const old = {
      _id: 'old',
      name: 'old',
      formula: 'ZnTe',
      anonymousFormula: 'AB',
      elements: ['Te', 'Zn'],
      nElements: 2,
    }
    await server.services.records.store.apply([
      insertion('materials', 'old', old, { accountId: server.accountIds.ada, isPublic: false }),
    ])
    for (const parameter of [
      'formula=TeZn',
      'formulaAnonymous=BA&formula=TeZn',
      'elementsOnly=te,zn',
      'elements=Zn,Te',
    ])
      expect(ids(await found(parameter))).toContain('old')
  })
})

describe('classes of elements and oxidation states', () => {
  test('are asked for in any spelling, as a parameter and in queries', async () => {
    const halides = await found(asked('elementClasses', 'Halogens'))
    expect(halides.length).toBeGreaterThan(5)
    expect(ids(halides)).toEqual(await byQuery({ elementClasses: 'halogen' }))
    expect(ids(halides)).toEqual(await byQuery({ elements: { $in: ['F', 'Cl', 'Br', 'I', 'At', 'Ts'] } }))
    const salts = await found(asked('elementClasses', 'halogen, alkali'))
    expect(salts.length).toBeLessThan(halides.length)
    expect(ids(salts)).toEqual(await byQuery({ elementClasses: { $all: ['halogen', 'alkali metal'] } }))
  })

  test('are told of where records name states, and found by them', async () => {
    const body = {
      basis: {
        elements: [
          { id: 0, value: 'Fe', oxidationState: 2 },
          { id: 1, value: 'O', oxidationState: -2 },
        ],
        coordinates: [
          { id: 0, value: [0, 0, 0] },
          { id: 1, value: [0.5, 0.5, 0.5] },
        ],
      },
      lattice: { a: 3.1, b: 3.1, c: 3.1, alpha: 60, beta: 60, gamma: 60 },
    }
    const { data } = (await server.call('POST', 'materials', { body })).body
    expect(data.oxidationStates).toEqual(['Fe2+', 'O2-'])
    expect(ids(await found(asked('oxidationStates', 'Fe(II), O²⁻')))).toEqual([data._id])
    expect(await byQuery({ oxidationStates: 'Fe2+' })).toEqual([data._id])
    const { body: told } = await server.call('GET', `materials?${asked('query', '{"oxidationStates":"Fe(II)"}')}`)
    expect(told.warnings[0].hint).toContain('Fe2+')
  })

  test.each([
    ['elementClasses', 'halide', 'halogen'],
    ['elementClasses', 'rare erth', 'rare earth'],
    ['oxidationStates', 'Fe3', '%2B'],
  ])('%s=%s is refused, with what would be right', async (name, value, hint) => {
    const { status, body } = await server.call('GET', `materials?${asked(name, value)}`)
    expect(status).toBe(400)
    expect(body.message).toContain(hint)
  })
})

describe('formulas beside the formula', () => {
  test('have the elements in the order that each states', async () => {
    const body = {
      basis: {
        elements: ['H', 'C', 'H', 'H', 'H', 'Br'].map((value, id) => ({ id, value })),
        coordinates: [1, 2, 3, 4, 5, 6].map((n, id) => ({ id, value: [n / 8, n / 8, n / 8] })),
      },
      lattice: { a: 20, b: 20, c: 20, alpha: 90, beta: 90, gamma: 90 },
    }
    const { data } = (await server.call('POST', 'materials', { body })).body
    expect(data).toMatchObject({
      formula: 'H4CBr',
      formulaReduced: 'BrCH4',
      formulaHill: 'CH4Br',
      formulaAnonymous: 'A4BC',
      anonymousFormula: 'A4BC',
      chemicalSystem: 'Br-C-H',
    })
    expect(ids(await found('query={"formulaHill":"CH4Br"}'))).toEqual([data._id])
    const refused = await server.call('PATCH', `materials/${data._id}`, { body: { formulaHill: 'BrCH4' } })
    expect(refused.status).toBe(400)
  })
})

describe('elements', () => {
  const every = async (parameters: string) => (await found(parameters)).map(({ elements = [] }) => elements)

  test('contain all of them', async () => {
    const lists = await every('elements=Ti,O')
    expect(lists.length).toBeGreaterThan(2)
    expect(lists.every((list) => list.includes('Ti') && list.includes('O'))).toBe(true)
    expect(await every('elements=ti-o')).toEqual(lists)
    expect(await every('elements=Titanium%20oxygen')).toEqual(lists)
  })

  test('contain any of them', async () => {
    const lists = await every('elementsAny=Ti,Zr')
    expect(lists.every((list) => list.includes('Ti') || list.includes('Zr'))).toBe(true)
    expect(lists.length).toBe((await byQuery({ elements: { $in: ['Ti', 'Zr'] } })).length)
  })

  test('contain no others', async () => {
    const lists = await every('elementsOnly=Ti,O')
    expect(new Set(lists.map((list) => list.join('-')))).toEqual(new Set(['O-Ti', 'Ti']))
  })

  test('contain none of them, and sets are no answer', async () => {
    const records = await found('elementsNone=O,H')
    expect(records.length).toBeGreaterThan(20)
    expect(records.every(({ elements = [] }) => elements.length > 0 && !elements.includes('O'))).toBe(true)
  })

  test('join with each other and with everything else', async () => {
    const lists = await every('elements=O&elementsNone=Sr,Ba&elementsAny=Ti,Zr&query={"nElements":2}')
    expect(new Set(lists.map((list) => list.join('-')))).toEqual(
      new Set(
        await every('elements=O&elementsOnly=O,Ti,Zr&query={"nElements":2}').then((all) =>
          all.map((list) => list.join('-')),
        ),
      ),
    )
  })
})

describe('chemicalSystem', () => {
  test.each(['Ti-O', 'O-Ti', 'Ti,O', 'ti o', 'Titanium-oxygen'])('finds the system of %s', async (text) => {
    expect(ids(await found(asked('chemicalSystem', text)))).toEqual(await byQuery({ chemicalSystem: 'O-Ti' }))
  })
})

describe('spaceGroup', () => {
  test.each(['225', 'Fm-3m', 'F m -3 m', 'Fm3m', 'F 4/m -3 2/m', 'Fm\\bar{3}m', 'No. 225'])(
    'finds rock salt as %s',
    async (text) => {
      const records = await found(asked('spaceGroup', text))
      expect(records.map(({ formula }) => formula)).toContain('NaCl')
      expect(ids(records)).toEqual(await byQuery({ 'spaceGroup.number': 225 }))
    },
  )

  test('takes several, of which any will do', async () => {
    expect(ids(await found('spaceGroup=225,Fd-3m'))).toEqual(
      await byQuery({ 'spaceGroup.number': { $in: [225, 227] } }),
    )
  })

  test('has one symbol in every record, which leads back to it', async () => {
    const { spaceGroupSymbol } = await import('../../src/structure/symmetry/space-group-setting.ts')
    const groups = (await found('')).flatMap(({ spaceGroup }) =>
      spaceGroup === undefined ? [] : [spaceGroup as JsonObject],
    )
    expect(groups.length).toBeGreaterThan(100)
    expect(groups.map(({ symbol }) => symbol)).toEqual(groups.map(({ number }) => spaceGroupSymbol(Number(number))))
  })
})

describe('formulaAnonymous', () => {
  test.each(['ABC3', 'A3BC', 'C3AB', 'AB₃C'])('finds perovskites as %s', async (text) => {
    expect(ids(await found(asked('formulaAnonymous', text)))).toEqual(await byQuery({ anonymousFormula: 'A3BC' }))
  })
})

describe('a value that is none', () => {
  test.each([
    ['formula', 'quartz', 'formula=SrTiO3'],
    ['formula', 'tio2', 'formula=TiO2'],
    ['formula', 'si', 'formula=Si'],
    ['formula', '', 'formula=SrTiO3'],
    ['formula', 'TiO2,', 'formula=SrTiO3'],
    ['formula', 'Fe3+', 'formula=SrTiO3'],
    ['formulaAnonymous', 'SrTiO3', 'formulaAnonymous=A3BC'],
    ['formulaAnonymous', 'AC2', 'formulaAnonymous='],
    ['elements', 'Ti,Xx', 'Did you mean Xe?'],
    ['elements', 'Ti,quartz', 'is no element'],
    ['elements', 'TiO2', 'O,Ti'],
    ['elements', '', 'Ti,O'],
    ['elementsNone', 'Sillicon', 'Silicon'],
    ['chemicalSystem', 'TiO2', 'O,Ti'],
    ['spaceGroup', '231', 'spaceGroup=225'],
    ['spaceGroup', '0', 'spaceGroup=225'],
    ['spaceGroup', 'cubic', 'spaceGroup=225'],
  ])('is refused with what would be right: %s=%s', async (name, value, hint) => {
    const { status, body } = await server.call('GET', `materials?${asked(name, value)}`)
    expect([status, body.code, body.data.path]).toEqual([400, 40034, name])
    expect(body.message).toContain(hint)
  })
})

describe('these parameters', () => {
  test('hold for counts and exports, and for the bank', async () => {
    const { body } = await server.call('GET', 'materials/count?formula=O2Ti')
    expect(body.data.count).toBe((await byQuery({ formula: 'TiO2' })).length)
    const response = await fetch(`${server.origin}/api/2018-10-01/materials/export?formula=O2Ti`, {
      headers: server.credentials.ada,
    })
    expect((await response.text()).trimEnd().split('\n').length).toBe(body.data.count)
    const bank = await server.call('GET', 'bank-materials?formula=O2Ti')
    expect(bank.body.data.length).toBeGreaterThan(0)
  })

  test('lead to the next page', async () => {
    const first = await server.call('GET', 'materials?elements=O&limit=5')
    const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? []
    expect(next).toContain('elements=O')
    const second = await server.call('GET', next.replace(server.origin, ''))
    expect(second.body.data.every(({ elements }: Found) => elements?.includes('O'))).toBe(true)
  })

  test('are those of materials only', async () => {
    const { status, body } = await server.call('GET', 'methods?formula=Si')
    expect([status, body.code]).toEqual([400, 40032])
  })
})
