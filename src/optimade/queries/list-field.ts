import type { FilterNode, PredicateNode } from '../../query/ast/filter.ts'
import type { ElementTest, Quantifier } from '../filter/expression.ts'
import { allOf, anyOf, comparison, EVERYTHING, field, isPresent, NOTHING, negation, not } from './filters.ts'
import type { ComparedSign, Queryable } from './queryable.ts'
import { readConstant } from './read-constant.ts'

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
  const longerThan = (index: number): FilterNode =>
    index < 0 ? EVERYTHING : field(`${path}.${index}`, { operator: '$exists', exists: true })
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
