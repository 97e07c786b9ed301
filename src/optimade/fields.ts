import { EVERYTHING, type FilterNode, field, type PredicateNode } from '../query/ast/filter.ts'
import type { ParseContext } from '../query/context.ts'
import { parseTextPattern } from '../query/patterns/compile-pattern.ts'
import { alphabeticalReducedFormula, parseFormula } from '../structure/chemistry/formula-forms.ts'
import { type ElementCounts, inFormulaOrder, reducedFormula } from '../structure/formula.ts'
import {
  allOf,
  anyOf,
  type ComparedSign,
  comparison,
  hasItem,
  holds,
  isPresent,
  NOTHING,
  negation,
  not,
  type Queryable,
  readConstant,
  type ScalarType,
} from './queryable.ts'
import type { Constant, ElementTest, Quantifier, TextForm } from './token.ts'

/** A property that is one field of the record; `always` where every structure has it. */
export function scalarField(path: string, type: ScalarType, always: 'always' | 'perhaps'): Queryable {
  const queryable: Queryable = {
    known: always === 'always' ? EVERYTHING : isPresent(path),
    sortPath: path,
    compare: (sign, constant) => field(path, comparison(sign, readConstant(constant, type))),
  }
  return type === 'string' ? { ...queryable, matchText: (...asked) => matchText(path, ...asked) } : queryable
}

function matchText(path: string, form: TextForm, constant: Constant, context: ParseContext): FilterNode {
  const literal = String(readConstant(constant, 'string')).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
  const source = form === 'CONTAINS' ? literal : form === 'STARTS' ? `^${literal}` : `${literal}\\z`
  const place = { ...context, place: `${context.place}, column ${constant.column}` }
  return field(path, { operator: '$regex', pattern: parseTextPattern(source, '', place) })
}

/** Selects records in which one element of a list meets all predicates. */
type SomeElement = (predicates: readonly PredicateNode[]) => FilterNode

/** A property that is a list of texts in the record and may be missing; its length is counted in the record itself. */
export function textList(path: string): Queryable {
  return {
    known: isPresent(path),
    has(quantifier, tests) {
      const filter = hasElements(someOf(path), quantifier, tests.map(textTest))
      // A list that has an element is there; one that has no other element may not be.
      return quantifier === 'only' ? allOf([isPresent(path), filter]) : filter
    },
    compareLength: (sign, length) => allOf([isPresent(path), lengthOf(path, sign, length)]),
  }
}

/** The elements of a structure, whose number is a field of its own. */
export function elementList(path: string, countPath: string): Queryable {
  return {
    known: EVERYTHING,
    has: (quantifier, tests) => hasElements(someOf(path), quantifier, tests.map(textTest)),
    compareLength: (sign, length) => field(countPath, comparison(sign, length)),
  }
}

/** The proportions of the elements, which records keep among their derived properties to six significant digits. */
export function ratioList(countPath: string): Queryable {
  const isRatio = field('name', { operator: '$eq', value: 'elemental_ratio' })
  const some: SomeElement = (predicates) => {
    const filter = allOf([isRatio, ...predicates.map((predicate) => field('value', predicate))])
    return field('derivedProperties', { operator: '$elemMatch', form: 'object', filter })
  }
  return {
    known: EVERYTHING,
    has: (quantifier, tests) => hasElements(some, quantifier, tests.map(ratioTest)),
    compareLength: (sign, length) => field(countPath, comparison(sign, length)),
  }
}

function ratioTest({ sign, constant }: ElementTest): PredicateNode {
  return comparison(sign, Number(Number(readConstant(constant, 'float')).toPrecision(6)))
}

function textTest({ sign, constant }: ElementTest): PredicateNode {
  return comparison(sign, readConstant(constant, 'string'))
}

function someOf(path: string): SomeElement {
  return (predicates) => {
    const [only] = predicates
    if (only?.operator === '$eq' && predicates.length === 1) return field(path, only)
    return field(path, { operator: '$elemMatch', form: 'value', predicates })
  }
}

function hasElements(some: SomeElement, quantifier: Quantifier, tests: readonly PredicateNode[]): FilterNode {
  switch (quantifier) {
    case 'one':
    case 'any':
      return anyOf(tests.map((test) => some([test])))
    case 'all':
      return allOf(tests.map((test) => some([test])))
    case 'only':
      return not(some(tests.map(negation)))
  }
}

