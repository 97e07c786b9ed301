import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { FieldKind } from '../query/ast/survey.ts'
import { NESTED_ARRAY } from '../query/paths.ts'
import { kindOfValue } from '../query/warnings/value-kind.ts'
import type { Column } from './column.ts'
import type { Kind } from './column-parts.ts'
import { countOrdinals, numberOrdinals } from './ordinal-counts.ts'
import { type Bits, intersection, isEmpty } from './selection.ts'

/** Kinds of values of some rows (`null`: of all) at a path of so many components. `counts`: how many of them have each value. */
export function kindsInColumn(
  column: Column,
  parts: number,
  rows: Bits | null,
  counts = rows === null ? null : countOrdinals(column, rows, numberOrdinals(column.dictionary)).counts,
): ReadonlySet<FieldKind> {
  const found = new Set<FieldKind>()
  const note = (kind: FieldKind, [from, to]: readonly [number, number]): void => {
    if (from < to && (counts === null || counts.subarray(from, to).some((count) => count > 0))) found.add(kind)
  }
  for (const kind of ['null', 'number', 'string'] as const) note(kind, column.dictionary.ordinalsOf(kind))
  for (const kind of column.dictionary.kinds) {
    const ordinal = column.dictionary.ordinalOfKind(kind)
    for (const told of TOLD_BY[kind]) note(told, [ordinal, ordinal + 1])
  }
  // An array without elements has no entry that would tell.
  if (column.depth === parts && column.arrayCount > 0) {
    const arrays = rows === null ? column.arrayBits : intersection(column.arrayBits, rows)
    if (!isEmpty(arrays)) found.add('array')
  }
  return found
}

/** Rows that have an array on the way, of which the column does not tell whether the path ends at it; null where there is none. */
export function unclearArrays(column: Column, rows: Bits): Bits | null {
  const nested = column.oddCount === 0 ? null : column.rowsOfKind('nested')
  if (nested === null) return null
  const unclear = intersection(intersection(nested, column.oddBits), rows)
  return isEmpty(unclear) ? null : unclear
}

const TOLD_BY: Readonly<Record<Kind, readonly FieldKind[]>> = {
  object: ['object'],
  nested: ['array'],
  vector: ['array', 'number'],
  false: ['boolean'],
  true: ['boolean'],
  unknown: ['string'],
  missing: [],
  untold: [],
}

/** Adds what kinds of values a document has at a path, by the same convention. */
export function addKindsIn(value: Json, parts: readonly string[], found: Set<FieldKind>, at = 0): void {
  if (at === parts.length) found.add(kindOfValue(value))
  if (isJsonArray(value)) {
    const goesDown = parts[at] === NESTED_ARRAY
    for (const element of value) {
      if (!isJsonArray(element)) addKindsIn(element, parts, found, at)
      else if (goesDown) addKindsIn(element, parts, found, at + 1)
    }
  } else if (at < parts.length && isJsonObject(value)) {
    const below = Object.hasOwn(value, parts[at] as string) ? value[parts[at] as string] : undefined
    if (below !== undefined) addKindsIn(below, parts, found, at + 1)
  }
}

/** Adds the paths that a document has a value at, as far as they have columns; what is in arrays of arrays is left out. */
export function addPathsOf(object: JsonObject, paths: Set<string>, prefix = ''): void {
  for (const key of Object.keys(object)) {
    if (key === '' || key.includes('.')) continue
    const path = `${prefix}${key}`
    paths.add(path)
    const value = object[key] as Json
    const below = isJsonArray(value) ? value : [value]
    for (const element of below) if (isJsonObject(element)) addPathsOf(element, paths, `${path}.`)
  }
}
