import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Crystal, CrystalSite } from '../../crystal.ts'
import { itemAt } from '../../linear-algebra.ts'
import { disordered, readShare, requireElement } from '../common/species.ts'
import { wrongField } from './json-fields.ts'

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

/** Occupants of each site by the shares of its kind, `{"0": {"Cu": 0.75}}`; without kinds, by the only kind that has the element. */
export function occupantsOf(atoms: JsonObject, elements: readonly string[]): readonly (readonly AseOccupant[])[] {
  const info = ownField(atoms, 'info')
  const occupancy = isJsonObject(info) ? ownField(info, 'occupancy') : undefined
  if (!isJsonObject(occupancy)) return elements.map((element) => [{ element }])
  const kinds = new Map(Object.entries(occupancy).map(([kind, shares]) => [kind, readShares(kind, shares)]))
  const listed = unpackArray(ownField(atoms, 'spacegroup_kinds'), 'spacegroup_kinds')
  return elements.map((element, index) => {
    const kind = isJsonArray(listed) ? kinds.get(String(listed[index])) : undefined
    if (kind !== undefined) return kind
    const having = [...kinds.values()].filter((occupants) => occupants.some((one) => one.element === element))
    if (having.length === 0) return [{ element }]
    if (having.length === 1) return having[0] ?? []
    const hint = 'Give the kind of each atom in spacegroup_kinds.'
    throw disordered(`info.occupancy has several kinds of sites with ${element}.`, { path: 'info.occupancy', hint })
  })
}

function readShares(kind: string, shares: Json): readonly AseOccupant[] {
  const path = `info.occupancy.${kind}`
  if (!isJsonObject(shares)) throw wrongField(path, shares, 'shares by element')
  return Object.entries(shares).flatMap(([symbol, share]) => {
    if (share === 0) return []
    const occurrence = readShare(share, `${path}.${symbol}`)
    return [{ element: requireElement(symbol, path, { path }), ...(occurrence === undefined ? {} : { occurrence }) }]
  })
}

/** Writes an array as numpy arrays are written. */
export type ArrayPrinter = (shape: readonly number[], type: string, values: readonly unknown[]) => object

/** Shares by kind of site, as `ase.spacegroup.crystal` keeps them: sites with the same species are of one kind. */
export function occupancyOfKinds(
  { sites }: Pick<Crystal, 'sites'>,
  rows: readonly (readonly number[])[],
  array: ArrayPrinter,
): object {
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
  return { info: { occupancy }, spacegroup_kinds: array([rows.length], 'int64', kindOf) }
}
