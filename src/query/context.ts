import { AppError, type ErrorData, type ErrorSpec } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../kernel/strict-json.ts'
import { QUERY_ERRORS } from './errors.ts'
import { DEFAULT_QUERY_BOUNDS, mostLevels, type QueryBounds } from './plan.ts'

/** State of parsing at one spot of the query: where it is, what is allowed, and how much has been used up. */
export interface ParseContext {
  /** The spot as error messages name it: `query.$and[1].lattice.a`. */
  readonly place: string
  readonly bounds: QueryBounds
  /** Shared by all spots of one query. */
  readonly counters: { clauses: number; patternSize: number }
  /** Operators that the spot lies within. */
  readonly depth: number
  /** True within `$elemMatch`, where the whole document is out of sight. */
  readonly insideElement: boolean
}

export function rootContext(bounds: QueryBounds, place: string): ParseContext {
  return { place, bounds, counters: { clauses: 0, patternSize: 0 }, depth: 0, insideElement: false }
}

/** Goes to a field or operator below. */
export function atKey(context: ParseContext, key: string): ParseContext {
  return { ...context, place: `${context.place}.${clip(key, 120)}` }
}

export function atIndex(context: ParseContext, index: number): ParseContext {
  return { ...context, place: `${context.place}[${index}]` }
}

/** Goes into the operand of an operator that holds conditions or expressions of its own. */
export function insideOperator<Context extends ParseContext>(context: Context): Context {
  const depth = context.depth + 1
  if (depth <= context.bounds.maxDepth) return { ...context, depth }
  throw refusal(
    { ...context, place: clip(context.place, 400) },
    QUERY_ERRORS.boundExceeded,
    `The query has more than ${context.bounds.maxDepth} operators within each other, at ${clip(context.place, 400)}.`,
    'Put conditions beside each other: {"$and":[{"a":1},{"b":2},{"c":3}]}.',
  )
}

export function insideElement(context: ParseContext): ParseContext {
  return { ...context, insideElement: true }
}

/** Counts one more condition, and refuses the query that has too many. */
export function countClause(context: ParseContext): void {
  context.counters.clauses += 1
  if (context.counters.clauses > context.bounds.maxClauses) {
    throw refusal(
      context,
      QUERY_ERRORS.boundExceeded,
      `The query has more than ${context.bounds.maxClauses} conditions; the one at ${context.place} is too many. Each operator counts, and each value that a field equals.`,
      'Use $in in place of many $or clauses, or split the query.',
    )
  }
}

/** Makes the error for a spot; the hint is repeated for programs. */
export function refusal(
  { place }: Pick<ParseContext, 'place'>,
  spec: ErrorSpec,
  message: string,
  hint?: string,
): AppError {
  const data: ErrorData = hint === undefined ? { path: place } : { path: place, hint }
  return new AppError(spec, hint === undefined ? message : `${message} ${hint}`, data)
}

/** Refuses an operand of the wrong shape. */
export function invalidOperand(context: ParseContext, message: string, hint: string): AppError {
  return refusal(context, QUERY_ERRORS.invalidOperand, message, hint)
}

/** Writes a value into a message, cut so that a large operand does not make a large answer. */
export function show(value: unknown): string {
  return clip(JSON.stringify(value) ?? String(value), 80)
}

/** Cuts a text that a client made. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}

/** Refuses what is no JSON, too deep or too large before it is walked recursively: a request body's query comes here unchecked. */
export function checkSize(json: unknown, context: ParseContext): void {
  const { maxBytes } = context.bounds
  const maxLevels = mostLevels(context.bounds)
  let bytes = 0
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: json, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    bytes += scalarBytes(value, context)
    if (typeof value === 'object' && value !== null) {
      if (depth > maxLevels) throw tooLarge(context, `has more than ${maxLevels} objects and arrays within each other`)
      for (const [key, child] of Object.entries(value)) {
        if (!Array.isArray(value)) bytes += textBytes(key) + 1
        bytes += 1
        open.push({ value: child, depth: depth + 1 })
      }
    }
    if (bytes > maxBytes) throw tooLarge(context, `has more than ${maxBytes} bytes`)
  }
}

/** The least that a value takes as JSON text; an object or array counts its brackets, and what it holds by itself. */
function scalarBytes(value: unknown, context: ParseContext): number {
  switch (typeof value) {
    case 'string':
      return textBytes(value)
    case 'number':
    case 'boolean':
      return String(value).length
    case 'object':
      return value === null ? 4 : 1
    default:
      throw refusal(
        context,
        QUERY_ERRORS.notAnObject,
        `The ${context.place} holds a ${typeof value}, which is no JSON.`,
      )
  }
}

function textBytes(text: string): number {
  return Buffer.byteLength(text) + 2
}

function tooLarge(context: ParseContext, problem: string): Error {
  return refusal(context, QUERY_ERRORS.boundExceeded, `The ${context.place} ${problem}.`)
}

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
