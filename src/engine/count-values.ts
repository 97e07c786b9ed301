import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/filter.ts'
import { matcherOf } from '../query/filter/match.ts'
import { preparePathWalk } from '../query/paths.ts'
import { compareBson } from '../query/values/compare-bson.ts'
import { type Bits, countBits, difference, hasBit, intersection, rowsOf, union } from './bits.ts'
import type { Column } from './column.ts'
import { type CountQuestion, readRows } from './count-records.ts'
import { arraysBefore, type ColumnSource, hasColumn } from './evaluate-values.ts'
import type { Working } from './page-documents.ts'
import { doubtfulRows } from './ranks.ts'
import type { Value } from './value-dictionary.ts'

export type Scalar = null | boolean | number | string

/** The class by which a scalar is counted; undefined: it is not. Is asked once for each value of a dictionary. */
export type ClassOf<Class> = (value: Scalar) => Class | undefined

/** Records to count, and by what. `columnsOfPath` names the columns that it takes beside those of the filter. */
export interface PathQuestion extends CountQuestion {
  readonly path: FieldPath
}

export interface Tally<Class> {
  /** Of every class, how many records have a value of it. A record with several of them counts once. */
  readonly counts: ReadonlyMap<Class, number>
  /** How many records match. */
  readonly records: number
  /** How many of them have no value of any class. */
  readonly without: number
  /** Rows whose documents were read to tell. */
  readonly byDocument: number
}

/** Counts the records that match by the scalars that they have at a path; of arrays there, the elements. */
export function* tallyValues<Class>(question: PathQuestion, classOf: ClassOf<Class>): Working<Tally<Class>> {
  const { segments, tails, filter, select, spend, path } = question
  const matches = matcherOf(filter)
  const counter = new Counter(classOf)
  const collect = scalarsAt(path)
  let byDocument = 0
  for (const { records } of tails) {
    spend(records.length)
    for (const { document } of records) counter.add(collect(document))
  }
  for (const segment of segments) {
    const { source } = segment
    const { must, may } = select(segment)
    spend(source.rows >>> 5)
    const unclear = unclearRows(source, path)
    const clear = unclear === null ? must : difference(must, unclear)
    spend(countBits(clear))
    counter.addRows(clear, hasColumn(path.parts, path.text) ? source.column(path.text) : null)
    const open = unclear === null ? difference(may, must) : union(difference(may, must), intersection(must, unclear))
    byDocument += yield* readRows(segment, open, spend, (document, row) => {
      if (hasBit(must, row) || matches(document)) counter.add(collect(document))
    })
  }
  return { ...counter.result, byDocument }
}

/** The rows of which only documents tell what they have at a path; null when there is none. */
function unclearRows(source: ColumnSource, { parts, text }: FieldPath): Bits | null {
  if (!hasColumn(parts, text)) return new Uint32Array((source.rows + 31) >>> 5).fill(0xffffffff)
  const column = source.column(text)
  const own = column === null ? null : doubtfulRows(column, ['vector', 'unknown'])
  const indexed = arraysBefore(source, parts)
  return own === null || indexed === null ? (own ?? indexed) : union(own, indexed)
}

/** Collects the scalars that a path reaches, as the matcher does. */
function scalarsAt({ parts }: FieldPath): (document: JsonObject) => readonly Scalar[] {
  let found: Scalar[] = []
  const walk = preparePathWalk(parts, 'elements', (value) => {
    // -0 and 0 are one value.
    if (value !== undefined && isScalar(value)) found.push(value === 0 ? 0 : value)
    return false
  })
  return (document) => {
    found = []
    walk(document)
    return found
  }
}

function isScalar(value: Json): value is Scalar {
  return !isJsonArray(value) && !isJsonObject(value)
}

class Counter<Class> {
  readonly #classOf: ClassOf<Class>
  readonly #counts = new Map<Class, number>()
  #records = 0
  #without = 0

  constructor(classOf: ClassOf<Class>) {
    this.#classOf = classOf
  }

