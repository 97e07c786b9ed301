import { isBelowLeast } from '../../../calculations/property-data.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'

/** A property as far as it is compared with others, and shown with its material. Plain data, so that it can come from another thread. */
export interface PropertyState {
  readonly id: string
  readonly isPublic: boolean
  /** Ids of the materials that it is of. */
  readonly materials: readonly string[]
  readonly name: string
  /** Empty without one. */
  readonly group: string
  readonly isBest: boolean
  readonly isPreferred: boolean
  readonly isRefined: boolean
  /** Whether something is said against it, or it cannot be: then it is compared with no other. */
  readonly hasCaveat: boolean
  /** Number of k-points in the zone times atoms, or what the property says of their density. */
  readonly kpoints: number
  /** In eV. */
  readonly cutoff: number
  /** Before all times for what follows from energies: what people give of the same precision is better. */
  readonly createdAt: string
  readonly jobId: string | null
  readonly methodId: string | null
  readonly summary: JsonObject
}

/** The fields of a record that its state is read from. */
export const STATE_FIELDS = [
  '_id',
  'isPublic',
  'exabyteId',
  'group',
  'isBest',
  'isPreferred',
  'isRefined',
  'caveat',
  'precision',
  'createdAt',
  'source',
  'summary',
] as const

/** The source of a property that follows from the energies of its account. */
export const HULL_SOURCE = 'hull'

/** Reads the state of a property of its record, or of some fields of it. */
export function propertyState(document: JsonObject): PropertyState {
  const precision = objectAt(document, 'precision')
  const source = objectAt(document, 'source')
  const summary = objectAt(document, 'summary')
  const name = String(ownField(objectAt(document, 'data'), 'name'))
  const info = objectAt(source, 'info')
  return {
    id: String(ownField(document, '_id')),
    isPublic: ownField(document, 'isPublic') === true,
    materials: idsOf(ownField(document, 'exabyteId')),
    name,
    group: typeof ownField(document, 'group') === 'string' ? String(document.group) : '',
    isBest: ownField(document, 'isBest') === true,
    isPreferred: ownField(document, 'isPreferred') === true,
    isRefined: ownField(document, 'isRefined') === true,
    hasCaveat: ownField(document, 'caveat') !== undefined || isBelowLeast({ ...summary, name }),
    kpoints: numberAt(precision, 'kppra', 'value', 'kpoints'),
    cutoff: numberAt(precision, 'cutoff'),
    createdAt:
      ownField(source, 'type') === HULL_SOURCE ? hullTime(info) : String(ownField(document, 'createdAt') ?? ''),
    jobId: textAt(info, 'jobId'),
    methodId: textAt(info, 'methodId'),
    summary,
  }
}

/** Before all times, and of several groups that of the best energy the last. */
function hullTime(info: JsonObject): string {
  return ownField(info, 'isOfBestEnergy') === true ? '0' : ''
}

function objectAt(document: JsonObject, field: string): JsonObject {
  const value = ownField(document, field)
  return isJsonObject(value) ? value : {}
}

function numberAt(object: JsonObject, ...fields: readonly string[]): number {
  const value = fields.map((field) => ownField(object, field)).find((one) => typeof one === 'number')
  return typeof value === 'number' ? value : 0
}

function textAt(object: JsonObject, field: string): string | null {
  const value = ownField(object, field)
  return typeof value === 'string' ? value : null
}

function idsOf(value: Json | undefined): readonly string[] {
  const ids = isJsonArray(value) ? value : [value]
  return ids.filter((id) => typeof id === 'string')
}

/**
 * The better one comes first: what the account prefers, then what refines another, then the denser k-points, then the higher cutoff, then the newer one; the order
 * of ids decides between what was made in one millisecond.
 */
export function compareProperties(one: PropertyState, other: PropertyState): number {
  return (
    Number(other.isPreferred) - Number(one.isPreferred) ||
    Number(other.isRefined) - Number(one.isRefined) ||
    other.kpoints - one.kpoints ||
    other.cutoff - one.cutoff ||
    compareTexts(other.createdAt, one.createdAt) ||
    compareTexts(one.id, other.id)
  )
}

export function compareTexts(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** The best property of each name and group, of those that nothing is said against. */
export function bestOf(properties: readonly PropertyState[]): readonly PropertyState[] {
  const best = new Map<string, PropertyState>()
  for (const property of properties.filter(({ hasCaveat }) => !hasCaveat).toSorted(compareProperties)) {
    const key = JSON.stringify([property.name, property.group])
    if (!best.has(key)) best.set(key, property)
  }
  return [...best.values()]
}
