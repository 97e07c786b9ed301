import type { ExpressionValue } from '../values/expression-value.ts'
import { isArrayValue, isPlainObject, typeName } from './read-value.ts'

/** Bytes of one value by its type, without its name: https://bsonspec.org/spec.html */
const FIXED_SIZES: Readonly<Record<string, number>> = { null: 0, bool: 1, int: 4, long: 8, double: 8, date: 8 }

/** Counts the bytes that an object would take in BSON; `pay` is told of the steps that it takes. */
export function bsonSize(value: ExpressionValue, pay: (steps: number) => void): number {
  if (typeof value === 'string') return 4 + Buffer.byteLength(value) + 1
  if (!isArrayValue(value) && !isPlainObject(value)) return FIXED_SIZES[typeName(value)] ?? 0
  const entries = Object.entries(value)
  pay(entries.length)
  const fields = entries.map(([name, field]) => 1 + Buffer.byteLength(name) + 1 + bsonSize(field, pay))
  return 4 + fields.reduce((sum, size) => sum + size, 0) + 1
}
