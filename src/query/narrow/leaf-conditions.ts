import { isJsonArray, type Json, type JsonObject } from '../../kernel/json.ts'
import type { ComparisonOperator } from '../ast/filter.ts'
import { indexVariants, NESTED_ARRAY } from './index-variants.ts'
import { isIndexedPath } from './leaves.ts'
import type { LeafBound, LeafType, LeafValue, Narrowing } from './narrowing.ts'
import { ANYTHING, allOf, anyOf, inexact, NOTHING } from './narrowings.ts'
import { afterPrefix, hasLoneSurrogate, isSafeText, safeStart } from './text-bounds.ts'

/** How many scalars of an object or array are looked up; more of them hardly narrow any further. */
const MAX_SCALARS = 8

interface Range {
  readonly type: LeafType
  readonly lower: LeafBound | null
  readonly upper: LeafBound | null
  readonly exact: boolean
}

/** Documents with a value of a type at a path, whichever it is. */
export function leafOfType(parts: readonly string[], type: LeafType): Narrowing {
  return leafIn(parts, { type, lower: null, upper: null, exact: true })
}

/** Documents with a text at a path that begins with `prefix`. */
export function leafWithPrefix(parts: readonly string[], prefix: string): Narrowing {
  if (prefix === '') return leafOfType(parts, 'string')
  if (hasLoneSurrogate(prefix)) return ANYTHING
  const start = isSafeText(prefix) ? prefix : safeStart(prefix)
  return leafIn(parts, { type: 'string', ...prefixRange(start), exact: start === prefix })
}

/** Documents with a value at a path that compares so with the operand. Null is asked of missing fields too, so it says nothing. */
export function leafCompared(parts: readonly string[], operator: ComparisonOperator, operand: Json): Narrowing {
  if (operand === null) return operator === '$gt' || operator === '$lt' ? NOTHING : ANYTHING
  if (typeof operand === 'object') return ANYTHING
  if (Number.isNaN(operand)) return NOTHING
  if (typeof operand === 'string' && hasLoneSurrogate(operand)) return ANYTHING
  const isLower = operator === '$gt' || operator === '$gte'
  if (typeof operand === 'string' && !isSafeText(operand)) {
    const { lower, upper } = prefixRange(safeStart(operand))
    return leafIn(parts, { type: 'string', lower: isLower ? lower : null, upper: isLower ? null : upper, exact: false })
  }
  const bound: LeafBound = { value: positiveZero(operand), inclusive: operator === '$gte' || operator === '$lte' }
  return leafIn(parts, {
    type: typeof operand as LeafType,
    lower: isLower ? bound : null,
    upper: isLower ? null : bound,
    exact: true,
  })
}

/** Documents with a value at a path that equals the operand. */
export function leafEqual(parts: readonly string[], operand: Json): Narrowing {
  if (operand === null) return ANYTHING
  if (isJsonArray(operand)) {
    // The array may be the value at the path, or an element of an array there.
    return inexact(anyOf([scalarsWithin(parts, operand), scalarsWithin([...parts, NESTED_ARRAY], operand)]))
  }
  if (typeof operand === 'object') return inexact(scalarsWithin(parts, operand as JsonObject))
  return scalarEqual(parts, operand)
}

function scalarEqual(parts: readonly string[], operand: boolean | number | string): Narrowing {
  if (Number.isNaN(operand)) return NOTHING
  if (typeof operand !== 'string') return leafIn(parts, pointRange(operand))
  if (hasLoneSurrogate(operand)) return ANYTHING
  if (isSafeText(operand)) return leafIn(parts, pointRange(operand))
  return leafIn(parts, { type: 'string', ...prefixRange(safeStart(operand)), exact: false })
}

function pointRange(operand: boolean | number | string): Range {
  const bound: LeafBound = { value: positiveZero(operand), inclusive: true }
  return { type: typeof operand as LeafType, lower: bound, upper: bound, exact: true }
}

/** What equals an object or array has its scalars; each is looked up by itself. */
function scalarsWithin(parts: readonly string[], value: JsonObject | readonly Json[]): Narrowing {
  const found: Narrowing[] = []
  collectScalars(parts, value, found)
  return allOf(found.length === 0 ? [ANYTHING] : found)
}

function collectScalars(parts: readonly string[], value: JsonObject | readonly Json[], found: Narrowing[]): void {
  for (const [key, child] of Object.entries(value)) {
    if (found.length >= MAX_SCALARS) return
    const isInArray = isJsonArray(value)
    if (!isInArray && (key === '' || key.includes('.'))) continue
    const below = isInArray ? parts : [...parts, key]
    if (isJsonArray(child) && isInArray) collectScalars([...parts, NESTED_ARRAY], child, found)
    else if (isContainer(child)) collectScalars(below, child, found)
    else found.push(scalarAt(below, child))
  }
}

function isContainer(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null
}

const NULL_BOUND: LeafBound = { value: null, inclusive: true }
const NULL_RANGE: Range = { type: 'null', lower: NULL_BOUND, upper: NULL_BOUND, exact: true }

/** Within an object or array null is a value like another: a field that is missing does not equal it. */
function scalarAt(parts: readonly string[], value: null | boolean | number | string): Narrowing {
  return value === null ? leafIn(parts, NULL_RANGE) : scalarEqual(parts, value)
}

function prefixRange(prefix: string): Pick<Range, 'lower' | 'upper'> {
  const after = afterPrefix(prefix)
  return {
    lower: { value: prefix, inclusive: true },
    upper: after === null ? null : { value: after, inclusive: false },
  }
}

function positiveZero(value: boolean | number | string): LeafValue {
  return value === 0 ? 0 : value
}

/** Each place is looked in that a numeric component may stand for. */
function leafIn(parts: readonly string[], range: Range): Narrowing {
  const variants = indexVariants(parts)
  if (variants === null) return ANYTHING
  const [only] = variants
  if (only !== undefined && variants.length === 1) return leafAt(only, range)
  return inexact(anyOf(variants.map((variant) => leafAt(variant, range))))
}

function leafAt(parts: readonly string[], range: Range): Narrowing {
  const path = parts.join('.')
  // A path of indexes alone, asked within $elemMatch, can leave nothing to look up.
  if (path === '' || !isIndexedPath(path)) return ANYTHING
  return { kind: 'leaf', path, ...range, exact: range.exact && !parts.includes(NESTED_ARRAY) }
}