/** The length of a list by whether it has an element at an index. */
function lengthOf(path: string, sign: ComparedSign, length: number): FilterNode {
  const longerThan = (index: number): FilterNode => (index < 0 ? EVERYTHING : hasItem(path, index))
  switch (sign) {
    case '=':
      return length < 0 ? NOTHING : field(path, { operator: '$size', size: length })
    case '>':
      return longerThan(length)
    case '>=':
      return longerThan(length - 1)
    case '<':
      return not(longerThan(length - 1))
    case '<=':
      return not(longerThan(length))
  }
}

/** `O2Si`: elements by symbol with whole numbers other than 1, as the specification writes reduced formulas. */
const FORM = /^(?:[A-Z][a-z]?(?:[2-9]|[1-9]\d{1,5})?)+$/

/** The reduced formula, asked for in the order that records have (electronegativity: `SiO2`). Only equality survives this. */
export function reducedFormulaField(path: string): Queryable {
  return { known: EVERYTHING, equalityOnly: true, compare: (_sign, constant) => equalsFormula(path, constant) }
}

function equalsFormula(path: string, constant: Constant): FilterNode {
  const text = String(readConstant(constant, 'string'))
  const counts = readReduced(text)
  return counts === null ? NOTHING : field(path, { operator: '$eq', value: reducedFormula(counts) })
}

/** The elements of a formula in the one form that a structure's can have; null for any other text, which equals none. */
function readReduced(text: string): ElementCounts | null {
  if (!FORM.test(text)) return null
  const counts = countsOf(text)
  return counts !== null && alphabeticalReducedFormula(counts) === text ? inFormulaOrder(counts) : null
}

function countsOf(text: string): ElementCounts | null {
  try {
    return parseFormula(text)
  } catch {
    // A symbol of no element.
    return null
  }
}

type OptimadeScalar = number | string

/** A value that a property can have, and the records in which it has that value. */
export interface FixedValue<Value> {
  readonly value: Value
  readonly filter: FilterNode
}

/** A property of which all possible values are known beforehand: conditions are decided for each of them when they are read. */
export function fixedScalar(type: ScalarType, values: readonly FixedValue<OptimadeScalar>[]): Queryable {
  const queryable: Queryable = {
    known: select(values, () => true),
    compare(sign, constant) {
      const other = readConstant(constant, type)
      return select(values, (value) => holds(sign, value, other))
    },
  }
  if (type !== 'string') return queryable
  return {
    ...queryable,
    matchText(form, constant) {
      const part = String(readConstant(constant, 'string'))
      return select(values, (value) => containsText(String(value), form, part))
    },
  }
}

/** The same for a property that is a list. */
export function fixedList(type: ScalarType, values: readonly FixedValue<readonly OptimadeScalar[]>[]): Queryable {
  return {
    known: select(values, () => true),
    has(quantifier, tests) {
      const checks = tests.map((test) => elementCheck(test, type))
      return select(values, (list) => hasFixedElements(list, quantifier, checks))
    },
    compareLength: (sign, length) => select(values, (list) => holds(sign, list.length, length)),
  }
}

/** A property that no structure has: it can be asked anything, and nothing matches. */
export const ALWAYS_UNKNOWN: Queryable = {
  known: NOTHING,
  compare: () => NOTHING,
  matchText: () => NOTHING,
  has: () => NOTHING,
  compareLength: () => NOTHING,
}

function select<Value>(values: readonly FixedValue<Value>[], test: (value: Value) => boolean): FilterNode {
  return anyOf(values.filter(({ value }) => test(value)).map(({ filter }) => filter))
}

function elementCheck({ sign, constant }: ElementTest, type: ScalarType): (element: OptimadeScalar) => boolean {
  const other = readConstant(constant, type)
  return sign === '!=' ? (element) => element !== other : (element) => holds(sign, element, other)
}

function hasFixedElements(
  list: readonly OptimadeScalar[],
  quantifier: Quantifier,
  checks: readonly ((element: OptimadeScalar) => boolean)[],
): boolean {
  const passesAny = (element: OptimadeScalar): boolean => checks.some((check) => check(element))
  switch (quantifier) {
    case 'one':
    case 'any':
      return list.some(passesAny)
    case 'all':
      return checks.every((check) => list.some(check))
    case 'only':
      return list.every(passesAny)
  }
}

function containsText(whole: string, form: TextForm, part: string): boolean {
  switch (form) {
    case 'CONTAINS':
      return whole.includes(part)
    case 'STARTS':
      return whole.startsWith(part)
    case 'ENDS':
      return whole.endsWith(part)
  }
}
