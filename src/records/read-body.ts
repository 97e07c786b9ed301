import { AppError } from '../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../kernel/strict-json.ts'
import { clip } from '../query/parse/parse-context.ts'
import { RECORD_ERRORS } from './errors.ts'

/** Deeper than any setting lets a record or query be: those say it in their own terms. */
const MAX_DEPTH = 1_300

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Reads what a client sent as a JSON object. */
export function readBody(bytes: Uint8Array): JsonObject {
  const value = bytes.length === 0 ? undefined : readJson(bytes)
  if (isJsonObject(value)) return value
  const found =
    value === undefined
      ? 'there is no body'
      : `the body is ${Array.isArray(value) ? 'an array' : JSON.stringify(value).slice(0, 40)}`
  throw new AppError(RECORD_ERRORS.bodyNotAnObject, `A JSON object is expected as body, but ${found}.`, {
    hint: 'Send {"…": …} with Content-Type: application/json.',
  })
}

/** Reads what a client sent as JSON; refuses with line and column what is ambiguous. */
export function readJson(bytes: Uint8Array): Json {
  try {
    return readStrictJson(bodyText(bytes), { maxDepth: MAX_DEPTH })
  } catch (error) {
    throw error instanceof StrictJsonError ? jsonRefusal(error) : error
  }
}

/** Decodes a body; what is not UTF-8 is refused instead of being read with replacement characters. */
export function bodyText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch (cause) {
    throw new AppError(RECORD_ERRORS.invalidBody, 'The body is not UTF-8.', { path: 'body' }, cause)
  }
}

function jsonRefusal(error: StrictJsonError): AppError {
  const { message, line, column, hint } = error
  return new AppError(
    RECORD_ERRORS.invalidBody,
    `${message}, at line ${line}, column ${column} of the body.${hint === undefined ? '' : ` ${hint}`}`,
    { path: clip(error.path, 200), line, column, ...(hint === undefined ? {} : { hint }) },
    error,
  )
}
