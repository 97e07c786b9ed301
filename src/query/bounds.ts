/** Limits of a query. All of them are settings of the server. */
export interface QueryBounds {
  /** UTF-8 bytes of the query as JSON text. */
  readonly maxBytes: number
  /** Operators within each other; also the components of a path. */
  readonly maxDepth: number
  /** Conditions and logical clauses, counted over the whole query. */
  readonly maxClauses: number
  /** Values in one `$in`, `$nin` or `$all`. */
  readonly maxInValues: number
}

export const DEFAULT_QUERY_BOUNDS: QueryBounds = {
  maxBytes: 65_536,
  maxDepth: 64,
  maxClauses: 1_000,
  maxInValues: 10_000,
}

/** An operator takes two levels of JSON as a rule (`{"$and":[`) and four at most (`{"$switch":{"branches":[{"case":`). */
const LEVELS_PER_OPERATOR = 5

/** Levels of objects and arrays that a query within the bounds can need; what has more is not walked at all. */
export function mostLevels({ maxDepth }: QueryBounds): number {
  return maxDepth * LEVELS_PER_OPERATOR
}
