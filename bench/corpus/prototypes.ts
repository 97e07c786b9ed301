import { isJsonObject, type JsonObject } from '../../src/kernel/json.ts'
import { readSamples } from '../../src/records/samples/library.ts'

/** An atom of a crystal: its element and its place in units of the lattice. */
export interface Site {
  readonly element: string
  readonly coordinate: readonly [number, number, number]
}

/** A real crystal that documents are made from. */
export interface Prototype {
  readonly name: string
  readonly lattice: JsonObject & { readonly type: string; readonly a: number; readonly b: number; readonly c: number }
  readonly sites: readonly Site[]
  readonly tags: readonly string[]
  readonly metadata: JsonObject
}

/** Reads the crystals of the library of samples, in the order of their names. */
export function readPrototypes(): readonly Prototype[] {
  return readSamples('materials').flatMap(({ document }) => prototypeOf(document))
}

/** Cartesian and incomplete materials are left out: mutations work in units of the lattice. */
function prototypeOf(material: JsonObject): readonly Prototype[] {
  if (!isJsonObject(material.basis) || !isJsonObject(material.lattice)) return []
  const { name, basis, lattice, tags, metadata } = material as unknown as EsseMaterial
  if ((basis.units ?? 'crystal') !== 'crystal') return []
  const elements = new Map(basis.elements.map(({ id, value }) => [id, value]))
  const sites = basis.coordinates.map(({ id, value }) => ({ element: elements.get(id) ?? 'X', coordinate: value }))
  const { vectors: _derivedAgain, ...cell } = lattice
  return [{ name, lattice: cell as Prototype['lattice'], sites, tags: tags ?? [], metadata: originOf(metadata ?? {}) }]
}

/** What stays true of a crystal that was strained and substituted: where it came from. */
function originOf({ prototype, strukturbericht, source }: JsonObject): JsonObject {
  const origin = { prototype, strukturbericht, source }
  return Object.fromEntries(Object.entries(origin).filter(([, value]) => value !== undefined)) as JsonObject
}

interface EsseMaterial {
  readonly name: string
  readonly lattice: JsonObject
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
  readonly basis: {
    readonly units?: string
    readonly elements: readonly { readonly id: number; readonly value: string }[]
    readonly coordinates: readonly { readonly id: number; readonly value: readonly [number, number, number] }[]
  }
}
