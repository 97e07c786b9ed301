import { EVERYTHING, type FilterNode, field, isOneOf, type PredicateNode } from '../query/ast/filter.ts'
import { clip, type ParseContext } from '../query/context.ts'
import { parseTextPattern } from '../query/patterns/compile-pattern.ts'
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
  readTime,
  type ScalarType,
} from './queryable.ts'
import {
  type ComparisonSign,
  type Constant,
  type ElementTest,
  notImplemented,
  type Quantifier,
  type TextForm,
} from './token.ts'

/** A property that is one field of the record; `always` where every structure has it. */
export function scalarField(path: string, type: ScalarType, always: 'always' | 'perhaps'): Queryable {
  const queryable: Queryable = {
    known: always === 'always' ? EVERYTHING : isPresent(path),
    sortPath: path,
    compare: (sign, constant) =>
      type === 'timestamp'
        ? compareTime(path, sign, constant)
        : field(path, comparison(sign, readConstant(constant, type))),
  }
  if (type !== 'string') return queryable
  return { ...queryable, matchText: (...asked) => field(path, textPredicate(...asked)) }
}

/** Records have whole milliseconds: what lies between two of them equals none. */
function compareTime(path: string, sign: ComparedSign, constant: Constant): FilterNode {
  const { millisecond, isWhole } = readTime(constant)
  if (isWhole) return field(path, comparison(sign, millisecond))
  return sign === '=' ? NOTHING : field(path, comparison(sign.startsWith('<') ? '<=' : '>', millisecond))
}

function textPredicate(form: TextForm, constant: Constant, context: ParseContext): PredicateNode {
  const literal = String(readConstant(constant, 'string')).replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
  const source = form === 'CONTAINS' ? literal : form === 'STARTS' ? `^${literal}` : `${literal}\\z`
  const place = { ...context, place: `${context.place}, column ${constant.column}` }
  return { operator: '$regex', pattern: parseTextPattern(source, '', place) }
}

/** A text that follows from a whole number of the record, by that number. */
export function textByNumber(path: string, texts: ReadonlyMap<number, string>, spelledAs?: string): Queryable {
  const whose = (test: (text: string) => boolean): FilterNode =>
    isOneOf(
      path,
      [...texts].filter(([, text]) => test(text)).map(([number]) => number),
    )
  return {
    known: isPresent(path),
    values: { all: [...texts.values()], ...(spelledAs === undefined ? {} : { field: spelledAs }) },
    compare(sign, constant) {
      const other = readConstant(constant, 'string')
      return whose((text) => holds(sign, text, other))
    },
    matchText(form, constant) {
      const part = String(readConstant(constant, 'string'))
      return whose((text) => containsText(text, form, part))
    },
  }
}

/** A list of which only the length can be asked: the number of items is a field of its own. */
export function countedList(countPath: string, known: FilterNode): Queryable {
  return { known, compareLength: (sign, length) => allOf([known, field(countPath, comparison(sign, length))]) }
}

/** Selects records in which one element of a list meets all predicates. */
type SomeElement = (predicates: readonly PredicateNode[]) => FilterNode

/** A property that is a list of texts in the record and may be missing; its length is counted in the record itself. */
export function textList(path: string): Queryable {
  return {
    known: isPresent(path),
    has(quantifier, tests, context) {
      const predicates = tests.map((test) => textTest(test, context))
      const filter = hasElements(someOf(path), quantifier, predicates)
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
    has(quantifier, tests, context) {
      const predicates = tests.map((test) => textTest(test, context))
      return hasElements(someOf(path), quantifier, predicates)
    },
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

function ratioTest(test: ElementTest): PredicateNode {
  return comparison(signOf(test), Number(Number(readConstant(test.constant, 'float')).toPrecision(6)))
}

function textTest({ operator, constant }: ElementTest, context: ParseContext): PredicateNode {
  if (isTextForm(operator)) return textPredicate(operator, constant, context)
  return comparison(operator, readConstant(constant, 'string'))
}

function isTextForm(operator: ElementTest['operator']): operator is TextForm {
  return operator === 'CONTAINS' || operator === 'STARTS' || operator === 'ENDS'
}

/** The sign of a comparison with a number, in which no text can be sought. */
function signOf({ operator, constant: { text, column } }: ElementTest): ComparisonSign {
  if (!isTextForm(operator)) return operator
  const message = `Numbers are searched for the text ${clip(text, 80)} at column ${column}.`
  throw notImplemented(message, column, 'Compare them with a number.')
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

type OptimadeScalar = number | string
type FixedType = Exclude<ScalarType, 'timestamp'>

/** A value that a property can have, and the records in which it has that value. */
export interface FixedValue<Value> {
  readonly value: Value
  readonly filter: FilterNode
}

/** A property of which all possible values are known beforehand: conditions are decided for each of them when they are read. */
export function fixedScalar(type: FixedType, values: readonly FixedValue<OptimadeScalar>[]): Queryable {
  const queryable: Queryable = {
    known: select(values, () => true),
    values: { all: values.map(({ value }) => value) },
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
export function fixedList(type: FixedType, values: readonly FixedValue<readonly OptimadeScalar[]>[]): Queryable {
  return {
    known: select(values, () => true),
    values: { all: [...new Set(values.flatMap(({ value }) => value))] },
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

function elementCheck(test: ElementTest, type: FixedType): (element: OptimadeScalar) => boolean {
  const { operator, constant } = test
  if (type === 'string' && isTextForm(operator)) {
    const part = String(readConstant(constant, type))
    return (element) => containsText(String(element), operator, part)
  }
  const sign = signOf(test)
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
