import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { PredicateNode } from '../ast/filter.ts'
import {
  atIndex,
  atKey,
  countClause,
  insideElement,
  insideOperator,
  invalidOperand,
  type ParseContext,
  show,
} from '../context.ts'
import type { Root } from '../paths.ts'
import { isPatternLiteral, parseLiteral, parsePatternLiteral } from '../patterns/parse-literal.ts'
import { type NestedParser, type Operator, parseList } from './operator.ts'

/** Names that begin a filter on the element and not a list of operators on it. */
const FILTER_NAMES = new Set(['$and', '$or', '$nor', '$where'])

/** One element of an array meets all conditions: as an object (or array) a filter, as a value operators. */
export const elemMatch: Operator<'$elemMatch'> = {
  parse(operand, context, parser) {
    if (!isJsonObject(operand)) {
      throw invalidOperand(
        context,
        `$elemMatch at ${context.place} takes an object, not ${show(operand)}.`,
        'Write {"$elemMatch":{"value":"Si"}} or {"$elemMatch":{"$gt":1,"$lt":2}}.',
      )
    }
    const place = insideOperator(insideElement(context))
    return asksValues(operand)
      ? { operator: '$elemMatch', form: 'value', predicates: parser.predicates(operand, place) }
      : { operator: '$elemMatch', form: 'object', filter: parser.filter(operand, place) }
  },
  compile(predicate, spot) {
    if (predicate.form === 'value') {
      const tests = predicate.predicates.map((inner) => spot.ofOneValue(inner))
      return spot.members((element) => tests.every((test) => test(element)))
    }
    const test = spot.filter(predicate.filter)
    return spot.members((element) => typeof element === 'object' && element !== null && test(element as Root))
  },
}

function asksValues(operand: JsonObject): boolean {
  const [first] = Object.keys(operand)
  return first?.startsWith('$') === true && !FILTER_NAMES.has(first)
}

/** Every value is found, each perhaps in another element; of no values, nothing. */
export const all: Operator<'$all'> = {
  parse(operand, context, parser) {
    const items = parseList(operand, context)
    const isElemMatch = items.some(holdsElemMatch)
    const predicates = items.map((item, index) => {
      const place = atIndex(context, index)
      countClause(place)
      return isElemMatch ? parseElemMatch(item, place, parser) : parseItem(item, place)
    })
    return { operator: '$all', predicates }
  },
  compile({ predicates }, spot) {
    if (predicates.length === 0) return () => false
    const tests = predicates.map((predicate) => spot.predicate(predicate))
    return (input) => tests.every((test) => test(input))
  },
}

function holdsElemMatch(item: Json): boolean {
  return isJsonObject(item) && Object.hasOwn(item, '$elemMatch')
}

function parseItem(item: Json, context: ParseContext): PredicateNode {
  if (isJsonObject(item) && isPatternLiteral(item)) {
    return { operator: '$regex', pattern: parsePatternLiteral(item, context) }
  }
  return { operator: '$eq', value: parseLiteral(item, context) }
}

function parseElemMatch(item: Json, context: ParseContext, parser: NestedParser): PredicateNode {
  if (!isJsonObject(item) || !holdsElemMatch(item) || Object.keys(item).length !== 1) {
    throw invalidOperand(
      context,
      `When one item of $all is an $elemMatch, each must be nothing but one; ${context.place} is not.`,
      'Use $and for conditions of different kinds.',
    )
  }
  const place = atKey(context, '$elemMatch')
  return elemMatch.parse(item.$elemMatch as Json, place, { ...parser, siblings: item }) as PredicateNode
}

/** An array of so many elements; looks at the array itself, not into it. */
export const size: Operator<'$size'> = {
  parse(operand, context) {
    const length = parseLiteral(operand, context)
    if (!Number.isSafeInteger(length) || (length as number) < 0) {
      throw invalidOperand(
        context,
        `$size at ${context.place} takes a whole number from 0 on, not ${show(operand)}.`,
        'For a range of sizes, ask whether an element exists: {"a.2":{"$exists":true}}.',
      )
    }
    return { operator: '$size', size: length as number }
  },
  compile: (predicate, spot) => spot.wholes((value) => isJsonArray(value) && value.length === predicate.size),
}
