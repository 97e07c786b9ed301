import type { FieldPath } from '../ast/path.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal, show } from './parse-context.ts'
import { parsePath } from './parse-path.ts'

/** Reads a dotted path that may name fields only: a component that begins with `$` would be an operator. */
export function parseFieldName(text: string, context: ParseContext): FieldPath {
  const path = parsePath(text, context)
  const operator = path.parts.find((part) => part.startsWith('$'))
  if (operator !== undefined) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidPath,
      `${show(operator)} at ${context.place} stands where a field name is expected.`,
      'Field names do not begin with $.',
    )
  }
  return path
}
