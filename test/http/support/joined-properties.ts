import type { JsonObject } from '../../../src/kernel/json.ts'

/** A property as its account lists it. */
export interface ListedProperty {
  readonly _id: string
  readonly owner: { readonly _id: string }
  readonly isPublic: boolean
  readonly exabyteId?: string | readonly string[]
  readonly group?: string
  readonly data: { readonly name: string }
  readonly summary: JsonObject
  readonly isPreferred?: boolean
  readonly isRefined?: boolean
  readonly caveat?: string
  readonly precision?: { readonly kppra?: number; readonly cutoff?: number }
  readonly createdAt: string
  readonly source?: { readonly info?: { readonly jobId?: string } }
  readonly isBest?: boolean
}

export interface ListedMaterial {
  readonly _id: string
  readonly name: string
  readonly isPublic: boolean
  readonly owner: { readonly _id: string }
}

/** What nothing is said against, and no gap below 0. */
function isCompared({ caveat, data, summary }: ListedProperty): boolean {
  const isGap = ['band_gap', 'band_gaps'].includes(data.name)
  return caveat === undefined && !(isGap && Number(summary['value']) < 0)
}

/** What is compared of two properties, in the order of `docs/decisions/0045`: of each the greater is better, and at last the smaller id. */
function rankOf({ isPreferred, isRefined, precision = {}, createdAt }: ListedProperty): readonly (number | string)[] {
  const { kppra = 0, cutoff = 0 } = precision
  return [Number(isPreferred === true), Number(isRefined === true), kppra, cutoff, createdAt]
}

function betterFirst(one: ListedProperty, other: ListedProperty): number {
  const [a, b] = [rankOf(one), rankOf(other)]
  const at = a.findIndex((value, index) => value !== b[index])
  if (at === -1) return one._id < other._id ? -1 : 1
  return (a[at] ?? 0) > (b[at] ?? 0) ? -1 : 1
}

function materialsOf({ exabyteId = [] }: ListedProperty): readonly string[] {
  return typeof exabyteId === 'string' ? [exabyteId] : exabyteId
}

/** The properties that a material shows, as an object; null for none: those of its account that are as public as it is. */
function shownBy(material: ListedMaterial, properties: readonly ListedProperty[]): JsonObject | null {
  const seen = properties
    .filter((one) => one.owner._id === material.owner._id && one.isPublic === material.isPublic)
    .filter((one) => materialsOf(one).includes(material._id) && isCompared(one))
    .sort(betterFirst)
  const known = new Set<string>()
  const ofNames = new Map<string, (readonly [group: string, value: JsonObject])[]>()
  for (const { _id, data, group = '', summary, source } of seen) {
    const key = `${data.name} ${group}`
    if (known.has(key)) continue
    known.add(key)
    const jobId = source?.info?.jobId
    const name = data.name === 'band_gaps' ? 'band_gap' : data.name
    const value = { ...summary, propertyId: _id, ...(jobId === undefined ? {} : { jobId }) }
    ofNames.set(name, [...(ofNames.get(name) ?? []), [group, value]])
  }
  const names = [...ofNames].sort(([one], [other]) => (one < other ? -1 : 1))
  return seen.length === 0 ? null : Object.fromEntries(names.map(([name, values]) => [name, shownOf(values)]))
}

/** Fields of the best of all, and each group's own: the best of them comes last. */
function shownOf(values: readonly (readonly [group: string, value: JsonObject])[]): JsonObject {
  const [[group, best]] = values as [[string, JsonObject]]
  const groups = values.filter(([own]) => own !== '').toReversed()
  return { ...best, ...(group === '' ? {} : { group }), ...Object.fromEntries(groups) }
}

/** Materials with the properties that they show, as documents that a query can be asked of. */
export function joined(
  materials: readonly ListedMaterial[],
  properties: readonly ListedProperty[],
): readonly JsonObject[] {
  return materials.map((material) => {
    const { _id, name, isPublic } = material
    const shown = shownBy(material, properties)
    return { _id, name, isPublic, ...(shown === null ? {} : { properties: shown }) }
  })
}

/** The ids of the properties that say of themselves that they are the best, as they should: of their first material, name and group, among those that are as public. */
export function bestIds(properties: readonly ListedProperty[]): readonly string[] {
  const best = new Map<string, ListedProperty>()
  for (const one of properties.filter(isCompared).toSorted(betterFirst)) {
    const [first] = materialsOf(one)
    const key = JSON.stringify([one.owner._id, one.isPublic, first, one.data.name, one.group ?? ''])
    if (first !== undefined && !best.has(key)) best.set(key, one)
  }
  return [...best.values()].map(({ _id }) => _id).sort()
}
