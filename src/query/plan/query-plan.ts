import type { ListRequest } from '../ast/list-request.ts'
import type { Narrowing } from '../narrow/narrowing.ts'
import type { Scope } from './scope.ts'

declare const planned: unique symbol

/** A list request that has been given a scope and a narrowing: the only thing that a store runs. */
export interface QueryPlan extends ListRequest {
  readonly [planned]: true
  /** The collection's name: `materials`, `methods`. */
  readonly collection: string
  readonly scope: Scope
  readonly narrowing: Narrowing
  /** Runs the plan this way, whatever it costs, where there is such a way; for tests and `explain`. */
  readonly force?: PlanName
}

/**
 * The ways to find a page: fetch the candidates and sort them; walk the order and test; read everything; take it from an index over
 * condition and order, where there is one.
 */
export type PlanName = 'filter-first' | 'sort-first' | 'scan' | 'compound'
