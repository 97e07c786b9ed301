import type { ListRequest } from '../ast/list-request.ts'
import { narrow } from '../narrow/narrow.ts'
import type { PlanName, QueryPlan } from './query-plan.ts'
import type { Scope } from './scope.ts'

/** Gives a list request a collection, a scope and a narrowing: from here on it can be run. */
export function planQuery(request: ListRequest, collection: string, scope: Scope, force?: PlanName): QueryPlan {
  const plan = { ...request, collection, scope, narrowing: narrow(request.filter) }
  return (force === undefined ? plan : { ...plan, force }) as QueryPlan
}
