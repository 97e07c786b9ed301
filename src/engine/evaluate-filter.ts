import { assertNever } from '../kernel/errors.ts'
import type { FilterNode, PredicateNode } from '../query/ast/filter.ts'
import { arrayIndexOf } from '../query/paths.ts'
import { ASK_PRESENCE, askOf } from './ask.ts'
import type { Column } from './column.ts'
import { elementTest, valueJudge } from './element-test.ts'
import { evaluateExpression } from './evaluate-expression.ts'
import { arraysBefore, type ColumnSource, evaluateValues, hasColumn } from './evaluate-values.ts'
import {
  type Bits,
  between,
  both,
  difference,
  either,
  eitherRows,
  everyRow,
  exactly,
  intersection,
  isEmpty,
  NO,
  negation,
  noBits,
  noRow,
  rowsOf,
  Selection,
  setBit,
  setRows,
  union,
  YES,
} from './selection.ts'

/** Says of every row of a segment whether its document matches a filter, as far as columns tell. */
export function evaluateFilter(source: ColumnSource, filter: FilterNode): Selection {
  switch (filter.kind) {
    case 'and':
      return evaluateAnd(source, filter.clauses)
    case 'or':
      return anyOf(source, filter.clauses)
    case 'nor':
      return negation(anyOf(source, filter.clauses), source.rows)
    case 'field':
      return evaluatePredicate(source, filter.path.parts, filter.predicate)
    case 'expr':
      return evaluateExpression(source, filter, everyRow(source.rows).may)
    default:
      return assertNever(filter, 'filter')
  }
}

/** Skips the other clauses where nothing is left; expressions, which are computed row by row, come last. */
function evaluateAnd(source: ColumnSource, clauses: readonly FilterNode[]): Selection {
  let found: Selection | null = null
  for (const clause of clauses) {
    if (clause.kind === 'expr') continue
    const selection = evaluateFilter(source, clause)
    found = found === null ? selection : both(found, selection)
    if (found.most === 0) return found
  }
  found ??= everyRow(source.rows)
  for (const clause of clauses) {
    if (clause.kind === 'expr') found = both(found, evaluateExpression(source, clause, found.may))
  }
  return found
}

function allOf(selections: readonly Selection[], rows: number): Selection {
  const [first, ...others] = selections
  return first === undefined ? everyRow(rows) : others.reduce(both, first)
}

function anyOf(source: ColumnSource, clauses: readonly FilterNode[]): Selection {
  const [first, ...others] = clauses.map((clause) => evaluateFilter(source, clause))
  return first === undefined ? noRow(source.rows) : others.reduce(either, first)
}

function evaluatePredicate(source: ColumnSource, parts: readonly string[], predicate: PredicateNode): Selection {
  const { rows } = source
  switch (predicate.operator) {
    case '$not': {
      const within = predicate.predicates.map((inner) => evaluatePredicate(source, parts, inner))
      return negation(allOf(within, rows), rows)
    }
    case '$all': {
      const within = predicate.predicates.map((inner) => evaluatePredicate(source, parts, inner))
      return within.length === 0 ? noRow(rows) : allOf(within, rows)
    }
    case '$exists': {
      const present = evaluateValues(source, parts, ASK_PRESENCE)
      return predicate.exists ? present : negation(present, rows)
    }
    case '$size':
      return arraysAt(source, parts, (column) => rowsOfSize(column, predicate.size))
    case '$elemMatch':
      return predicate.form === 'value'
        ? arraysAt(source, parts, (column) => rowsWithElement(column, predicate.predicates))
        : arraysAt(source, parts, (column) => rowsWithObject(source, parts, { column, filter: predicate.filter }))
    default:
      return evaluateValues(source, parts, askOf(predicate))
  }
}

