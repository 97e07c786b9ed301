import { type SqlFragment, sql } from './sql-fragment.ts'

/** Which records can match, as SQL. */
export interface Selection {
  /** `SELECT n, scope …`: the row numbers of the candidates, perhaps some of them twice. */
  readonly rows: SqlFragment
  /** How many rows that gives, counted up to the context's limit. */
  readonly size: number
  /** True when counting stopped at the limit: too many candidates to fetch them all for a quick answer. */
  readonly broad: boolean
  /** True when every candidate matches. */
  readonly exact: boolean
  /**
   * A condition on `r.n` and `r.scope` that costs a few look-ups a row and holds for every candidate, for walks in another order; null
   * when there is no such condition. `testExact` tells whether it holds for candidates only.
   */
  readonly test: SqlFragment | null
  readonly testExact: boolean
}

/** The selection of a filter that nothing can match. */
export const NOTHING: Selection = {
  rows: sql`SELECT 0 AS n, 0 AS scope WHERE 1 = 0`,
  size: 0,
  broad: false,
  exact: true,
  test: sql`1 = 0`,
  testExact: true,
}
