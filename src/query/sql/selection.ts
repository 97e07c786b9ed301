import { type SqlFragment, sql } from './sql-fragment.ts'

/** Which records can match, as SQL. */
export interface Selection {
  /** `SELECT n …`: the row numbers of the candidates, perhaps some of them twice. */
  readonly rows: SqlFragment
  /** How many rows that gives; `PROBE_LIMIT` stands for that many or more. */
  readonly size: number
  /** True when every candidate matches. */
  readonly exact: boolean
  /**
   * A condition on `r.n` that costs a few look-ups a row and holds for every candidate, for walks in another order; null
   * when there is no such condition. `testExact` tells whether it holds for candidates only.
   */
  readonly test: SqlFragment | null
  readonly testExact: boolean
}

/** Counting stops here: a selection of that many rows is broad, whatever its true size. */
export const PROBE_LIMIT = 3000

/** The selection of a filter that nothing can match. */
export const NOTHING: Selection = {
  rows: sql`SELECT 0 AS n WHERE 1 = 0`,
  size: 0,
  exact: true,
  test: sql`1 = 0`,
  testExact: true,
}

/** Tells whether there are so many candidates that fetching them all is out of the question for a quick answer. */
export function isBroad(selection: Selection): boolean {
  return selection.size >= PROBE_LIMIT
}
