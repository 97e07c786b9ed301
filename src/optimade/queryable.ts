import type { Json } from '../kernel/json.ts'
import { EVERYTHING, type FilterNode, field, type PredicateNode } from '../query/ast/filter.ts'
import { clip, type ParseContext } from '../query/context.ts'
import { readInstant } from '../query/values/extended-json.ts'
import {
  type ComparisonSign,
  type Constant,
  type ElementTest,
  notImplemented,
  type Quantifier,
  refuseFilter,
  type TextForm,
} from './token.ts'

/** The operators of order and equality; `!=` is the negation of `=`. */
export type ComparedSign = Exclude<ComparisonSign, '!='>

/** The types of values that are not lists, as OPTIMADE names them. */
export type ScalarType = 'string' | 'integer' | 'float' | 'timestamp'

/** Values of a property that are known beforehand. */
export interface FixedValues {
  readonly all: readonly (number | string)[]
  /** Field of records that says the same in a spelling of its own. */
  readonly field?: string
}

/** Conditions of filters on one property; each selects only records in which it is known. Those that it leaves out are refused. */
export interface Queryable {
  /** Selects the records in which the property is known. */
  readonly known: FilterNode
  /** The record's field to sort by. */
  readonly sortPath?: string
  /** All values that the property, or an element of it, can have, where they are few and known beforehand. */
  readonly values?: FixedValues
  /** Alternative to a condition, for the refusal. */
  readonly instead?: string
  compare?(sign: ComparedSign, constant: Constant): FilterNode
  matchText?(form: TextForm, constant: Constant, context: ParseContext): FilterNode
  has?(quantifier: Quantifier, tests: readonly ElementTest[], context: ParseContext): FilterNode
  compareLength?(sign: ComparedSign, length: number): FilterNode
}

const WORDS: Readonly<Record<ScalarType, string>> = {
  string: 'a text in double quotes',
  integer: 'a number',
  float: 'a number',
  timestamp: 'a time in double quotes',
}

/** Gives the value that a filter compares with, in the form in which records keep values of that type. */
export function readConstant(constant: Constant, type: Exclude<ScalarType, 'timestamp'>): number | string {
  if (constant.kind === (type === 'string' ? 'text' : 'number')) return constant.value
  throw ofAnotherType(constant, type)
}

function ofAnotherType({ kind, text, column }: Constant, type: ScalarType): Error {
  const what = kind === 'truth' ? 'and no property here is true or false' : 'which is of another type'
  return notImplemented(
    `The property is compared with ${clip(text, 80)} at column ${column}, ${what}.`,
    column,
    `Compare it with ${WORDS[type]}.`,
  )
}

/** RFC 3339: date, time with a fraction of any length, zone. */
const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/

/** The last whole millisecond, which records keep, that is not after a time, and whether it is that time. */
export interface Instant {
  readonly millisecond: string
  readonly isWhole: boolean
}

/** Reads the time that a filter compares with. */
export function readTime(constant: Constant): Instant {
  if (constant.kind !== 'text') throw ofAnotherType(constant, 'timestamp')
  const { text, value, column } = constant
  const [, time, fraction = '', zone = ''] = RFC3339.exec(value.toUpperCase()) ?? []
  const millisecond = time === undefined ? null : readInstant(`${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`)
  if (millisecond !== null) return { millisecond, isWhole: !/[1-9]/.test(fraction.slice(3)) }
  const message = `${clip(text, 80)} at column ${column} is no time of RFC 3339.`
  throw refuseFilter(message, column, 'Write "2024-05-06T07:08:09Z".')
}

/** Selects no record. */
export const NOTHING: FilterNode = { kind: 'or', clauses: [] }

const OPERATORS = { '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' } as const

export function allOf(clauses: readonly FilterNode[]): FilterNode {
  const telling = clauses.filter((clause) => clause !== EVERYTHING)
  const [only] = telling
  if (only === undefined) return EVERYTHING
  return telling.length === 1 ? only : { kind: 'and', clauses: telling }
}

export function anyOf(clauses: readonly FilterNode[]): FilterNode {
  const [only] = clauses
  if (only === undefined) return NOTHING
  return clauses.length === 1 ? only : { kind: 'or', clauses }
}

export function not(filter: FilterNode): FilterNode {
  if (filter === EVERYTHING) return NOTHING
  return filter === NOTHING ? EVERYTHING : { kind: 'nor', clauses: [filter] }
}

/** Selects records in which a field is there and not null. */
export function isPresent(path: string): FilterNode {
  return field(path, { operator: '$not', predicates: [{ operator: '$eq', value: null }] })
}

/** Selects records in which a list has an item at an index, whatever is in it: a list of objects is not asked for fields of that name. */
export function hasItem(path: string, index: number): FilterNode {
  return field(`${path}.${index}`, { operator: '$exists', exists: true })
}

/** Compares one value, as the query language does. */
export function comparison(sign: ComparisonSign, value: Json): PredicateNode {
  if (sign === '=') return { operator: '$eq', value }
  return sign === '!=' ? negation({ operator: '$eq', value }) : { operator: OPERATORS[sign], value }
}

export function negation(predicate: PredicateNode): PredicateNode {
  return { operator: '$not', predicates: [predicate] }
}

/** Compares two values of one type here and now. */
export function holds(sign: ComparedSign, one: number | string, other: number | string): boolean {
  switch (sign) {
    case '=':
      return one === other
    case '<':
      return one < other
    case '<=':
      return one <= other
    case '>':
      return one > other
    case '>=':
      return one >= other
  }
}
