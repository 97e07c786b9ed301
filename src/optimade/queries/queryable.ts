import type { FilterNode } from '../../query/ast/filter.ts'
import type { ParseContext } from '../../query/parse/parse-context.ts'
import type { ComparisonSign, ElementTest, Quantifier, TextForm } from '../filter/expression.ts'
import type { Constant } from '../filter/token.ts'

/** The operators of order and equality; `!=` is the negation of `=`. */
export type ComparedSign = Exclude<ComparisonSign, '!='>

/** The types of values that are not lists, as OPTIMADE names them. */
export type ScalarType = 'string' | 'integer' | 'float' | 'timestamp'

/**
 * How filters ask about one property. Every filter that is given here selects only records in which the property is known: the
 * negation of a condition does not select the others either. What a property leaves out is refused.
 */
export interface Queryable {
  /** Selects the records in which the property is known. */
  readonly known: FilterNode
  /** The record's field to sort by. */
  readonly sortPath?: string
  /** True where values can be told apart but have no order. */
  readonly equalityOnly?: true
  compare?(sign: ComparedSign, constant: Constant): FilterNode
  matchText?(form: TextForm, constant: Constant, context: ParseContext): FilterNode
  has?(quantifier: Quantifier, tests: readonly ElementTest[]): FilterNode
  compareLength?(sign: ComparedSign, length: number): FilterNode
}
