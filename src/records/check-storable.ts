import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { RecordLimits } from './limits.ts'
import { below, describeGiven, type Violation } from './violation.ts'
import { isWellFormed, wellFormed } from './well-formed-text.ts'

interface Walk {
  readonly limits: RecordLimits
  readonly violations: Violation[]
  /** Where the walk is; written as a pointer only when something is wrong there. */
  readonly place: (string | number)[]
  leaves: number
}

/**
 * Finds what no record may hold, whatever its kind: values that JSON text cannot give back, keys that no query could ask
 * for, more than the limits allow.
 */
export function checkStorable(document: JsonObject, limits: RecordLimits): readonly Violation[] {
  const walk: Walk = { limits, violations: [], place: [], leaves: 0 }
  visit(document, 1, walk)
  if (walk.leaves > limits.leaves) {
    const expected = `a record of at most ${limits.leaves} values`
    walk.violations.push({ pointer: '', expected, given: 'more than that' })
  }
  return walk.violations
}

function visit(value: Json, depth: number, walk: Walk): void {
  if (walk.leaves > walk.limits.leaves) return
  walk.leaves += 1
  if (isJsonArray(value) || isJsonObject(value)) {
    // Empty containers have no leaves but take room too.
    visitChildren(value, depth, walk)
  } else if (typeof value === 'number') {
    if (Number.isFinite(value)) return
    report(walk, 'a number within the range of double precision', String(value))
  } else if (typeof value === 'string' && !isWellFormed(value)) {
    report(walk, 'text without unpaired surrogates', describeGiven(wellFormed(value)))
  }
}

function visitChildren(value: readonly Json[] | JsonObject, depth: number, walk: Walk): void {
  const { limits, place } = walk
  if (depth > limits.depth) {
    walk.leaves -= 1
    report(walk, `at most ${limits.depth} levels`, 'a deeper value')
    return
  }
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length; index++) {
      place.push(index)
      visit(value[index] as Json, depth + 1, walk)
      place.pop()
    }
    return
  }
  for (const key of Object.keys(value)) {
    place.push(key)
    const expected = faultOfKey(key)
    if (expected !== null) report(walk, expected, 'this key')
    visit(value[key] as Json, depth + 1, walk)
    place.pop()
  }
}

function report({ violations, place }: Walk, expected: string, given: string): void {
  const pointer = place.reduce<string>((above, component) => below(above, wellFormed(String(component))), '')
  violations.push({ pointer, expected, given })
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
