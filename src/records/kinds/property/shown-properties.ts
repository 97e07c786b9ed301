import { isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { compareProperties, compareTexts, type PropertyState } from './best-property.ts'

/** Fields that a material shows of a property, which no group is called. */
export const SHOWN_OF_ALL: readonly string[] = [
  'value',
  'units',
  'potentials',
  'type',
  'direct',
  'max',
  'points',
  'series',
  'steps',
  'description',
  'group',
  'jobId',
  'propertyId',
]

/** Names under which a material shows properties of other names: all gaps are of one field. */
const SHOWN_AS: ReadonlyMap<string, string> = new Map([['band_gaps', 'band_gap']])

/** Groups that a material shows of one name. */
const MOST_GROUPS = 50

/** Reads what a material shows, of the text that is stored with it. */
export function propertiesIn(derived = ''): JsonObject {
  return derived === '' ? {} : ((JSON.parse(derived) as { readonly properties?: JsonObject }).properties ?? {})
}

/** Name of a field under which a material shows properties. */
export function shownAs(name: string): string {
  return SHOWN_AS.get(name) ?? name
}

/** Names of properties that a material shows under one name. */
export function namesShownAs(shown: string): readonly string[] {
  return [shown, ...[...SHOWN_AS].flatMap(([name, as]) => (as === shown ? [name] : []))]
}

/** What a material shows of its best properties: of each name the best of all, and of each group its own. What it has shown of other names stays. */
export function shownProperties(best: readonly PropertyState[], others: JsonObject = {}): JsonObject {
  const byName = new Map<string, PropertyState[]>()
  for (const property of best.toSorted(compareProperties)) {
    const name = shownAs(property.name)
    byName.set(name, [...(byName.get(name) ?? []), property])
  }
  const shown = [...byName].flatMap(([name, properties]) =>
    isPathPart(name) ? [[name, shownOfName(properties)] as const] : [],
  )
  return inOrder({ ...others, ...Object.fromEntries(shown) })
}

/** A name that a path could not lead to is not shown. */
function isPathPart(name: string): boolean {
  return name !== '' && !name.includes('.') && !name.startsWith('$') && name !== '__proto__'
}

function shownOfName(properties: readonly PropertyState[]): JsonObject {
  const [first] = properties
  const groups = properties.filter(({ group }) => group !== '').slice(0, MOST_GROUPS)
  const ofGroups = Object.fromEntries(groups.toReversed().map((property) => [property.group, shownOf(property)]))
  return { ...(first === undefined ? {} : shownFirst(first)), ...inOrder(ofGroups) }
}

function shownFirst(first: PropertyState): JsonObject {
  return { ...shownOf(first), ...(first.group === '' ? {} : { group: first.group }) }
}

function inOrder(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => compareTexts(one, other)))
}

/** The property that a material shows first of a name: null for none, undefined where what it shows does not tell. */
export function firstShown(shown: JsonObject, { name }: Pick<PropertyState, 'name'>): string | null | undefined {
  if (!isPathPart(name)) return undefined
  return idIn(ownField(shown, shownAs(name)))
}

/**
 * The property that a material shows of a name and a group: null for none, undefined where what it shows does not tell. Of those without a group it shows the first of all,
 * which may have one.
 */
export function shownOfGroup(
  shown: JsonObject,
  property: Pick<PropertyState, 'name' | 'group'>,
): string | null | undefined {
  const ofName = ownField(shown, shownAs(property.name))
  const first = firstShown(shown, property)
  if (typeof first !== 'string' || !isJsonObject(ofName)) return first
  if (property.group === '') return first
  const ofGroup = ownField(ofName, property.group)
  return ofGroup === undefined && groupsIn(ofName).length >= MOST_GROUPS ? undefined : idIn(ofGroup)
}

/** The id of the property that a material shows with the same number, of the same name, group and job; null where it shows none. */
export function shownWithSameValue(shown: JsonObject, property: PropertyState): string | null {
  const { summary, group, jobId } = property
  const ofName = ownField(shown, shownAs(property.name))
  const one = group === '' ? ofName : isJsonObject(ofName) ? ownField(ofName, group) : undefined
  if (!isJsonObject(one) || ownField(summary, 'value') === undefined) return null
  const isSame = SUMMED_UP.every((field) => ownField(one, field) === ownField(summary, field))
  return isSame && (ownField(one, 'jobId') ?? null) === jobId ? (idIn(one) ?? null) : null
}

const SUMMED_UP = ['value', 'units', 'type', 'direct', 'max']

function idIn(shown: Json | undefined): string | null | undefined {
  if (shown === undefined) return null
  const id = isJsonObject(shown) ? ownField(shown, 'propertyId') : undefined
  return typeof id === 'string' ? id : undefined
}

function groupsIn(ofName: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(ofName).filter(([field]) => !SHOWN_OF_ALL.includes(field))
}

/** Properties that a material shows when the best of its group has come, which may be the first of its name. */
export function shownWith(shown: JsonObject, property: PropertyState, isFirst: boolean): JsonObject {
  const name = shownAs(property.name)
  const ofName = ownField(shown, name)
  const known = isJsonObject(ofName) ? ofName : {}
  const groups = groupsIn(known)
  const ofGroups = { ...Object.fromEntries(groups), ...ofGroup(property) }
  const first = Object.entries(known).filter(([field]) => SHOWN_OF_ALL.includes(field))
  return inOrder({
    ...shown,
    [name]: { ...(isFirst ? shownFirst(property) : Object.fromEntries(first)), ...inOrder(ofGroups) },
  })
}

function ofGroup(property: PropertyState): JsonObject {
  return property.group === '' ? {} : { [property.group]: shownOf(property) }
}

function shownOf({ id, jobId, summary }: PropertyState): JsonObject {
  return { ...summary, propertyId: id, ...(jobId === null ? {} : { jobId }) }
}
