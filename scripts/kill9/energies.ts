import { convexHull } from '../../src/calculations/hull/convex-hull.ts'
import { compound } from '../../test/http/support/compounds.ts'
import type { Random } from '../fuzz/random.ts'

const ELEMENTS = ['Li', 'Fe', 'O', 'P']
const GROUP = 'vasp:dft:gga:pbe'
/** What programs print; hulls are stored to as many digits. */
const DIGITS = 1e-9

interface Energy {
  readonly _id: string
  readonly exabyteId: readonly string[] | string
  readonly data: { readonly value: number }
}

interface ShownMaterial {
  readonly _id: string
  readonly basis: { readonly elements: readonly { readonly value: string }[] }
  readonly properties?: { readonly energy_above_hull?: { readonly value: number } }
}

/** Materials and total energies of one account on a server. */
export class Energies {
  readonly #url: string
  readonly #headers: Record<string, string>
  readonly #random: Random

  constructor(url: string, headers: Record<string, string>, random: Random) {
    this.#url = url
    this.#headers = headers
    this.#random = random
  }

  /** Makes compounds with their energies, and changes and removes some that there are. */
  async change(compounds: number): Promise<void> {
    for (let at = 0; at < compounds; at++) await this.#add(this.#composition())
    for (const { _id } of await this.#energies()) {
      if (this.#random.chance(0.15)) await this.#ask('PATCH', `properties/${_id}`, { 'data.value': this.#energy(4) })
      else if (this.#random.chance(0.05)) await this.#ask('DELETE', `properties/${_id}`)
    }
  }

  /** Elements by themselves, without which there is no hull. */
  async addElements(): Promise<void> {
    for (const element of ELEMENTS) await this.#add({ [element]: 1 })
  }

  /** Where the energies above the hull that the server shows and stores are not those that follow from the total energies that it has now. */
  async differences(): Promise<readonly string[]> {
    const [energies, materials, stored] = await Promise.all([
      this.#energies(),
      this.#list<ShownMaterial>('materials', {}, { 'basis.elements': 1, properties: 1 }),
      this.#list<Energy>('properties', { 'data.name': 'energy_above_hull' }, { exabyteId: 1, 'data.value': 1 }),
    ])
    const expected = aboveHull(energies, materials)
    const values = new Map<string, number[]>()
    for (const { exabyteId, data } of stored) {
      const [id = ''] = [exabyteId].flat()
      values.set(id, [...(values.get(id) ?? []), data.value])
    }
    return materials.flatMap(({ _id, properties }) => {
      const should = expected.get(_id) ?? null
      const has = values.get(_id) ?? []
      const shown = properties?.energy_above_hull?.value ?? null
      if (isNear(shown, should) && has.length === (should === null ? 0 : 1) && isNear(has[0] ?? null, should)) return []
      return [`${_id} shows ${shown} and has ${has.join(', ')}; it should be ${should}`]
    })
  }

  async #add(composition: Readonly<Record<string, number>>): Promise<void> {
    const { _id } = (await this.#ask('PUT', 'materials/create', compound(composition))) as { _id: string }
    const data = { name: 'total_energy', value: this.#energy(sumOf(composition)), units: 'eV' }
    await this.#ask('PUT', 'properties/create', { data, exabyteId: _id, group: GROUP })
  }

  #composition(): Readonly<Record<string, number>> {
    const amounts = ELEMENTS.flatMap((element) =>
      this.#random.chance(0.6) ? [[element, 1 + this.#random.integer(3)] as const] : [],
    )
    return amounts.length === 0 ? { O: 2 } : Object.fromEntries(amounts)
  }

  #energy(atoms: number): number {
    return -atoms * (4 + this.#random.integer(1000) / 250)
  }

  #energies(): Promise<readonly Energy[]> {
    return this.#list('properties', { 'data.name': 'total_energy' }, { exabyteId: 1, 'data.value': 1 })
  }

  async #list<T>(collection: string, query: object, fields: object): Promise<readonly T[]> {
    const all: T[] = []
    for (;;) {
      const projection = { fields, limit: 200, skip: all.length, sort: { _id: 1 } }
      const asked = new URLSearchParams({ query: JSON.stringify(query), projection: JSON.stringify(projection) })
      const some = (await this.#ask('GET', `${collection}?${asked}`)) as readonly T[]
      all.push(...some)
      if (some.length < 200) return all
    }
  }

  async #ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/2018-10-01/${path}`, {
      method,
      headers: { ...this.#headers, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const answer = (await response.json()) as { readonly data: unknown }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer.data
  }
}

/** The energy above the hull of each material that has one, computed of nothing but total energies and elements. */
function aboveHull(energies: readonly Energy[], materials: readonly ShownMaterial[]): ReadonlyMap<string, number> {
  const energyOf = new Map(energies.map(({ exabyteId, data }) => [[exabyteId].flat()[0] ?? '', data.value]))
  const entries = materials.flatMap(({ _id: id, basis }) => {
    const energy = energyOf.get(id)
    return energy === undefined ? [] : [{ id, composition: amountsIn(basis), energy }]
  })
  const found = new Map<string, number>()
  for (const { id, composition } of entries) {
    const within = entries.filter((other) => Object.keys(other.composition).every((element) => element in composition))
    const hull = convexHull(within)
    if ('refusal' in hull || hull.elements.length < Object.keys(composition).length) continue
    const place = hull.places.find((one) => one.id === id)
    if (place !== undefined) found.set(id, place.energyAboveHull)
  }
  return found
}

function amountsIn({ elements }: ShownMaterial['basis']): Readonly<Record<string, number>> {
  const amounts: Record<string, number> = {}
  for (const { value } of elements) amounts[value] = (amounts[value] ?? 0) + 1
  return amounts
}

function sumOf(composition: Readonly<Record<string, number>>): number {
  return Object.values(composition).reduce((sum, count) => sum + count, 0)
}

function isNear(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one === other
  return Math.abs(one - other) <= DIGITS
}
