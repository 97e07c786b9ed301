import { mostLevels } from '../bounds.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal } from './parse-context.ts'

/**
 * Refuses what is no JSON, too deep or too large, before anything walks it recursively. Text that was read by
 * `parseQueryText` passes; a request body that carries a query comes here unchecked.
 */
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
