import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/kernel/json.ts'

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

/** Reads the crystals of a folder of ESSE materials (`.json` or `.ndjson`), in the order of their names. */
export function readPrototypes(folder: string): readonly Prototype[] {
  const files = readdirSync(folder).filter((name) => /\.(json|ndjson)$/.test(name))
  const prototypes = files.sort().flatMap((name) => materialsOf(join(folder, name)).flatMap(prototypeOf))
  if (prototypes.length === 0) throw new Error(`no crystals in ${folder}`)
  return prototypes
}

function materialsOf(file: string): readonly Json[] {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.ndjson'))
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const parsed: Json = JSON.parse(text)
  return isJsonArray(parsed) ? parsed : [parsed]
}

/** Cartesian and incomplete materials are left out: mutations work in units of the lattice. */
function prototypeOf(material: Json): readonly Prototype[] {
  if (!isJsonObject(material) || !isJsonObject(material.basis ?? null) || !isJsonObject(material.lattice ?? null))
    return []
  const { name, basis, lattice, tags, metadata } = material as unknown as EsseMaterial
  if ((basis.units ?? 'crystal') !== 'crystal') return []
  const elements = new Map(basis.elements.map(({ id, value }) => [id, value]))
  const sites = basis.coordinates.map(({ id, value }) => ({ element: elements.get(id) ?? 'X', coordinate: value }))
  const { vectors: _derivedAgain, ...cell } = lattice
  return [{ name, lattice: cell as Prototype['lattice'], sites, tags: tags ?? [], metadata: metadata ?? {} }]
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
