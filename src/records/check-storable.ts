import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { RecordLimits } from './limits.ts'
import { below, describeGiven, type Violation } from './violation.ts'
import { isWellFormed, wellFormed } from './well-formed-text.ts'

interface Walk {
  readonly limits: RecordLimits
  readonly violations: Violation[]
  leaves: number
}

/**
 * Finds what no record may hold, whatever its kind: values that JSON text cannot give back, keys that no query could ask
 * for, more than the limits allow.
 */
export function checkStorable(document: JsonObject, limits: RecordLimits): readonly Violation[] {
  const walk: Walk = { limits, violations: [], leaves: 0 }
  visit(document, '', 1, walk)
  if (walk.leaves > limits.leaves) {
    const expected = `a record of at most ${limits.leaves} values`
    walk.violations.push({ pointer: '', expected, given: 'more than that' })
  }
  return walk.violations
}

function visit(value: Json, pointer: string, depth: number, walk: Walk): void {
  if (walk.leaves > walk.limits.leaves) return
  if (isJsonArray(value) || isJsonObject(value)) {
    visitChildren(value, pointer, depth, walk)
    return
  }
  walk.leaves += 1
  if (typeof value === 'number' && !Number.isFinite(value)) {
    walk.violations.push({ pointer, expected: 'a number within the range of double precision', given: String(value) })
  } else if (typeof value === 'string' && !isWellFormed(value)) {
    walk.violations.push({
      pointer,
      expected: 'text without unpaired surrogates',
      given: describeGiven(wellFormed(value)),
    })
  }
}

function visitChildren(value: readonly Json[] | JsonObject, pointer: string, depth: number, walk: Walk): void {
  if (depth > walk.limits.depth) {
    walk.violations.push({ pointer, expected: `at most ${walk.limits.depth} levels`, given: 'a deeper value' })
    return
  }
  // Empty containers have no leaves but take room too.
  walk.leaves += 1
  if (isJsonArray(value)) {
    value.forEach((item, index) => {
      visit(item, below(pointer, index), depth + 1, walk)
    })
    return
  }
  for (const [key, item] of Object.entries(value)) {
    const expected = faultOfKey(key)
    if (expected !== null)
      walk.violations.push({ pointer: below(pointer, wellFormed(key)), expected, given: 'this key' })
    visit(item, below(pointer, key), depth + 1, walk)
  }
}

/**
 * Says what a key should be like, or null when it is fine. Empty keys and keys with dots are: no path names them, but
 * `$getField` does, as in MongoDB.
 */
function faultOfKey(key: string): string | null {
  if (key.startsWith('$')) return 'a key that does not start with "$", which marks operators'
  if (key.includes('\0')) return 'a key without the character NUL'
  if (!isWellFormed(key)) return 'a key without unpaired surrogates'
  return null
}
