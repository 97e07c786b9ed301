import { isJsonObject, type Json } from '../../kernel/json.ts'
import type { TextPattern } from '../ast/expression.ts'
import type { ComparisonNode, ComparisonOperator, PredicateNode, PredicateOf } from '../ast/filter.ts'
import { atIndex, insideOperator, invalidOperand, show } from '../context.ts'
import type { ValueTest } from '../paths.ts'
import { compilePattern } from '../patterns/compile-pattern.ts'
import { isPatternLiteral, parseLiteral, parsePatternLiteral } from '../patterns/parse-literal.ts'
import { compareBson, typeRank } from '../values/compare-bson.ts'
import { type OperandParser, type Operator, parseList } from './operator.ts'

/** Makes an operator of order. Only values of the operand's own type are compared; null bounds find missing fields too. */
export function comparison<O extends ComparisonOperator>(operator: O, holds: (order: number) => boolean): Operator<O> {
  return {
    parse: (operand, context) => ({ operator, value: parseLiteral(operand, context) }) as PredicateOf<O>,
    // TypeScript does not see through `PredicateOf` of an operator that is still open.
    compile: (predicate, spot) => spot.elements(orderTest((predicate as ComparisonNode).value, holds)),
  }
}

function orderTest(operand: Json, holds: (order: number) => boolean): ValueTest {
  // NaN is only equal to NaN, which no JSON document holds.
  if (Number.isNaN(operand)) return () => false
  if (typeof operand === 'number')
    return (value) => typeof value === 'number' && holds(value === operand ? 0 : value - operand)
  const rank = typeRank(operand)
  return (value) => typeRank(value) === rank && holds(compareBson(value, operand))
}

/** Equal to the operand; null also finds missing fields. */
export const eq: Operator<'$eq'> = {
  parse: (operand, context) => ({ operator: '$eq', value: parseLiteral(operand, context) }),
  compile: ({ value }, spot) => spot.elements(equalTest(value)),
}

/** Tests equality with a fixed value; scalars, which are nearly all there is, without the general comparison. */
export function equalTest(operand: Json): ValueTest {
  if (operand === null) return (value) => value === null || value === undefined
  if (typeof operand === 'object') {
    return (value) => typeof value === 'object' && value !== null && compareBson(value, operand) === 0
  }
  // NaN equals itself, but no JSON document holds one.
  return (value) => value === operand
}

export const gt = comparison('$gt', (order) => order > 0)
export const gte = comparison('$gte', (order) => order >= 0)

/** Equal to one of the values, or matched by one of the patterns among them. */
export const inList: Operator<'$in'> = {
  parse(operand, context) {
    const values: Json[] = []
    const patterns: TextPattern[] = []
    for (const [index, item] of parseList(operand, context).entries()) {
      const place = atIndex(context, index)
      if (isJsonObject(item) && isPatternLiteral(item)) patterns.push(parsePatternLiteral(item, place))
      else values.push(parseLiteral(item, place))
    }
    return { operator: '$in', values, patterns }
  },
  compile: ({ values, patterns }, spot) => spot.elements(memberTest(values, patterns)),
}

function memberTest(values: readonly Json[], patterns: readonly TextPattern[]): ValueTest {
  // A set treats -0 as 0 and takes null for null alone, so a missing field is looked up as null.
  const scalars = new Set(values.filter((value) => typeof value !== 'object' || value === null))
  const compiled = patterns.map(compilePattern)
  const compounds = values.filter((value) => typeof value === 'object' && value !== null).map(equalTest)
  return (value) => {
    if (typeof value === 'object' && value !== null) return compounds.some((test) => test(value))
    if (scalars.has(value ?? null)) return true
    return typeof value === 'string' && compiled.some((pattern) => pattern.test(value))
  }
}

export const lt = comparison('$lt', (order) => order < 0)
export const lte = comparison('$lte', (order) => order <= 0)

/** Not all of the predicates hold; of an array, that no element makes them hold. */
export const not: Operator<'$not'> = {
  parse(operand, context, parser) {
    if (!isJsonObject(operand) || Object.keys(operand).length === 0) {
      throw invalidOperand(
        context,
        `$not at ${context.place} takes operators or a regular expression, not ${show(operand)}.`,
        'Write {"$not":{"$gt":1}}; for a value, use $ne.',
      )
    }
    if (isPatternLiteral(operand)) {
      return { operator: '$not', predicates: [{ operator: '$regex', pattern: parsePatternLiteral(operand, context) }] }
    }
    return { operator: '$not', predicates: parser.predicates(operand, insideOperator(context)) }
  },
  compile({ predicates }, spot) {
    const tests = predicates.map((predicate) => spot.predicate(predicate))
    return (input) => !tests.every((test) => test(input))
  },
}

/** Negates what another operand parser has read. */
export function negationOf(predicate: PredicateNode | null): PredicateNode | null {
  return predicate === null ? null : { operator: '$not', predicates: [predicate] }
}

/** The exact complement of `$eq`. */
export const ne: OperandParser = { parse: (operand, context, parser) => negationOf(eq.parse(operand, context, parser)) }

/** The exact complement of `$in`. */
export const nin: OperandParser = {
  parse: (operand, context, parser) => negationOf(inList.parse(operand, context, parser)),
}
