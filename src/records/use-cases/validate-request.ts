import { AppError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { EVERYTHING } from '../../query/ast/filter.ts'
import { type Projection, parseProjection } from '../../query/fields/parse-projection.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import type { QueryBounds } from '../../query/plan.ts'
import { listWarnings } from '../warnings/field-guide.ts'
import type { Collection } from '../work/deps.ts'

/** A query and a projection as they were sent. */
interface UncheckedRequest {
  /** Reads what the query is; may refuse. */
  readonly query: () => Json
  readonly projection: Json | undefined
  readonly bounds: QueryBounds
}

/** Tells what a list would be refused for, what it would be warned of, and its query; nothing is run. `since`: as in `ReadTerms`. */
export async function validateRequest(
  collection: Collection,
  { query: readQuery, projection, bounds }: UncheckedRequest,
  since?: number,
): Promise<JsonObject> {
  const query = attempt(readQuery)
  const filter = 'done' in query ? attempt(() => parseFilter(query.done, bounds, 'query')) : query
  const known = 'done' in filter ? filter.done : undefined
  const paged = attempt(() => parseProjection(projection, bounds, 'projection', known))
  const refusals = [filter, paged].flatMap((one) => ('refused' in one ? [one.refused] : []))
  const { sort, fields } = 'done' in paged ? paged.done : NO_PROJECTION
  const asked = { filter: known ?? EVERYTHING, sort, fields }
  const warnings = await listWarnings(collection, asked, false, since)
  const read = 'done' in query ? { query: query.done } : {}
  return { isValid: refusals.length === 0, ...read, refusals, warnings: warnings.map((one) => ({ ...one })) }
}

const NO_PROJECTION: Pick<Projection, 'sort' | 'fields'> = { sort: [], fields: null }

type Attempt<Result> = { readonly done: Result } | { readonly refused: JsonObject }

function attempt<Result>(work: () => Result): Attempt<Result> {
  try {
    return { done: work() }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const { code, message, data } = error
    return { refused: { code, message, ...data } }
  }
}
