import type { JsonObject } from '../kernel/json.ts'
import { clip } from '../query/parse/parse-context.ts'
import type { RecordKind } from './record-kind.ts'
import { invalidRecord } from './validate-record.ts'
import { below } from './violation.ts'

/**
 * Refuses fields with dots in their names: an update would take them for paths, and no query would find them. Those that `known`
 * has, a record of an older version, may stay.
 */
export function assertNoDottedFields(kind: RecordKind, document: JsonObject, known: JsonObject = {}): void {
  const dotted = Object.keys(document).filter((name) => name.includes('.') && !Object.hasOwn(known, name))
  if (dotted.length === 0) return
  const violations = dotted.map((name) => ({
    pointer: below('', name),
    expected: `a field within an object, ${nested(name)}`,
    given: 'a name with dots',
  }))
  throw invalidRecord(kind, violations)
}

/** `a.b.c` as JSON has it: `{"a":{"b":{"c":…}}}`. */
function nested(name: string): string {
  const parts = name.split('.').slice(0, 8)
  const open = parts.map((part) => `{${JSON.stringify(clip(part, 40))}:`).join('')
  return `${open}…${'}'.repeat(parts.length)}`
}
