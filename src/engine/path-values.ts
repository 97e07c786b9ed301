import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import type { Scalar } from '../query/ast/survey.ts'
import { preparePathWalk } from '../query/paths.ts'
import { type Bits, union } from './bits.ts'
import type { Column } from './column.ts'
import { arraysBefore, type ColumnSource, hasColumn } from './evaluate-values.ts'
import { doubtfulRows } from './ranks.ts'

/** The column of a path, as far as there can be one. */
export function columnAt(source: ColumnSource, { parts, text }: FieldPath): Column | null {
  return hasColumn(parts, text) ? source.column(text) : null
}

/** The rows of which only documents tell what they have at a path; null when there is none. */
export function unclearRows(source: ColumnSource, { parts, text }: FieldPath): Bits | null {
  if (!hasColumn(parts, text)) return new Uint32Array((source.rows + 31) >>> 5).fill(0xffffffff)
  const column = source.column(text)
  const own = column === null ? null : doubtfulRows(column, ['vector', 'unknown'])
  const indexed = arraysBefore(source, parts)
  return own === null || indexed === null ? (own ?? indexed) : union(own, indexed)
}

/** Collects the scalars that a path reaches, as the matcher does; each once. */
export function scalarsAt({ parts }: FieldPath): (document: JsonObject) => readonly Scalar[] {
  let found = new Set<Scalar>()
  const walk = preparePathWalk(parts, 'elements', (value) => {
    // -0 and 0 are one value.
    if (value !== undefined && isScalar(value)) found.add(value === 0 ? 0 : value)
    return false
  })
  return (document) => {
    found = new Set()
    walk(document)
    return [...found]
  }
}

function isScalar(value: Json): value is Scalar {
  return !isJsonArray(value) && !isJsonObject(value)
}
