import { assertNever } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { FieldsNode } from '../ast/fields.ts'
import type { FieldNode, FilterNode, PredicateNode } from '../ast/filter.ts'
import type { TextPattern } from '../ast/text-pattern.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryBounds } from '../bounds.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { parseFields } from '../fields/parse-fields.ts'
import { rootContext } from '../parse/parse-context.ts'
import { compilePattern } from '../patterns/compile-pattern.ts'
import type { QueryPlan } from './query-plan.ts'

/**
 * A plan as plain data, to be sent to another thread. Patterns and expressions are bound to functions, which cannot
 * travel: their sources do, and are compiled again on arrival.
 */
export interface PackedPlan {
  readonly plan: Omit<QueryPlan, 'filter' | 'fields'>
  readonly filter: PackedFilter
  readonly fields: Json | null
}

type PackedFilter =
  | { readonly kind: 'and' | 'or' | 'nor'; readonly clauses: readonly PackedFilter[] }
  | (Omit<FieldNode, 'predicate'> & { readonly predicate: PackedPredicate })
  | { readonly kind: 'expr'; readonly source: Json; readonly place: string }

interface PackedPattern {
  readonly source: string
  readonly flags: string
}

type Packable = '$in' | '$regex' | '$not' | '$all' | '$elemMatch'

type PackedPredicate =
  | Exclude<PredicateNode, { operator: Packable }>
  | { readonly operator: '$in'; readonly values: readonly Json[]; readonly patterns: readonly PackedPattern[] }
  | { readonly operator: '$regex'; readonly pattern: PackedPattern }
  | { readonly operator: '$not' | '$all'; readonly predicates: readonly PackedPredicate[] }
  | { readonly operator: '$elemMatch'; readonly form: 'object'; readonly filter: PackedFilter }
  | { readonly operator: '$elemMatch'; readonly form: 'value'; readonly predicates: readonly PackedPredicate[] }

/** Takes a plan apart into what structured clone can copy. */
export function packPlan(plan: QueryPlan): PackedPlan {
  const { filter, fields, ...rest } = plan
  return { plan: rest, filter: packFilter(filter), fields: fields?.source ?? null }
}

/** Puts a plan together again; gives what `packPlan` was given. */
export function unpackPlan(packed: PackedPlan): QueryPlan {
  const filter = unpackFilter(packed.filter)
  return { ...packed.plan, filter, fields: unpackFields(packed.fields, filter) } as QueryPlan
}

function packFilter(node: FilterNode): PackedFilter {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'nor':
      return { kind: node.kind, clauses: node.clauses.map(packFilter) }
    case 'field':
      return { ...node, predicate: packPredicate(node.predicate) }
    case 'expr':
      return { kind: 'expr', source: node.source, place: node.place }
    default:
      return assertNever(node, 'filter node')
  }
}

function packPredicate(node: PredicateNode): PackedPredicate {
  switch (node.operator) {
    case '$in':
      return { ...node, patterns: node.patterns.map(packPattern) }
    case '$regex':
      return { ...node, pattern: packPattern(node.pattern) }
    case '$not':
    case '$all':
      return { ...node, predicates: node.predicates.map(packPredicate) }
    case '$elemMatch':
      return node.form === 'object'
        ? { ...node, filter: packFilter(node.filter) }
        : { ...node, predicates: node.predicates.map(packPredicate) }
    default:
      return node
  }
}

function packPattern(pattern: TextPattern): PackedPattern {
  return { source: pattern.source, flags: pattern.flags }
}

function unpackFilter(packed: PackedFilter): FilterNode {
  switch (packed.kind) {
    case 'and':
    case 'or':
    case 'nor':
      return { kind: packed.kind, clauses: packed.clauses.map(unpackFilter) }
    case 'field':
      return { ...packed, predicate: unpackPredicate(packed.predicate) }
    case 'expr': {
      const { source, place } = packed
      return { kind: 'expr', expression: parseExpression(source, rootContext(UNBOUNDED, place)), source, place }
    }
    default:
      return assertNever(packed, 'packed filter')
  }
}

function unpackPredicate(packed: PackedPredicate): PredicateNode {
  switch (packed.operator) {
    case '$in':
      return { ...packed, patterns: packed.patterns.map(unpackPattern) }
    case '$regex':
      return { ...packed, pattern: unpackPattern(packed.pattern) }
    case '$not':
    case '$all':
      return { ...packed, predicates: packed.predicates.map(unpackPredicate) }
    case '$elemMatch':
      return packed.form === 'object'
        ? { ...packed, filter: unpackFilter(packed.filter) }
        : { ...packed, predicates: packed.predicates.map(unpackPredicate) }
    default:
      return packed
  }
}

function unpackPattern(packed: PackedPattern): TextPattern {
  return compilePattern(packed.source, packed.flags).pattern
}

function unpackFields(source: Json | null, filter: FilterNode): FieldsNode | null {
  return source === null ? null : parseFields(source, rootContext(UNBOUNDED, 'projection.fields'), filter)
}

/** What was within the bounds when the request was parsed is not measured again. */
const UNBOUNDED: QueryBounds = {
  ...DEFAULT_QUERY_BOUNDS,
  maxBytes: Number.POSITIVE_INFINITY,
  maxDepth: Number.POSITIVE_INFINITY,
  maxClauses: Number.POSITIVE_INFINITY,
  maxInValues: Number.POSITIVE_INFINITY,
}
