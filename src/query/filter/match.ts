import { assertNever } from '../../kernel/errors.ts'
import { isJsonArray, type JsonObject } from '../../kernel/json.ts'
import type { ExprNode, FieldNode, FilterNode, PredicateNode, PredicateOperator } from '../ast/filter.ts'
import { evaluate } from '../expressions/evaluate.ts'
import { isTruthy } from '../expressions/language/read-value.ts'
import { type LastArray, type PassedElement, preparePathWalk, type Root, type ValueTest } from '../paths.ts'
import type { MatchSpot, Operator, Test } from './operator.ts'
import { OPERATORS } from './registry.ts'

/** Turns a filter into a function that looks nothing up any more; the meaning of the query language. */
export function compileMatcher(filter: FilterNode): Test<Root> {
  switch (filter.kind) {
    case 'and':
      return allOf(filter.clauses.map(compileMatcher))
    case 'or':
      return anyOf(filter.clauses.map(compileMatcher))
    case 'nor':
      return negated(anyOf(filter.clauses.map(compileMatcher)))
    case 'field':
      return compilePredicate(filter.predicate, pathSpot(filter.path.parts))
    case 'expr':
      return compileExpression(filter)
    default:
      return assertNever(filter, 'filter')
  }
}

/** Finds by which element of the first array on its path a condition holds; -1 when it does not, or holds for the array as a whole. */
export function compileElementFinder({ path, predicate }: FieldNode): (document: Root) => number {
  const passed: PassedElement = { index: -1 }
  const test = compilePredicate(predicate, pathSpot(path.parts, passed))
  return (document) => {
    passed.index = -1
    return test(document) ? passed.index : -1
  }
}

/** `$expr` stands at the level of whole documents only, so what it gets is one. */
function compileExpression({ expression }: ExprNode): Test<Root> {
  return (document) => isTruthy(evaluate(expression, document as JsonObject))
}

function compilePredicate<Input>(predicate: PredicateNode, spot: MatchSpot<Input>): Test<Input> {
  // The registry's type has paired each name with its own operator.
  const operator = OPERATORS[predicate.operator] as unknown as Operator<PredicateOperator>
  return operator.compile(predicate, spot)
}

function pathSpot(parts: readonly string[], passed: PassedElement | null = null): MatchSpot<Root> {
  const walk = (lastArray: LastArray) => (test: ValueTest) => preparePathWalk(parts, lastArray, test, passed)
  const spot: MatchSpot<Root> = {
    elements: walk('elements'),
    wholes: walk('whole'),
    members: walk('members'),
    predicate: (predicate) => compilePredicate(predicate, spot),
    ofOneValue: valueTestOf,
    filter: compileMatcher,
  }
  return spot
}

/** One value is asked by itself: an array is not entered. */
const valueSpot: MatchSpot<Parameters<ValueTest>[0]> = {
  elements: (test) => test,
  wholes: (test) => test,
  members: (test) => (value) => isJsonArray(value) && value.some((element) => test(element)),
  predicate: valueTestOf,
  ofOneValue: valueTestOf,
  filter: compileMatcher,
}

export function valueTestOf(predicate: PredicateNode): ValueTest {
  return compilePredicate(predicate, valueSpot)
}

function allOf<Input>(tests: readonly Test<Input>[]): Test<Input> {
  const [first, second] = tests
  if (first === undefined) return () => true
  if (second === undefined) return first
  return (input) => tests.every((test) => test(input))
}

function anyOf<Input>(tests: readonly Test<Input>[]): Test<Input> {
  return (input) => tests.some((test) => test(input))
}

function negated<Input>(test: Test<Input>): Test<Input> {
  return (input) => !test(input)
}

const compiled = new WeakMap<FilterNode, ReturnType<typeof compileMatcher>>()

/** Tells whether a document matches a filter; the filter is compiled once, when it is first asked. */
export function matches(filter: FilterNode, document: JsonObject): boolean {
  return matcherOf(filter)(document)
}

export function matcherOf(filter: FilterNode): (document: JsonObject) => boolean {
  const known = compiled.get(filter)
  if (known !== undefined) return known
  const matcher = compileMatcher(filter)
  compiled.set(filter, matcher)
  return matcher
}
