import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { type Crystal, type CrystalSite, NOT_PERIODIC, type Occupancy, PERIODIC } from '../../crystal.ts'
import { addToList, type Vector3 } from '../../linear-algebra.ts'
import { hasNonZero } from '../common/format.ts'
import { isWhole } from '../common/species.ts'

// Records keep fields that no schema names and nothing computed knows: those that say that the structure is another one are told.

/** Names of an atom's `occurrence` in other programs, as `plain` gives them. */
const SHARE_NAMES: ReadonlySet<string> = new Set('occurrence occupancy occupation occu occ concentration'.split(' '))

/** What a structure has under names that nothing computed knows, and what is then not told apart or not right. */
const UNKNOWN_QUANTITIES = {
  'Magnetic moments': 'structures that differ in them alone have one hash',
  Charges: 'the structure is taken as neutral',
  'Oxidation states': 'atoms are told by their elements alone',
  Isotopes: 'masses and the density are those of the natural elements',
} as const

type UnknownQuantity = keyof typeof UNKNOWN_QUANTITIES

/** A quantity, the first of the paths at which a record has it, and what follows from its not being known. */
export interface QuantityUnknown {
  readonly quantity: UnknownQuantity
  readonly names: readonly string[]
  readonly consequence: string
}

/** The names of these quantities, as `plain` gives them. */
const QUANTITIES: ReadonlyMap<string, UnknownQuantity> = new Map([
  ['oxidationstate', 'Oxidation states'],
  ['isotope', 'Isotopes'],
  ['massnumber', 'Isotopes'],
  ['magneticmoment', 'Magnetic moments'],
  ['magmom', 'Magnetic moments'],
  ['moment', 'Magnetic moments'],
  ['spin', 'Magnetic moments'],
  ['charge', 'Charges'],
])

/** A name whichever way it is spelled: `magnetic_moment`, `magneticMoments`. */
function plain(name: string): string {
  return name
    .replaceAll(/[_\s-]/g, '')
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
}

/** A claim that an atom is no whole one. */
export interface PartialSite {
  /** Such as `basis.elements.0.occurrence`. */
  readonly path: string
  readonly share: Json
}

/** Claims in a basis of less, or more, than one atom under a name that is not read: fields of its elements, and lists beside them. */
export function partialSites(basis: JsonObject): readonly PartialSite[] {
  const shares = [
    ...entriesWithMore(basis).flatMap(({ index, entry }) =>
      fieldsNamed(entry, SHARE_NAMES).map((field) => ({
        path: `basis.elements.${index}.${field}`,
        share: ownField(entry, field),
      })),
    ),
    ...fieldsNamed(basis, SHARE_NAMES).flatMap((list) =>
      itemsOf(ownField(basis, list)).map((share, index) => ({ path: `basis.${list}.${index}`, share })),
    ),
  ]
  return shares.flatMap(({ path, share }) => (share === undefined || isWhole(share) ? [] : [{ path, share }]))
}

const MOST_EXAMPLES = 4

/** Quantities of the basis that nothing computed knows. */
export function unknownInBasis(basis: JsonObject): readonly QuantityUnknown[] {
  const found = new Map<UnknownQuantity, string[]>()
  const note = (field: string, path: string): void => {
    const quantity = QUANTITIES.get(plain(field))
    if (quantity !== undefined && !found.get(quantity)?.includes(path)) addToList(found, quantity, path)
  }
  for (const { entry } of entriesWithMore(basis)) {
    for (const field of fieldsNamed(entry, QUANTITIES)) {
      if (hasNonZero(ownField(entry, field))) note(field, `basis.elements.${field}`)
    }
  }
  for (const list of fieldsNamed(basis, QUANTITIES)) {
    const given = ownField(basis, list)
    if (hasNonZero(given) || itemsOf(given).some(hasNonZero)) note(list, `basis.${list}`)
  }
  return [...found].map(([quantity, names]) => ({
    quantity,
    names: names.length > MOST_EXAMPLES ? [...names.slice(0, MOST_EXAMPLES), 'and more'] : names,
    consequence: UNKNOWN_QUANTITIES[quantity],
  }))
}

