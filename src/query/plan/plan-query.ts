import type { ListRequest } from '../ast/list-request.ts'
import type { QueryPlan } from './query-plan.ts'
import type { Scope } from './scope.ts'

/** Gives a list request a collection and a scope: from here on it can be run. */
export function planQuery(request: ListRequest, collection: string, scope: Scope): QueryPlan {
  return { ...request, collection, scope } as QueryPlan
}
