import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Crystal, CrystalSite } from '../../crystal.ts'
import { itemAt } from '../../linear-algebra.ts'
import { disordered, readShare } from '../common/species.ts'
import type { SpeciesNames } from '../common/species-names.ts'
import { take, takeWhole, wrongField } from './json-fields.ts'

/** An array as numpy arrays are written, `{"__ndarray__": [shape, type, values]}`, or a plain list. */
export function unpackArray(value: Json | undefined, path: string): Json | undefined {
  if (!isJsonObject(value)) return value
  const inner = ownField(value, 'array') ?? ownField(value, '__ndarray__')
  if (ownField(value, 'array') !== undefined) return unpackArray(ownField(value, 'array'), `${path}.array`)
  if (!isJsonArray(inner) || inner.length !== 3)
    throw wrongField(`${path}.__ndarray__`, inner, 'shape, type and values')
  const [shape, , values] = inner
  if (!isJsonArray(shape) || !isJsonArray(values))
    throw wrongField(`${path}.__ndarray__`, inner, 'shape, type and values')
  const [, width] = shape
  if (shape.length !== 2 || typeof width !== 'number' || isJsonArray(values[0])) return values
  if (!(Number.isInteger(width) && width > 0)) return []
  return Array.from({ length: Math.ceil(values.length / width) }, (_, row) =>
    values.slice(row * width, (row + 1) * width),
  )
}

type AseOccupant = Pick<CrystalSite, 'element' | 'occurrence'>

/** Occupants of each site by the shares of its kind, `{"0": {"Cu": 0.75}}`; without kinds, by the only kind that has the element. No atom has none. */
export function occupantsOf(
  atoms: JsonObject,
  species: readonly (AseOccupant | null)[],
  names: SpeciesNames,
): readonly (readonly AseOccupant[])[] {
  const info = take(atoms, 'info')
  const occupancy = isJsonObject(info) ? ownField(info, 'occupancy') : undefined
  if (!isJsonObject(info) || !isJsonObject(occupancy)) return species.map((one) => (one === null ? [] : [one]))
  takeWhole(info, 'occupancy')
  const kinds = new Map(Object.entries(occupancy).map(([kind, shares]) => [kind, readShares(kind, shares, names)]))
  const listed = unpackArray(takeWhole(atoms, 'spacegroup_kinds'), 'spacegroup_kinds')
  return species.map((one, index) => {
    if (one === null) return []
    const kind = isJsonArray(listed) ? kinds.get(String(listed[index])) : undefined
    if (kind !== undefined) return kind
    const having = [...kinds.values()].filter((occupants) => occupants.some(({ element }) => element === one.element))
    if (having.length === 0) return [one]
    if (having.length === 1) return having[0] ?? []
    const hint = 'Give the kind of each atom in spacegroup_kinds.'
    throw disordered(`info.occupancy has several kinds of sites with ${one.element}.`, { path: 'info.occupancy', hint })
  })
}

function readShares(kind: string, shares: Json, names: SpeciesNames): readonly AseOccupant[] {
  const path = `info.occupancy.${kind}`
  if (!isJsonObject(shares)) throw wrongField(path, shares, 'shares by element')
  return Object.entries(shares).flatMap(([symbol, share]) => {
    if (share === 0) return []
    const occurrence = readShare(share, `${path}.${symbol}`)
    const species = names.ofType(symbol, { path })
    return species === null ? [] : [{ ...species, ...(occurrence === undefined ? {} : { occurrence }) }]
  })
}

/** Writes an array as numpy arrays are written. */
export type ArrayPrinter = (shape: readonly number[], type: string, values: readonly unknown[]) => object

/** Shares by kind of site, as `ase.spacegroup.crystal` keeps them: sites with the same species are of one kind. */
export function occupancyOfKinds(
  { sites }: Pick<Crystal, 'sites'>,
  rows: readonly (readonly number[])[],
  array: ArrayPrinter,
): { readonly occupancy: object; readonly spacegroup_kinds: object } {
  const kinds = new Map<string, number>()
  const kindOf = rows.map((members) => {
    const shares = members.map((index) => {
      const { element, occurrence = 1 } = itemAt(sites, index)
      return [element, occurrence]
    })
    const key = JSON.stringify(Object.fromEntries(shares))
    if (!kinds.has(key)) kinds.set(key, kinds.size)
    return kinds.get(key) ?? 0
  })
  const occupancy = Object.fromEntries([...kinds].map(([key, kind]) => [kind, JSON.parse(key)]))
  return { occupancy, spacegroup_kinds: array([rows.length], 'int64', kindOf) }
}
