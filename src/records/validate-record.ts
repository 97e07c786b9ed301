import { AppError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import { checkStorable } from './check-storable.ts'
import { COMMON_SCHEMA } from './common-fields.ts'
import { compileSchema, type SchemaCheck } from './compile-schema.ts'
import { RECORD_ERRORS } from './errors.ts'
import { DEFAULT_RECORD_LIMITS, type RecordLimits } from './limits.ts'
import type { RecordKind } from './record-kind.ts'
import type { Violation } from './violation.ts'

/** More than a person reads and enough for a program to go on. */
const MOST_LISTED = 1000
const MOST_IN_MESSAGE = 3

const checkCommonFields = compileSchema(COMMON_SCHEMA)
const compiled = new WeakMap<RecordKind, SchemaCheck>()

/** Refuses a record that is not valid with all that is wrong with it. */
export function validateRecord(
  kind: RecordKind,
  document: JsonObject,
  limits: RecordLimits = DEFAULT_RECORD_LIMITS,
): void {
  const violations = findViolations(kind, document, limits)
  if (violations.length > 0) throw invalidRecord(kind, violations)
}

/** Builds the error that lists violations. */
export function invalidRecord(kind: RecordKind, violations: readonly Violation[]): AppError {
  const named = violations.slice(0, MOST_IN_MESSAGE).map(printViolation).join('; ')
  const rest = violations.length - MOST_IN_MESSAGE
  const more = rest > 0 ? `; and ${rest} more` : ''
  const first = violations[0]
  return new AppError(RECORD_ERRORS.invalidRecord, `The ${kind.name} is not valid: ${named}${more}.`, {
    ...(first === undefined ? {} : { path: first.pointer }),
    hint: kind.hint ?? `The schema of a ${kind.name} is served at /schemas/${kind.name}.`,
    violations: violations.slice(0, MOST_LISTED),
    violationCount: violations.length,
  })
}

function findViolations(kind: RecordKind, document: JsonObject, limits: RecordLimits): readonly Violation[] {
  // What cannot be stored may also be too deep or too large to be worth a closer look.
  const notStorable = checkStorable(document, limits)
  if (notStorable.length > 0) return notStorable
  const bySchema = withoutRepetition([...schemaCheckOf(kind)(document), ...checkCommonFields(document)])
  const isSound = (field: string): boolean =>
    !bySchema.some(({ pointer }) => pointer === '' || pointer === field || pointer.startsWith(`${field}/`))
  return [...bySchema, ...kind.check(document, isSound)]
}

function schemaCheckOf(kind: RecordKind): SchemaCheck {
  let check = compiled.get(kind)
  if (check === undefined) {
    check = compileSchema(kind.schema)
    compiled.set(kind, check)
  }
  return check
}

function withoutRepetition(violations: readonly Violation[]): Violation[] {
  const byText = new Map(violations.map((violation) => [printViolation(violation), violation]))
  return [...byText.values()]
}

function printViolation({ pointer, expected, given }: Violation): string {
  const what = pointer === '' ? 'the record' : pointer
  return given === 'nothing' ? `${what} is missing: give ${expected}` : `${what} should be ${expected}, not ${given}`
}
