import type { ExpressionValue } from '../values/expression-value.ts'
import { readInstant } from '../values/read-instant.ts'

/**
 * Reads a date, or the text of an instant exactly as records keep it (ISO 8601 with milliseconds and Z); null for all else.
 */
export function recordInstant(value: ExpressionValue): Date | null {
  if (value instanceof Date) return value
  return typeof value === 'string' && value.length === 24 && readInstant(value) === value ? new Date(value) : null
}
