import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../kernel/json.ts'
import type { FieldPath } from '../query/ast/path.ts'
import { matcherOf } from '../query/match/matches.ts'
import { preparePathWalk } from '../query/paths/path-walk.ts'
import { type Bits, countBits, difference, hasBit, intersection, rowsOf, union } from './bits.ts'
import type { Column } from './column.ts'
import type { CountQuestion } from './count-records.ts'
import { doubtfulRows } from './doubtful-rows.ts'
import { arraysBefore, type ColumnSource, hasColumn } from './evaluate-values.ts'
import type { Working } from './page-question.ts'
import { readRows } from './read-rows.ts'
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
