import { AppError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../kernel/strict-json.ts'
import { clip } from './context.ts'
import { QUERY_ERRORS } from './errors.ts'
import { DEFAULT_QUERY_BOUNDS, mostLevels, type QueryBounds } from './plan.ts'

const SPECS = {
  syntax: QUERY_ERRORS.invalidJson,
  duplicateKey: QUERY_ERRORS.duplicateKey,
  depth: QUERY_ERRORS.boundExceeded,
  inexactNumber: QUERY_ERRORS.inexactNumber,
} as const

/** Reads the text of a query or projection as strict JSON; `place` is what the parameter is called. */
export function parseQueryText(text: string, bounds: QueryBounds = DEFAULT_QUERY_BOUNDS, place = 'query'): Json {
  const bytes = Buffer.byteLength(text)
  if (bytes > bounds.maxBytes) {
    throw new AppError(
      QUERY_ERRORS.boundExceeded,
      `The ${place} has ${bytes} bytes; at most ${bounds.maxBytes} are allowed.`,
      { path: place },
    )
  }
  try {
    return readStrictJson(text, { maxDepth: mostLevels(bounds) })
  } catch (error) {
    throw error instanceof StrictJsonError ? jsonRefusal(error, place) : error
  }
}

function jsonRefusal(error: StrictJsonError, place: string): AppError {
  const { problem, message, line, column, path, hint } = error
  const below = path === '' || path.startsWith('[') ? clip(path, 200) : `.${clip(path, 200)}`
  const where = `${place}${below}`
  const text = `${message}, at line ${line}, column ${column} of the ${place}${below === '' ? '' : ` (${where})`}.`
  const data = { path: where, line, column }
  return hint === undefined
    ? new AppError(SPECS[problem], text, data, error)
    : new AppError(SPECS[problem], `${text} ${hint}`, { ...data, hint }, error)
}
