import type { ListRequest } from './ast/list-request.ts'

/** Gives a list request a collection and a scope: from here on it can be run. */
export function planQuery<Of extends Scope>(request: ListRequest, collection: string, scope: Of): QueryPlan<Of> {
  return { ...request, collection, scope } as QueryPlan<Of>
}

declare const planned: unique symbol

/** A list request that has been given a scope: the only thing that a store runs. */
export interface QueryPlan<Of extends Scope = Scope> extends ListRequest {
  readonly [planned]: true
  /** The collection's name: `materials`, `methods`. */
  readonly collection: string
  readonly scope: Of
}

/**
 * Records that a requester may see. A plan cannot be made without one.
 * `account`: the account's own records, and public ones. `public`: public ones only. `operator`: all, for the person who
 * holds the data directory (CLI), never for a request.
 */
export type Scope =
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'public' }
  | { readonly kind: 'operator' }

/** Scope of a request: a few homes, however many there are. Only these may be answered at once. */
export type RequesterScope = Exclude<Scope, { readonly kind: 'operator' }>

/** A plan within what a request may see. */
export type RequesterPlan = QueryPlan<RequesterScope>

export function isOfRequester(plan: QueryPlan): plan is RequesterPlan {
  return plan.scope.kind !== 'operator'
}

/** A name that no other scope has, for whoever keeps something by scope. No account has an id with parentheses, or with a space. */
export function scopeName(scope: Scope): string {
  return scope.kind === 'account' ? scope.accountId : `(${scope.kind})`
}
