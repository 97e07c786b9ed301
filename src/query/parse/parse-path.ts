import type { FieldPath } from '../ast/path.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal } from './parse-context.ts'

/** Takes a dotted path apart. */
export function parsePath(text: string, context: ParseContext): FieldPath {
  const parts = text.split('.')
  if (parts.includes('')) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidPath,
      `The path ${JSON.stringify(text.slice(0, 120))} at ${context.place} has an empty component.`,
      'Write field names with single dots between them, such as "lattice.a".',
    )
  }
  if (parts.length > context.bounds.maxDepth) {
    throw refusal(
      context,
      QUERY_ERRORS.invalidPath,
      `The path at ${context.place} has ${parts.length} components; at most ${context.bounds.maxDepth} are allowed.`,
    )
  }
  return { text, parts }
}