  get result(): Omit<Tally<Class>, 'byDocument'> {
    return { counts: this.#counts, records: this.#records, without: this.#without }
  }

  add(values: readonly Scalar[]): void {
    const classes = new Set(values.map(this.#classOf).filter((one) => one !== undefined))
    for (const one of classes) this.#counts.set(one, (this.#counts.get(one) ?? 0) + 1)
    this.#count(classes.size)
  }

  #count(classes: number): void {
    this.#records += 1
    if (classes === 0) this.#without += 1
  }

  /** Counts rows of which the column has all values. */
  addRows(rows: Bits, column: Column | null): void {
    if (column === null) {
      const count = countBits(rows)
      this.#records += count
      this.#without += count
      return
    }
    const { offsets } = column
    const classes = new ColumnClasses(column, this.#classOf)
    for (const row of rowsOf(rows)) {
      let found = 0
      const end = offsets[row + 1] as number
      for (let entry = offsets[row] as number; entry < end; entry++) {
        if (classes.count(column.ordinalAt(entry), row)) found += 1
      }
      this.#count(found)
    }
    for (const [one, count] of classes.counts()) this.#counts.set(one, (this.#counts.get(one) ?? 0) + count)
  }
}

/** Not looked at yet, and of no class. */
const NEW = -2
const NONE = -1

/** The classes of a column's values, by numbers while its rows are counted. */
class ColumnClasses<Class> {
  readonly #column: Column
  readonly #classOf: ClassOf<Class>
  /** The number of each ordinal's class. */
  readonly #numbers: Int32Array
  readonly #known = new Map<Class, number>()
  readonly #counts: number[] = []
  /** The last row that was counted for each class. */
  readonly #rows: number[] = []

  constructor(column: Column, classOf: ClassOf<Class>) {
    this.#column = column
    this.#classOf = classOf
    this.#numbers = new Int32Array(column.dictionary.size).fill(NEW)
  }

  /** Counts a value of a row; false when it has no class, or the row has been counted for it. Rows come in their order. */
  count(ordinal: number, row: number): boolean {
    let number = this.#numbers[ordinal] as number
    if (number === NEW) {
      number = this.#numberOf(this.#column.dictionary.valueAt(ordinal))
      this.#numbers[ordinal] = number
    }
    if (number === NONE || this.#rows[number] === row) return false
    this.#rows[number] = row
    this.#counts[number] = (this.#counts[number] as number) + 1
    return true
  }

  *counts(): Generator<readonly [Class, number]> {
    for (const [one, number] of this.#known) yield [one, this.#counts[number] as number]
  }

  #numberOf(value: Value): number {
    const one = typeof value === 'object' && value !== null ? undefined : this.#classOf(value)
    if (one === undefined) return NONE
    let number = this.#known.get(one)
    if (number === undefined) {
      number = this.#counts.length
      this.#known.set(one, number)
      this.#counts.push(0)
      this.#rows.push(-1)
    }
    return number
  }
}

/** How many records match, how many of them have nothing that is counted, and how many rows were read as documents. */
export type CountedRecords = Omit<Tally<unknown>, 'counts'>

/** The distinct scalars at a path in BSON order, each with the number of records that have it. */
export interface ValueCounts extends CountedRecords {
  readonly values: readonly { readonly value: Scalar; readonly count: number }[]
}

/** Counts the records that match by the scalars that they have at a path (facets). Null: there are more than `most` of these. */
export function* countValues(question: PathQuestion, most: number): Working<ValueCounts | null> {
  const seen = new Set<Scalar>()
  const tooMany = new Error('more values than are counted')
  const classOf = (value: Scalar): Scalar => {
    seen.add(value)
    if (seen.size > most) throw tooMany
    return value
  }
  try {
    const { counts, ...records } = yield* tallyValues(question, classOf)
    const values = [...counts].map(([value, count]) => ({ value, count }))
    return { values: values.sort((a, b) => compareBson(a.value, b.value)), ...records }
  } catch (error) {
    if (error === tooMany) return null
    throw error
  }
}

/** A histogram: of every bin the number of records that have a number in it. */
export interface BinCounts extends CountedRecords {
  readonly counts: readonly number[]
}

export interface NumberRange {
  readonly least: number
  readonly most: number
}

/**
 * Counts the records that match by the numbers that they have at a path. Bin `i` is from `edges[i]`, which belongs to it, to `edges[i + 1]`,
 * which belongs to it only where there is no bin after it. Edges ascend, no two are the same, and there are two of them at least.
 */
export function* countBins(question: PathQuestion, edges: readonly number[]): Working<BinCounts> {
  const classOf = (value: unknown): number | undefined => (typeof value === 'number' ? binOf(edges, value) : undefined)
  const { counts, ...records } = yield* tallyValues(question, classOf)
  return { counts: edges.slice(1).map((_, bin) => counts.get(bin) ?? 0), ...records }
}

function binOf(edges: readonly number[], value: number): number | undefined {
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((edges[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  if (low < edges.length) return low === 0 ? undefined : low - 1
  return value === edges.at(-1) ? edges.length - 2 : undefined
}

/** Finds the least and the greatest number that matching records have at a path; null when there is none. */
export function* findRange(question: PathQuestion): Working<NumberRange | null> {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  yield* tallyValues(question, (value) => {
    if (typeof value !== 'number') return
    least = Math.min(least, value)
    most = Math.max(most, value)
  })
  return least <= most ? { least, most } : null
}

/**
 * The edges of so many bins of equal width; of fewer where no more numbers lie between. Around a single number the bins are one wide in
 * all, as in NumPy's `histogram`, or as much as there must be to hold it.
 */
export function evenEdges(range: NumberRange, bins: number): readonly number[] {
  const { least, most } = range.least === range.most ? around(range.least) : range
  const edges = [least]
  for (let bin = 1; bin < bins; bin++) {
    // Not by the width, which may be beyond all numbers.
    const edge = least * (1 - bin / bins) + most * (bin / bins)
    if (edge > (edges.at(-1) as number) && edge < most) edges.push(edge)
  }
  return [...edges, most]
}

function around(number: number): NumberRange {
  const half = Math.max(0.5, Math.abs(number) * 2 ** -50)
  const bounded = (edge: number): number => Math.min(Math.max(edge, -Number.MAX_VALUE), Number.MAX_VALUE)
  return { least: bounded(number - half), most: bounded(number + half) }
}
