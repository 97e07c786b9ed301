import type { FilterNode } from '../ast/filter.ts'
import type { FieldPath } from '../ast/path.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { type ParseContext, refusal } from '../parse/parse-context.ts'
import { pointsAtElements } from './element-conditions.ts'

/** Refuses `arr.$` when the filter does not say which element is meant. */
export function assertPositionalAnswerable(
  path: FieldPath,
  filter: FilterNode | undefined,
  context: ParseContext,
): void {
  if (filter !== undefined && pointsAtElements(filter, path)) return
  throw refusal(
    context,
    QUERY_ERRORS.invalidFields,
    `${context.place} asks for the element that matched, but the query has no condition on the elements of ${path.text}.`,
    `Add one to the query, or use {"${path.text}":{"$elemMatch":…}} in fields.`,
  )
}
