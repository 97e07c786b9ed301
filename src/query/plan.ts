import type { ListRequest } from './ast/list-request.ts'

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
