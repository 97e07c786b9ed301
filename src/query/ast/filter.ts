import type { Json } from '../../kernel/json.ts'
import type { ExpressionNode, TextPattern } from './expression.ts'

/** A filter after parsing: what the client asked, with every shape checked and every synonym resolved. */
export type FilterNode = AndNode | OrNode | NorNode | FieldNode | ExprNode

/** All clauses hold; with no clauses it is the filter that everything matches. */
export interface AndNode {
  readonly kind: 'and'
  readonly clauses: readonly FilterNode[]
}

export interface OrNode {
  readonly kind: 'or'
  readonly clauses: readonly FilterNode[]
}

export interface NorNode {
  readonly kind: 'nor'
  readonly clauses: readonly FilterNode[]
}

/** One condition on the values that a path reaches. */
export interface FieldNode {
  readonly kind: 'field'
  readonly path: FieldPath
  readonly predicate: PredicateNode
  /** Place in the query: `query.$and[1].lattice.a`; null for a condition that no client wrote. */
  readonly place: string | null
  /** What a client wrote at the field: a value, or operators, of which the predicate is one. Nothing where a parameter stands for it. */
  readonly written?: Json
}

/** `$expr`: an aggregation expression over the whole document, true or false. */
export interface ExprNode {
  readonly kind: 'expr'
  readonly expression: ExpressionNode
  /** Place in the query, for the errors that happen while it runs: `query.$and[0].$expr`. */
  readonly place: string
}

export type ComparisonOperator = '$gt' | '$gte' | '$lt' | '$lte'
export type BitsOperator = '$bitsAllSet' | '$bitsAnySet' | '$bitsAllClear' | '$bitsAnyClear'

/** One node type for each operator of order, so that `PredicateOf` tells them apart. */
export type ComparisonNode = {
  [O in ComparisonOperator]: { readonly operator: O; readonly value: Json }
}[ComparisonOperator]

/** `mask` has a bit for each asked position of a 64-bit integer; negative integers extend their sign without end. */
export type BitsNode = { [O in BitsOperator]: { readonly operator: O; readonly mask: bigint } }[BitsOperator]

/** The type names that `$type` takes and that a JSON document can have, `number` resolved to its members. */
export type BsonTypeName = 'double' | 'string' | 'object' | 'array' | 'bool' | 'null' | 'int' | 'long' | 'never'

/** Predicate on the values at a path. `$ne` and `$nin` are `$not` of `$eq` and `$in`. */
export type PredicateNode =
  | { readonly operator: '$eq'; readonly value: Json }
  | ComparisonNode
  | { readonly operator: '$in'; readonly values: readonly Json[]; readonly patterns: readonly TextPattern[] }
  /** Not all of the predicates hold. */
  | { readonly operator: '$not'; readonly predicates: readonly PredicateNode[] }
  /** `written`: the text that stood in place of true or false. */
  | { readonly operator: '$exists'; readonly exists: boolean; readonly written?: string }
  | { readonly operator: '$type'; readonly types: readonly BsonTypeName[] }
  /** Every predicate holds, each perhaps by another element; an empty list holds for nothing. */
  | { readonly operator: '$all'; readonly predicates: readonly PredicateNode[] }
  /** One element that is an object or an array matches the whole filter. */
  | { readonly operator: '$elemMatch'; readonly form: 'object'; readonly filter: FilterNode }
  /** One element satisfies every predicate. */
  | { readonly operator: '$elemMatch'; readonly form: 'value'; readonly predicates: readonly PredicateNode[] }
  | { readonly operator: '$size'; readonly size: number }
  | { readonly operator: '$regex'; readonly pattern: TextPattern }
  | { readonly operator: '$mod'; readonly divisor: bigint; readonly remainder: bigint }
  | BitsNode

export type PredicateOperator = PredicateNode['operator']
export type PredicateOf<O extends PredicateOperator> = Extract<PredicateNode, { operator: O }>

/** A dotted path to a field, taken apart once when the query is parsed. */
export interface FieldPath {
  /** As the client wrote it: `basis.elements.0.value`. */
  readonly text: string
  /** Its components; never empty, none of them an empty string. */
  readonly parts: readonly string[]
}

/** The filter that everything matches. */
export const EVERYTHING: FilterNode = { kind: 'and', clauses: [] }

/** Makes a filter of the program's own: all conditions hold. */
export function all(...clauses: readonly FilterNode[]): FilterNode {
  return { kind: 'and', clauses }
}

/** One of some conditions. */
export function any(...clauses: readonly FilterNode[]): FilterNode {
  return { kind: 'or', clauses }
}

export function equals(path: string, value: Json): FieldNode {
  return field(path, { operator: '$eq', value })
}

export function isOneOf(path: string, values: readonly Json[]): FieldNode {
  return field(path, { operator: '$in', values, patterns: [] })
}

export function compares(path: string, operator: ComparisonOperator, value: Json): FieldNode {
  return field(path, { operator, value })
}

/** Makes a condition on the values at a dotted path. */
export function field(path: string, predicate: PredicateNode): FieldNode {
  return { kind: 'field', path: { text: path, parts: path.split('.') }, predicate, place: null }
}
