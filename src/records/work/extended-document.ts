import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { atIndex, atKey, type ParseContext, rootContext } from '../../query/context.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../query/plan.ts'
import { isExtendedKey, isExtendedValue, readExtendedValue } from '../../query/values/extended-json.ts'
import { invalidImport } from '../errors.ts'

/**
 * Reads the extended JSON (v2, and the dates of v1) of `mongoexport`, relaxed and canonical, as queries read it: ids and dates are texts, numbers are
 * numbers. What no JSON value is equal to is refused. https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/
 */
export function plainDocument(document: JsonObject): JsonObject {
  return withoutExtended(document, rootContext(DEFAULT_QUERY_BOUNDS, 'the record')) as JsonObject
}

function withoutExtended(value: Json, context: ParseContext): Json {
  if (isJsonArray(value)) return value.map((element, at) => withoutExtended(element, atIndex(context, at)))
  if (!isJsonObject(value)) return value
  if (isExtendedValue(value)) return finite(readAt(value, context), context)
  const foreign = Object.keys(value).find(isExtendedKey)
  if (foreign !== undefined) throw refusal(foreign, context)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutExtended(one, atKey(context, key))]))
}

/** Reads a value; a refusal of it names the field of the record, as all of them do. */
function readAt(value: JsonObject, context: ParseContext): Json {
  try {
    return readExtendedValue(value, context)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.spec, error.message, { ...error.data, path: fieldAt(context) })
  }
}

/** Path of the field in the record. */
function fieldAt({ place }: ParseContext): string {
  return place.replace(/^the record\.?/, '')
}

function finite(value: Json, context: ParseContext): Json {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw refusal(String(value), context)
}

function refusal(name: string, context: ParseContext) {
  return invalidImport(
    `Records are JSON, which has no value for ${name} at ${context.place}.`,
    fieldAt(context),
    'Leave it out, or write it as a text or a number before it is exported.',
  )
}
