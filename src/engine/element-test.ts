import { assertNever } from '../kernel/errors.ts'
import type { FieldNode, FilterNode, PredicateNode } from '../query/ast/filter.ts'
import { valueTestOf } from '../query/filter/match.ts'
import { arrayIndexOf } from '../query/paths.ts'
import { askOf } from './ask.ts'
import type { Column } from './column.ts'
import { type ColumnSource, hasColumn, hollowBefore } from './evaluate-values.ts'
import { hasBit, NO, opposite, PERHAPS, type Verdict, verdictOf, YES } from './selection.ts'
import type { DictionaryValue } from './value-dictionary.ts'

export type ValueJudge = (value: DictionaryValue) => Verdict

/** Asks all predicates of one value by itself. A vector is one array among the values, or (`isEntered`) asked number by number too. */
export function valueJudge(predicates: readonly PredicateNode[], isEntered: boolean): ValueJudge {
  const judges = predicates.map((predicate) => judgeOf(predicate, isEntered))
  return (value) => leastOf(judges, value)
}

function leastOf(judges: readonly ValueJudge[], value: DictionaryValue): Verdict {
  let least: Verdict = YES
  for (const judge of judges) least = Math.min(least, judge(value)) as Verdict
  return least
}

function judgeOf(predicate: PredicateNode, isEntered: boolean): ValueJudge {
  const test = valueTestOf(predicate)
  const ofKind = kindJudge(predicate, isEntered)
  return (value) => {
    if (typeof value !== 'object' || value === null) return verdictOf(test(value))
    return value.kind === 'missing' ? verdictOf(test(undefined)) : ofKind(value)
  }
}

function kindJudge(predicate: PredicateNode, isEntered: boolean): ValueJudge {
  switch (predicate.operator) {
    case '$not': {
      const judge = valueJudge(predicate.predicates, isEntered)
      return (value) => opposite(judge(value))
    }
    case '$all':
      return predicate.predicates.length === 0 ? () => NO : valueJudge(predicate.predicates, isEntered)
    case '$exists':
      return () => verdictOf(predicate.exists)
    case '$elemMatch':
    case '$size':
      return (value) => (isArray(value) ? PERHAPS : NO)
    default: {
      const { object, array, numbers } = askOf(predicate)
      const vector = isEntered ? (Math.max(array, numbers) as Verdict) : array
      return (value) =>
        isKind(value, 'object') ? object : isKind(value, 'nested') ? array : isArray(value) ? vector : PERHAPS
    }
  }
}

function isArray(value: DictionaryValue): boolean {
  return isKind(value, 'nested') || isKind(value, 'vector')
}

function isKind(value: DictionaryValue, kind: string): boolean {
  return typeof value === 'object' && value !== null && value.kind === kind
}

/** Judges an element of the array of a row; elements are counted from 0. */
type ElementJudge = (row: number, element: number) => Verdict

/** Asks a filter of the elements of the arrays of objects at a path: how the best of a row's elements fares. */
export function elementTest(
  source: ColumnSource,
  array: readonly string[],
  filter: FilterNode,
): (row: number, elements: number) => Verdict {
  const judge = judgeFilter(source, array, filter)
  return (row, elements) => {
    let best: Verdict = NO
    for (let element = 0; element < elements && best !== YES; element++) {
      best = Math.max(best, judge(row, element)) as Verdict
    }
    return best
  }
}

function judgeFilter(source: ColumnSource, array: readonly string[], filter: FilterNode): ElementJudge {
  switch (filter.kind) {
    case 'and': {
      const judges = filter.clauses.map((clause) => judgeFilter(source, array, clause))
      return (row, element) => least(judges, row, element)
    }
    case 'or': {
      const judges = filter.clauses.map((clause) => judgeFilter(source, array, clause))
      return (row, element) => most(judges, row, element)
    }
    case 'nor': {
      const judges = filter.clauses.map((clause) => judgeFilter(source, array, clause))
      return (row, element) => opposite(most(judges, row, element))
    }
    case 'field':
      return judgeField(source, array, filter)
    case 'expr':
      return () => PERHAPS
    default:
      return assertNever(filter, 'filter')
  }
}

function least(judges: readonly ElementJudge[], row: number, element: number): Verdict {
  let verdict: Verdict = YES
  for (const judge of judges) verdict = Math.min(verdict, judge(row, element)) as Verdict
  return verdict
}

function most(judges: readonly ElementJudge[], row: number, element: number): Verdict {
  let verdict: Verdict = NO
  for (const judge of judges) verdict = Math.max(verdict, judge(row, element)) as Verdict
  return verdict
}

function judgeField(source: ColumnSource, array: readonly string[], { path, predicate }: FieldNode): ElementJudge {
  const parts = [...array, ...path.parts]
  const text = parts.join('.')
  if (!hasColumn(parts, text) || path.parts.some((part) => arrayIndexOf(part) >= 0)) return () => PERHAPS
  const judge = valueJudge([predicate], true)
  const missing = judge({ kind: 'missing' })
  // Below the array itself, on the way to the field.
  const hollow = hollowBefore(source, parts, array.length + 1)
  const isHollow = (row: number): boolean => hollow !== null && hasBit(hollow, row)
  const column = source.column(text)
  const whenAbsent = (row: number): Verdict => (isHollow(row) ? PERHAPS : missing)
  if (column === null) return whenAbsent
  const judgeOrdinal = remembered(column, judge)
  const { offsets, oddBits, oddCount } = column
  return (row, element) => {
    if (oddCount > 0 && hasBit(oddBits, row)) return PERHAPS
    const first = offsets[row] as number
    if (first === offsets[row + 1]) return whenAbsent(row)
    const verdict = judgeOrdinal(column.ordinalAt(first + element))
    return isHollow(row) ? PERHAPS : verdict
  }
}

/** Each value of a dictionary is judged once. */
function remembered(column: Column, judge: ReturnType<typeof valueJudge>): (ordinal: number) => Verdict {
  const known = new Uint8Array(column.dictionary.size).fill(255)
  return (ordinal) => {
    let verdict = known[ordinal] as number
    if (verdict === 255) {
      verdict = judge(column.dictionary.valueAt(ordinal))
      known[ordinal] = verdict
    }
    return verdict as Verdict
  }
}