/** Asks for an array as a whole. `within` tells of the rows whose array the column has; all others are in doubt. */
function arraysAt(source: ColumnSource, parts: readonly string[], within: (column: Column) => Selection): Selection {
  const text = parts.join('.')
  if (!hasColumn(parts, text)) return new Selection(noBits(source.rows), everyRow(source.rows).may)
  const column = source.column(text)
  const indexed = arraysBefore(source, parts)
  let found = noRow(source.rows)
  if (column !== null) {
    if (column.arrayCount > 0 && column.depth === parts.length) found = within(column)
    found = withDoubt(found, eitherRows(column.oddBits, column.rowsOfKind('vector')))
  }
  return withDoubt(found, indexed)
}

function withDoubt(found: Selection, doubtful: Bits | null): Selection {
  if (doubtful === null || isEmpty(doubtful)) return found
  return between(difference(found.must, doubtful), union(found.may, doubtful))
}

function rowsOfSize(column: Column, size: number): Selection {
  const { offsets, arrayBits } = column
  const bits = noBits(column.rows)
  for (const row of rowsOf(arrayBits)) {
    if ((offsets[row + 1] as number) - (offsets[row] as number) === size) setBit(bits, row)
  }
  return exactly(bits)
}

function rowsWithElement(column: Column, predicates: readonly PredicateNode[]): Selection {
  const judge = valueJudge(predicates, false)
  const { starts, rows } = column.postings
  const must = noBits(column.rows)
  const may = noBits(column.rows)
  for (let ordinal = 0; ordinal < column.dictionary.size; ordinal++) {
    const value = column.dictionary.valueAt(ordinal)
    if (typeof value === 'object' && value !== null && value.kind === 'missing') continue
    const verdict = judge(value)
    const [from, to] = [starts[ordinal] as number, starts[ordinal + 1] as number]
    if (verdict !== NO) setRows(may, rows, from, to)
    if (verdict === YES) setRows(must, rows, from, to)
  }
  const { arrayBits } = column
  return between(intersection(must, arrayBits), intersection(may, arrayBits))
}

interface ObjectMatch {
  readonly column: Column
  readonly filter: FilterNode
}

/** One element that is an object, or an array treated as one, matches a filter. */
function rowsWithObject(source: ColumnSource, parts: readonly string[], { column, filter }: ObjectMatch): Selection {
  const [objects, nested] = [column.rowsOfKind('object'), column.rowsOfKind('nested')]
  const must = noBits(column.rows)
  const may = nested === null ? noBits(column.rows) : intersection(column.arrayBits, nested)
  if (objects === null) return between(must, may)
  const candidates = intersection(intersection(column.arrayBits, objects), rowsNear(source, parts, filter))
  const test = elementTest(source, parts, filter)
  const { offsets } = column
  const rows = rowsOf(candidates)
  source.spend(rows.length * ELEMENT_STEPS)
  for (const row of rows) {
    const verdict = test(row, (offsets[row + 1] as number) - (offsets[row] as number))
    if (verdict === NO) continue
    setBit(may, row)
    if (verdict === YES) setBit(must, row)
  }
  return between(must, may)
}

/** The elements of a row take about as long as so many looks at a value. */
const ELEMENT_STEPS = 4

/** The rows that have, somewhere below a path, what an element would have to have to match: more than match, never fewer. */
function rowsNear(source: ColumnSource, array: readonly string[], filter: FilterNode): Bits {
  const everything = (): Bits => everyRow(source.rows).may
  switch (filter.kind) {
    case 'and':
      return filter.clauses.map((clause) => rowsNear(source, array, clause)).reduce(intersection, everything())
    case 'or':
      return filter.clauses.map((clause) => rowsNear(source, array, clause)).reduce(union, noBits(source.rows))
    case 'field': {
      const { path, predicate } = filter
      if (!isValuePredicate(predicate) || arrayIndexOf(path.parts[0] as string) >= 0) return everything()
      return evaluateValues(source, [...array, ...path.parts], askOf(predicate)).may
    }
    default:
      return everything()
  }
}

/** Tells whether a match must have a value that passes; negations need none. */
export function isValuePredicate(predicate: PredicateNode): predicate is Parameters<typeof askOf>[0] {
  const { operator } = predicate
  return (
    operator !== '$not' &&
    operator !== '$all' &&
    operator !== '$elemMatch' &&
    operator !== '$size' &&
    operator !== '$exists'
  )
}
