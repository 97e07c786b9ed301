import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SAME_AS } from '../../src/optimade/properties.ts'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

/** Each chooses its entries; twenty found nothing else. */
const SEEDS = [1]

let optimade: OptimadeServer
beforeAll(async () => {
  optimade = await startOptimade()
})
afterAll(() => optimade.close())

/** Numbers that look random and are the same for a seed. */
function chooser(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Properties that a server has to have, and those that it has to be able to filter by with all mandatory operators. */
const MUST = ['id', 'type', 'structure_features']
const QUERYABLE =
  'id type last_modified elements nelements elements_ratios chemical_formula_descriptive nperiodic_dimensions nsites structure_features'.split(
    ' ',
  )

/** Operators by type: those that find the entry whose value is asked for, and those that do not. */
const OPERATORS: Readonly<Record<string, { readonly finds: readonly string[]; readonly excludes: readonly string[] }>> =
  {
    string: {
      finds: ['=', '<=', '>=', 'CONTAINS', 'STARTS WITH', 'STARTS', 'ENDS WITH', 'ENDS'],
      excludes: ['!=', '<', '>'],
    },
    timestamp: { finds: ['=', '<=', '>='], excludes: ['!=', '<', '>'] },
    integer: { finds: ['=', '<=', '>='], excludes: ['!=', '<', '>'] },
    float: { finds: ['=', '<=', '>='], excludes: ['!=', '<', '>'] },
    list: { finds: ['HAS', 'HAS ALL', 'HAS ANY', 'LENGTH'], excludes: [] },
  }
const TURNED: Readonly<Record<string, string>> = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

const written = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** The value of an operator, from that of an entry; null where there is none to ask with. */
function operand(operator: string, value: unknown): string | null {
  if (!Array.isArray(value)) return written(value)
  if (operator === 'LENGTH') return String(value.length)
  const items = [...new Set(value)]
  if (items.length === 0 || typeof items[0] === 'object') return null
  return operator === 'HAS' ? written(items[0]) : items.map(written).join(',')
}

interface Entry {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Asks for the entries of a filter; 501 is an answer for what need not be asked. */
async function found(base: string, filter: string, isMandatory: boolean) {
  const { status, body } = await optimade.get(`${base}/structures?page_limit=500&filter=${encodeURIComponent(filter)}`)
  expect([filter, status]).toEqual([filter, isMandatory || status === 200 ? 200 : 501])
  return status === 200 ? { ids: body.data.map(({ id }: Entry) => id), count: body.meta.data_returned } : null
}

/** Asks about a property in every way that its type has, with the value of an entry. */
async function assertAsked(base: string, name: string, type: string, { id, attributes }: Entry): Promise<void> {
  const value = name === 'id' ? id : attributes[name]
  const isMandatory = QUERYABLE.includes(name)
  const isKnown = value !== null && value !== undefined
  expect((await found(base, `${name} IS KNOWN`, isMandatory))?.ids.includes(id) ?? isKnown).toBe(isKnown)
  expect((await found(base, `${name} IS UNKNOWN`, isMandatory))?.ids.includes(id) ?? !isKnown).toBe(!isKnown)
  if (!isKnown) return
  const { finds, excludes } = OPERATORS[type] ?? { finds: [], excludes: [] }
  for (const operator of [...finds, ...excludes]) {
    const asked = operand(operator, value)
    if (asked === null) continue
    const filter = `${name} ${operator} ${asked}`
    const answer = await found(base, filter, isMandatory)
    if (answer === null) continue
    expect([filter, answer.ids.includes(id)]).toEqual([filter, finds.includes(operator)])
    if (operator === '=' && name === 'id') expect(answer.count).toBe(1)
    const turned = TURNED[operator]
    if (turned === undefined || Array.isArray(value)) continue
    expect((await found(base, `${asked} ${turned} ${name}`, isMandatory))?.count).toBe(answer.count)
  }
}

describe.each(['/v1', '/v1.2', ''])('the API at %j', (base) => {
  test('describes itself', async () => {
    const { data, meta } = (await optimade.get(`${base}/info`)).body
    expect([data.type, data.id, meta.provider.prefix]).toEqual(['info', '/', 'quarry'])
    expect(data.attributes.available_endpoints).toEqual(expect.arrayContaining(['info', 'links', 'structures']))
    const { properties, output_fields_by_format: fields } = (await optimade.get(`${base}/info/structures`)).body.data
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...MUST, ...QUERYABLE]))
    for (const name of Object.keys(properties)) expect(name).toMatch(/^(?:_quarry_)?[a-z][a-z0-9_]*$/)
    expect(fields.json).toEqual(Object.keys(properties))
    const links = (await optimade.get(`${base}/links`)).body.data
    expect(links.filter(({ attributes }: Entry) => attributes.link_type === 'root')).toHaveLength(1)
    const { status } = await fetch(`${optimade.server.origin}/optimade${base}/v123123`)
    expect(status).toBe(base === '' ? 553 : 404)
  })

  test('gives pages of the size that is asked, each entry once', async () => {
    const ids = new Set<string>()
    let url: string | null = `${base}/structures?page_limit=5`
    for (let page = 0; page < 6 && url !== null; page++) {
      const { body } = await optimade.get(url)
      expect(body.meta.data_available).toBe(body.meta.data_returned)
      expect([body.data.length, body.meta.more_data_available]).toEqual([5, true])
      for (const { id } of body.data) ids.add(id)
      url = String(body.links.next).replace(`${optimade.server.origin}/optimade`, '')
    }
    expect(ids.size).toBe(30)
  })

  test.each(SEEDS)('is asked about every property of an entry, seed %i', { timeout: 120_000 }, async (seed) => {
    const below = chooser(seed)
    const { properties } = (await optimade.get(`${base}/info/structures`)).body.data
    const names = Object.keys(properties).filter((name) => name !== SAME_AS)
    const count = (await optimade.get(`${base}/structures?page_limit=1`)).body.meta.data_returned
    const path = `${base}/structures?page_limit=1&page_offset=${below(count)}&response_fields=${names}`
    const [entry] = (await optimade.get(path)).body.data as [Entry]
    const single = await optimade.get(`${base}/structures/${entry.id}?response_fields=${names}`)
    expect(single.body.data).toEqual(entry)
    const three = [1, 2, 3].map(() => names[2 + below(names.length - 2)] as string)
    const few = (await optimade.get(`${base}/structures?page_limit=1&response_fields=${three}`)).body.data[0]
    expect(Object.keys(few.attributes).sort()).toEqual([...new Set(three)].sort())
    for (const name of names) if (name !== 'type') await assertAsked(base, name, properties[name].type, entry)
  })
})