/** Fields of `elements` and lists beside them that the schema has: these are kept and computed with. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(['occurrence', 'oxidationState', 'isotope', 'magneticMoments'])

function fieldsNamed(object: JsonObject, names: { readonly has: (name: string) => boolean }): readonly string[] {
  return Object.keys(object).filter((field) => names.has(plain(field)) && !KNOWN_FIELDS.has(field))
}

/** One value for each atom: plain, or with the id of the atom. */
function itemsOf(list: Json | undefined): readonly Json[] {
  if (!isJsonArray(list)) return []
  return list.map((item) => (isJsonObject(item) ? (ownField(item, 'value') ?? null) : item))
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
      const periodic = readDirections(ownField(object, name))
      if (periodic !== undefined) return { path: owner === '' ? name : `${owner}.${name}`, periodic }
    }
  }
  return undefined
}

/** Details of atoms in the basis of a material, beside element and place, by their ids; takes what the schema accepts, and leaves out the rest. */
export function readOccupancies(basis: JsonObject): ReadonlyMap<string, Occupancy> {
  const found = new Map<string, Occupancy>()
  const add = (id: Json | undefined, more: Occupancy): void => {
    found.set(String(id), { ...found.get(String(id)), ...more })
  }
  for (const entry of entriesOf(basis, 'elements')) {
    const { occurrence, oxidationState, isotope } = entry
    if (typeof occurrence === 'number' && occurrence < 1) add(entry.id, { occurrence })
    if (typeof oxidationState === 'number') add(entry.id, { oxidationState })
    if (typeof isotope === 'number') add(entry.id, { isotope })
  }
  for (const { id, assembly, group } of entriesOf(basis, 'disorder')) {
    const disorder = { assembly: textOf(assembly), group: textOf(group) }
    if (disorder.group !== '') add(id, { disorder })
  }
  for (const { id, value } of entriesOf(basis, 'magneticMoments')) {
    if (isVector(value)) add(id, { moment: value })
  }
  return found
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function isVector(value: Json | undefined): value is Vector3 & Json {
  return isJsonArray(value) && value.length === 3 && value.every((component) => typeof component === 'number')
}

const NOTHING: readonly JsonObject[] = []

/** The objects in a list of an object; none where there is no list. */
export function entriesOf(basis: JsonObject, list: string): readonly JsonObject[] {
  const items = ownField(basis, list)
  if (!isJsonArray(items)) return NOTHING
  return items.every(isJsonObject) ? items : items.filter(isJsonObject)
}

/** The same for a basis that is written: fields of `elements`, and the lists beside them. */
export function printOccupancies(sites: readonly CrystalSite[]): {
  readonly ofElements: readonly JsonObject[]
  readonly lists: JsonObject
} {
  const disorder = sites.flatMap((site, id) => (site.disorder === undefined ? [] : [{ id, ...site.disorder }]))
  const moments = sites.flatMap(({ moment }, id) => (moment === undefined ? [] : [{ id, value: [...moment] }]))
  return {
    ofElements: sites.map(({ occurrence, oxidationState, isotope }) => ({
      ...(occurrence === undefined ? {} : { occurrence: Number(occurrence.toFixed(4)) }),
      ...(oxidationState === undefined ? {} : { oxidationState }),
      ...(isotope === undefined ? {} : { isotope }),
    })),
    lists: {
      ...(disorder.length === 0 ? {} : { disorder }),
      ...(moments.length === 0 ? {} : { magneticMoments: moments }),
    },
  }
}

/** Along which lattice vectors a material repeats. */
export function directionsOf(material: JsonObject): Crystal['periodic'] {
  if (ownField(material, 'isNonPeriodic') === true) return NOT_PERIODIC
  const [a, b, c] = readDirections(ownField(material, 'periodicDirections')) ?? PERIODIC
  return [a, b, c]
}

/** Three flags; nothing for anything else. */
export function readDirections(value: Json | undefined): Crystal['periodic'] | undefined {
  if (!isJsonArray(value)) return undefined
  const [a, b, c, ...rest] = value.map((flag) =>
    flag === true || flag === 1 ? true : flag === false || flag === 0 ? false : undefined,
  )
  return a === undefined || b === undefined || c === undefined || rest.length > 0 ? undefined : [a, b, c]
}
