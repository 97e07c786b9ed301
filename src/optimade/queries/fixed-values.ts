import type { FilterNode } from '../../query/ast/filter.ts'
import type { ElementTest, Quantifier, TextForm } from '../filter/expression.ts'
import { anyOf, holds, NOTHING } from './filters.ts'
import type { Queryable, ScalarType } from './queryable.ts'
import { readConstant } from './read-constant.ts'

type Scalar = number | string

/** A value that a property can have, and the records in which it has that value. */
export interface FixedValue<Value> {
  readonly value: Value
  readonly filter: FilterNode
}

/** A property of which all possible values are known beforehand: conditions are decided for each of them when they are read. */
export function fixedScalar(type: ScalarType, values: readonly FixedValue<Scalar>[]): Queryable {
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
export function fixedList(type: ScalarType, values: readonly FixedValue<readonly Scalar[]>[]): Queryable {
  return {
    known: select(values, () => true),
    has(quantifier, tests) {
      const checks = tests.map((test) => elementCheck(test, type))
      return select(values, (list) => hasElements(list, quantifier, checks))
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

function elementCheck({ sign, constant }: ElementTest, type: ScalarType): (element: Scalar) => boolean {
  const other = readConstant(constant, type)
  return sign === '!=' ? (element) => element !== other : (element) => holds(sign, element, other)
}

function hasElements(
  list: readonly Scalar[],
  quantifier: Quantifier,
  checks: readonly ((element: Scalar) => boolean)[],
): boolean {
  const passesAny = (element: Scalar): boolean => checks.some((check) => check(element))
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
