import { equalJson, isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import type { FieldGuide } from '../../query/warnings/field-guide.ts'

/** A field of a record that the description of its kind does not have, and one that it has and the record has not. */
export interface NearField {
  readonly path: string
  readonly meant: string
}

const grouped = new WeakMap<FieldGuide, ReadonlyMap<string, readonly string[]>>()

/**
 * Finds the fields that a document has and had not before whose names are nearly those of described fields. What comes together with the
 * field that would be meant is none.
 */
export function nearFields(document: JsonObject, before: JsonObject, guide: FieldGuide): readonly NearField[] {
  const found: NearField[] = []
  for (const [above, described] of describedFields(guide)) {
    const object = objectAt(document, above)
    if (object === null) continue
    const earlier = objectAt(before, above) ?? {}
    const added = Object.keys(object).filter((name) => !Object.hasOwn(earlier, name) && !described.includes(name))
    const open = described.filter((name) => equalJson(ownField(object, name), ownField(earlier, name)))
    for (const name of added.slice(0, MOST_FIELDS)) {
      const meant = open.find((other) => squeezed(other) === squeezed(name)) ?? nearestName(name, open)
      if (meant !== null) found.push({ path: join(above, name), meant: join(above, meant) })
    }
  }
  return found
}

/** Objects with more fields hold data, not fields. */
const MOST_FIELDS = 200

/** The described fields by the object that they are in. */
function describedFields(guide: FieldGuide): ReadonlyMap<string, readonly string[]> {
  const known = grouped.get(guide)
  if (known !== undefined) return known
  const groups = new Map<string, string[]>()
  for (const path of guide.documented) {
    const dot = path.lastIndexOf('.')
    const above = dot === -1 ? '' : path.slice(0, dot)
    groups.set(above, [...(groups.get(above) ?? []), path.slice(dot + 1)])
  }
  grouped.set(guide, groups)
  return groups
}

function objectAt(document: JsonObject, path: string): JsonObject | null {
  let value: JsonObject = document
  for (const part of path === '' ? [] : path.split('.')) {
    const next = ownField(value, part)
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
