import type { JsonObject } from '../../kernel/json.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import type { PropertyState } from '../kinds/property/best-property.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import { firstShown, propertiesIn, shownOfGroup } from '../kinds/property/shown-properties.ts'
import { broughtBy } from './bank-changes.ts'
import type { RecordDeps } from './deps.ts'
import { ownRecord } from './own-record.ts'
import type { Step } from './step.ts'

/** A stored property, with its record. */
export interface Rival {
  readonly property: PropertyState
  readonly record: StoredRecord
}

/** A property that comes alone, the material that it comes to, and what that shows. */
interface ComingProperty {
  readonly property: PropertyState
  readonly material: StoredRecord
  readonly shown: JsonObject
}

/**
 * Reads those that a property which comes has to be compared with by their ids, where its material shows which they are: the best of its group, and the first of its name.
 * Null where others have to be looked for. A third of the cost of a search.
 */
export async function shownRivals(
  deps: RecordDeps,
  material: StoredRecord | null,
  steps: readonly Step[],
): Promise<readonly Rival[] | null> {
  const coming = material === null ? null : comingTo(material, steps)
  if (coming === null) return null
  const { property, shown } = coming
  const best = shownOfGroup(shown, property)
  const first = firstShown(shown, property)
  if (best === undefined || first === undefined) return null
  const ids = [...new Set([best, first])].filter((id) => id !== null)
  const rivals = await Promise.all(ids.map((id) => rivalOf(deps, coming, id)))
  const known = rivals.filter((rival) => rival !== null)
  const isTold = known.length === ids.length && (best === null || isComparable(coming, known[0]))
  return isTold ? known : null
}

/** What a material shows of itself is of those that the same people see. */
function comingTo(material: StoredRecord, steps: readonly Step[]): ComingProperty | null {
  const { id, isPublic, derived } = material
  const own = steps.filter(({ before, after }) =>
    [before, after].some((one) => one?.property?.materials.includes(id) === true),
  )
  const [step] = own
  const property = step?.after?.property ?? null
  if (step?.change.action !== 'insert' || own.length > 1 || property === null) return null
  if (property.materials[0] !== id || property.isPublic !== isPublic) return null
  return { property: { ...property, id: step.change.id }, material, shown: propertiesIn(derived) }
}

async function rivalOf(deps: RecordDeps, { material }: ComingProperty, id: string): Promise<Rival | null> {
  const { accountId } = material
  const record = await ownRecord(deps, propertyKind.collection, { id, accountId })
  const brought = record === null ? null : await broughtBy(deps.work, accountId, propertyKind, record)
  const property = brought?.property ?? null
  return record === null || property === null ? null : { property: { ...property, id }, record }
}

/** Two names may be shown as one, and a property is compared with others at its first material. */
function isComparable({ property, material }: ComingProperty, rival: Rival | undefined): boolean {
  if (rival === undefined) return false
  const { name, group, isBest, materials } = rival.property
  return name === property.name && group === property.group && isBest && materials[0] === material.id
}
