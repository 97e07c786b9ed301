import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { equalJson, isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import type { FieldGuide } from '../../query/warnings/field-knowledge.ts'

/** A field of a record that the description of its kind does not have, and one that it has and the record has not. */
export interface NearField {
  readonly path: string
  readonly meant: string
}

/** The described fields of one object of a record. */
interface DescribedObject {
  readonly above: string
  readonly steps: readonly string[]
  readonly names: ReadonlySet<string>
}

/** Described fields by the object that they are in, and what was found in objects that were new, by the names of their fields. */
interface Described {
  readonly objects: readonly DescribedObject[]
  readonly found: BoundedCache<readonly NearField[]>
}

const byGuide = new WeakMap<FieldGuide, Described>()

/** Finds fields, not there before, with names near those of described fields, unless the field that would be meant comes with them. */
export function nearFields(document: JsonObject, before: JsonObject, guide: FieldGuide): readonly NearField[] {
  const { objects, found } = describedBy(guide)
  return objects.flatMap((described) => {
    const object = objectAt(document, described.steps)
    if (object === null) return []
    const added = Object.keys(object).filter((name) => !described.names.has(name))
    if (added.length === 0) return []
    const earlier = objectAt(before, described.steps) ?? {}
    const isNew = Object.keys(earlier).length === 0
    return isNew ? inNewObject(object, described, found) : nearAmong(object, earlier, described)
  })
}

/** Remembered characters, in all and of one object. */
const REMEMBERED = { most: 1_000_000, heaviest: 10_000 }
/** Weight of an entry beside its characters. */
const ENTRY = 200

/** In an object that was not there before, names alone decide: many records have the same ones. */
function inNewObject(object: JsonObject, described: DescribedObject, found: Described['found']): readonly NearField[] {
  const key = JSON.stringify([described.above, ...Object.keys(object)])
  const known = found.get(key)
  if (known !== undefined) return known
  const fields = nearAmong(object, {}, described)
  found.set(key, fields, key.length + ENTRY)
  return fields
}

/** Objects with more fields hold data, not fields. */
const MOST_FIELDS = 200

function nearAmong(object: JsonObject, earlier: JsonObject, { above, names }: DescribedObject): readonly NearField[] {
  const added = Object.keys(object).filter((name) => !Object.hasOwn(earlier, name) && !names.has(name))
  const open = [...names].filter((name) => equalJson(ownField(object, name), ownField(earlier, name)))
  return added.slice(0, MOST_FIELDS).flatMap((name) => {
    const meant = open.find((other) => squeezed(other) === squeezed(name)) ?? nearestName(name, open)
    return meant === null ? [] : [{ path: join(above, name), meant: join(above, meant) }]
  })
}

function describedBy(guide: FieldGuide): Described {
  let described = byGuide.get(guide)
  if (described === undefined) {
    described = { objects: objectsOf(guide), found: new BoundedCache(REMEMBERED) }
    byGuide.set(guide, described)
  }
  return described
}

function objectsOf({ documented }: FieldGuide): readonly DescribedObject[] {
  const groups = new Map<string, Set<string>>()
  for (const path of documented) {
    const dot = path.lastIndexOf('.')
    const above = dot === -1 ? '' : path.slice(0, dot)
    const names = groups.get(above) ?? new Set()
    groups.set(above, names.add(path.slice(dot + 1)))
  }
  return Array.from(groups, ([above, names]) => ({ above, steps: above === '' ? [] : above.split('.'), names }))
}

function objectAt(document: JsonObject, steps: readonly string[]): JsonObject | null {
  let value: JsonObject = document
  for (const step of steps) {
    const next = ownField(value, step)
    if (!isJsonObject(next)) return null
    value = next
  }
  return value
}

function join(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`
}

/** `is_public`, `ispublic` and `isPublic` are one. */
function squeezed(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
