import type { ListRequest } from '../ast/list-request.ts'
import type { Scope } from './scope.ts'

declare const planned: unique symbol

/** A list request that has been given a scope: the only thing that a store runs. */
export interface QueryPlan extends ListRequest {
  readonly [planned]: true
  /** The collection's name: `materials`, `methods`. */
  readonly collection: string
  readonly scope: Scope
}
