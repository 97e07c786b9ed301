import { isJsonArray, type Json, type JsonObject } from '../../kernel/json.ts'
import type { FilterNode, PredicateNode, PredicateOf, PredicateOperator } from '../ast/filter.ts'
import { invalidOperand, type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import type { Root, ValueTest } from '../paths.ts'

/** All that the language knows of one operator on the values at a path. */
export interface Operator<O extends PredicateOperator> extends OperandParser {
  /** Tells which inputs of the spot satisfy the predicate. */
  compile<Input>(predicate: PredicateOf<O>, spot: MatchSpot<Input>): Test<Input>
}

/** Reader of the operand of a name such as `$gt` or `$ne`. */
export interface OperandParser {
  /** Checks the operand's shape; null for a name that asks nothing (`$comment`). */
  parse(operand: Json, context: ParseContext, parser: NestedParser): PredicateNode | null
}

/** Parser of operands within operands: those that hold operators or whole filters. */
export interface NestedParser {
  /** The object that the operator is a key of. */
  readonly siblings: JsonObject
  predicates(operand: JsonObject, context: ParseContext): PredicateNode[]
  filter(operand: JsonObject, context: ParseContext): FilterNode
}

export type Test<Input> = (input: Input) => boolean

/** Spot of a predicate: the values that a path reaches in a document, or one value by itself. */
export interface MatchSpot<Input> {
  /** Any of the values passes; an array is asked element by element, and as a whole. */
  elements(test: ValueTest): Test<Input>
  /** Any of the values passes; an array is asked as a whole only. */
  wholes(test: ValueTest): Test<Input>
  /** Any of the values is an array of which an element passes. */
  members(test: ValueTest): Test<Input>
  /** Another predicate, asked at the same spot. */
  predicate(predicate: PredicateNode): Test<Input>
  /** Another predicate, asked of one value by itself. */
  ofOneValue(predicate: PredicateNode): ValueTest
  /** A filter, asked of an object or array as if it were a document. */
  filter(filter: FilterNode): Test<Root>
}

/** Reads an operand that must be a list of values. */
export function parseList(operand: Json, context: ParseContext): readonly Json[] {
  if (!isJsonArray(operand)) {
    throw invalidOperand(
      context,
      `The operand at ${context.place} must be an array, not ${show(operand)}.`,
      'Write the values in brackets, such as ["Si","Ge"].',
    )
  }
  if (operand.length > context.bounds.maxInValues) {
    throw refusal(
      context,
      QUERY_ERRORS.boundExceeded,
      `The list at ${context.place} has ${operand.length} values; at most ${context.bounds.maxInValues} are allowed.`,
    )
  }
  return operand
}
