import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { Crystal } from './crystal.ts'
import { isWhole } from './disorder.ts'
import { hasNonZero, Unkept, type UnkeptQuantity } from './unkept.ts'

/*
 * What people put into a material beside what it is made of. Records keep fields that no schema names, and nothing computed knows them: where such
 * a field says that the structure is another one, that has to be noticed.
 */

/** The names of a share of an atom; `occurrence` is that of earlier versions of the wire format. */
const SHARE_NAMES = ['occurrence', 'occupancy', 'occupation', 'occu']

const ELEMENT_FIELDS: Readonly<Record<string, UnkeptQuantity>> = {
  oxidationState: 'Oxidation states',
  oxidation_state: 'Oxidation states',
  isotope: 'Isotopes',
  massNumber: 'Isotopes',
  magneticMoment: 'Magnetic moments',
  magmom: 'Magnetic moments',
  spin: 'Magnetic moments',
  charge: 'Charges',
}

const BASIS_LISTS: ReadonlyMap<string, UnkeptQuantity> = new Map([
  ['oxidationStates', 'Oxidation states'],
  ['isotopes', 'Isotopes'],
  ['magneticMoments', 'Magnetic moments'],
  ['magmoms', 'Magnetic moments'],
  ['spins', 'Magnetic moments'],
  ['charges', 'Charges'],
])

/** An entry of `basis.elements` that is no whole atom. */
export interface PartialSite {
  readonly index: number
  readonly field: string
  readonly share: Json
}

/** The entries of `basis.elements` that claim to be less, or more, than one atom. */
export function partialSites(basis: JsonObject): readonly PartialSite[] {
  const partial: PartialSite[] = []
  for (const { index, entry } of entriesWithMore(basis)) {
    for (const field of SHARE_NAMES) {
      const share = ownField(entry, field)
      if (share !== undefined && !isWhole(share)) partial.push({ index, field, share })
    }
  }
  return partial
}

/** What the basis says of its atoms that nothing computed knows. */
export function unkeptInBasis(basis: JsonObject): Unkept {
  const unkept = new Unkept()
  for (const { entry } of entriesWithMore(basis)) {
    for (const [field, quantity] of Object.entries(ELEMENT_FIELDS)) {
      if (hasNonZero(ownField(entry, field))) unkept.note(quantity, `basis.elements.${field}`)
    }
  }
  for (const list of Object.keys(basis)) {
    const quantity = BASIS_LISTS.get(list)
    if (quantity === undefined) continue
    const items = ownField(basis, list)
    if (isJsonArray(items) && items.some(isNonZeroItem)) unkept.note(quantity, `basis.${list}`)
  }
  return unkept
}

function isNonZeroItem(item: Json): boolean {
  return hasNonZero(isJsonObject(item) ? ownField(item, 'value') : item)
}

interface NumberedEntry {
  readonly index: number
  readonly entry: JsonObject
}

const NO_ENTRIES: readonly NumberedEntry[] = []

/** Most entries have an id and a value, and nothing to look for. */
function entriesWithMore(basis: JsonObject): readonly NumberedEntry[] {
  const elements = ownField(basis, 'elements')
  if (!isJsonArray(elements)) return NO_ENTRIES
  let found: NumberedEntry[] | undefined
  for (let index = 0; index < elements.length; index++) {
    const entry = elements[index]
    if (!isJsonObject(entry) || !hasMore(entry)) continue
    found ??= []
    found.push({ index, entry })
  }
  return found ?? NO_ENTRIES
}

function hasMore(entry: JsonObject): boolean {
  let fields = 0
  for (const _field in entry) if (++fields > 2) return true
  return false
}

const DIRECTION_NAMES = ['pbc', 'periodicDirections', 'dimension_types']

/** Directions of repetition, and the field that states them. */
export interface StatedDirections {
  readonly path: string
  readonly periodic: Crystal['periodic']
}

/** Along which lattice vectors a material says that it repeats, beside `isNonPeriodic`; nothing when it does not say so. */
export function statedDirections(material: JsonObject): StatedDirections | undefined {
  for (const owner of ['', 'lattice', 'basis']) {
    const object = owner === '' ? material : ownField(material, owner)
    if (!isJsonObject(object)) continue
    for (const name of DIRECTION_NAMES) {
      const periodic = readFlags(ownField(object, name))
      if (periodic !== undefined) return { path: owner === '' ? name : `${owner}.${name}`, periodic }
    }
  }
  return undefined
}

function readFlags(value: Json | undefined): Crystal['periodic'] | undefined {
  if (!isJsonArray(value)) return undefined
  const [a, b, c, ...rest] = value.map((flag) =>
    flag === true || flag === 1 ? true : flag === false || flag === 0 ? false : undefined,
  )
  return a === undefined || b === undefined || c === undefined || rest.length > 0 ? undefined : [a, b, c]
}
