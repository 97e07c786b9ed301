import { expect } from 'vitest'
import type { Actor, LiveServer } from './live-server.ts'

/** The group that energies of tests have where nothing is said. */
export const GROUP = 'vasp:dft:gga:pbe'

/** A crystal of some elements, in a box that is large enough to keep its atoms apart. */
export function compound(composition: Readonly<Record<string, number>>, fields: object = {}) {
  const atoms = Object.entries(composition).flatMap(([element, count]) => Array<string>(count).fill(element))
  const side = 3 * atoms.length
  return {
    name: Object.entries(composition).flat().join(''),
    lattice: { type: 'CUB', a: side, b: side, c: side, alpha: 90, beta: 90, gamma: 90 },
    basis: {
      units: 'crystal',
      elements: atoms.map((value, id) => ({ id, value })),
      coordinates: atoms.map((_, id) => ({ id, value: [id / atoms.length, id / atoms.length, 0] })),
    },
    ...fields,
  }
}

/** Makes records of compounds and their energies over HTTP. */
export class Compounds {
  readonly #server: LiveServer
  readonly #as: Actor

  constructor(server: LiveServer, as: Actor) {
    this.#server = server
    this.#as = as
  }

  async call(method: string, path: string, body?: object) {
    return this.#server.call(method, path, { as: this.#as, ...(body === undefined ? {} : { body }) })
  }

  /** Gives the id. */
  async create(collection: string, record: object): Promise<string> {
    const { status, body } = await this.call('PUT', `${collection}/create`, record)
    expect([status, body.message]).toEqual([200, undefined])
    return body.data._id
  }

  /** Gives the id of the property. */
  async energy(exabyteId: string, value: number, fields: object = {}): Promise<string> {
    const data = { name: 'total_energy', value, units: 'eV' }
    return this.create('properties', { data, exabyteId, group: GROUP, ...fields })
  }

  /** Makes a compound with its energy; gives the id of the material. */
  async add(composition: Readonly<Record<string, number>>, energy: number, fields: object = {}, material: object = {}) {
    const id = await this.create('materials', compound(composition, { ...material, ...publicOf(fields) }))
    await this.energy(id, energy, fields)
    return id
  }

  async diagram(parameters: Readonly<Record<string, string>>) {
    const { status, body } = await this.call('GET', `phase-diagram?${new URLSearchParams(parameters)}`)
    expect([status, body.message]).toEqual([200, undefined])
    return body.data
  }
}

function publicOf(fields: object): object {
  return 'isPublic' in fields ? { isPublic: fields.isPublic } : {}
}
