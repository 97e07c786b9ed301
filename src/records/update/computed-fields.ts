import { AppError } from '../../kernel/errors.ts'
import { equalJson, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import { describeGiven } from '../violation.ts'

/** An update that is about to be stored. */
export interface UpdateOutcome {
  /** The kind of the record, or of a set of its kind. */
  readonly form: RecordKind
  readonly before: JsonObject
  /** What was asked for. */
  readonly edited: JsonObject
  /** What it comes to, with what the server computes. */
  readonly after: JsonObject
}

/** Fields that the server writes into records of every kind, with what they follow from. */
const SERVER_FIELDS: Readonly<Record<string, string>> = {
  updatedAt: 'It tells when the record was last changed. Read the record again if somebody else changed it meanwhile.',
  slug: 'It follows from the name.',
  schemaVersion: 'It tells which version of the schemas the record follows.',
}

/** Where a record is found in the bank follows from its content, as what a kind computes does. */
const BANK_FIELD = 'exabyteId'

/**
 * Refuses an update that sets a computed field: the value would be gone without a word. What is stored already may be sent, so that
 * clients can send back whole records, and so may what is computed anyway.
 */
export function assertComputedFieldsKept({ form, before, edited, after }: UpdateOutcome): void {
  for (const field of computedFieldsOf(form)) {
    const sent = ownField(edited, field)
    const isKept = [before, after].some((document) => isComputedAs(form, field, sent, ownField(document, field)))
    if (!isKept) throw refusal(form, field, sent, ownField(after, field))
  }
}

function computedFieldsOf({ derivedFields = [], bank }: RecordKind): readonly string[] {
  return [...Object.keys(SERVER_FIELDS), ...derivedFields, ...(bank === undefined ? [] : [BANK_FIELD])]
}

/** In a field that client and server write together only the server's part counts. */
function isComputedAs(form: RecordKind, field: string, sent: Json | undefined, value: Json | undefined): boolean {
  if (equalJson(sent, value)) return true
  const [sentPart, part] = [form.computedItems?.(field, sent), form.computedItems?.(field, value)]
  return sentPart?.every((item) => part?.some((one) => equalJson(one, item)) ?? false) ?? false
}

function refusal(form: RecordKind, field: string, sent: Json | undefined, value: Json | undefined): AppError {
  const hint = `Leave it out. ${SERVER_FIELDS[field] ?? 'It follows from the fields that you set.'}`
  const asked = sent === undefined ? 'cannot be taken away' : `cannot be set to ${describeGiven(sent)}`
  const present = value === undefined ? 'there is none here' : `here it is ${describeGiven(value)}`
  return new AppError(
    RECORD_ERRORS.computedField,
    `The ${field} of a ${form.name} is computed by the server (${present}); it ${asked}. ${hint}`,
    { path: field, hint },
  )
}
