import type { JsonObject } from '../kernel/json.ts'
import type { BinFacet, BinsFound, Facet, FacetFound, Scalar, ValueFacet, ValuesFound } from '../query/ast/survey.ts'
import { compareBson } from '../query/values/compare-bson.ts'
import { binOf, edgesOf, type NumberCounts } from './bins.ts'
import type { Column } from './column.ts'
import { scalarsAt } from './count-records.ts'
import { countOrdinals, numberOrdinals, scalarOrdinals } from './ordinal-counts.ts'
import { type Bits, countBits, rowsOf } from './selection.ts'

/** Different values that are told apart: of a field in which every record has its own, nobody looks for the most frequent ones. */
export const MOST_DISTINCT = 50_000

export interface FacetCounter {
  /** Adds rows of which the column has everything; null: they have nothing. */
  addRows(column: Column | null, rows: Bits): void
  addDocument(document: JsonObject): void
  found(): FacetFound
}

/** Makes a counter, which tells beforehand of what it does with values; what it does with rows is told by whoever gives it parts. */
export function facetCounter(facet: Facet, spend: (steps: number) => void): FacetCounter {
  return facet.by === 'values' ? new ValueCounter(facet, spend) : new BinCounter(facet)
}

/** Steps in which a value is decoded and found among those that were counted. */
const STEPS_PER_VALUE = 20
/** Steps in which a value is compared with others, until all are in order. */
const STEPS_PER_SORTED = 60

class ValueCounter implements FacetCounter {
  readonly #facet: ValueFacet
  readonly #spend: (steps: number) => void
  readonly #collect: ReturnType<typeof scalarsAt>
  #counts: Map<Scalar, number> | null = new Map()
  #without = 0

  constructor(facet: ValueFacet, spend: (steps: number) => void) {
    this.#facet = facet
    this.#spend = spend
    this.#collect = scalarsAt(facet.path)
  }

  addDocument(document: JsonObject): void {
    const scalars = this.#collect(document)
    if (scalars.length === 0) this.#without += 1
    for (const scalar of scalars) this.#count(scalar, 1)
  }

  addRows(column: Column | null, rows: Bits): void {
    this.#without += countBits(rows)
    if (column === null) return
    const { dictionary } = column
    const mask = scalarOrdinals(dictionary)
    const { counts, withAny } = countOrdinals(column, rows, mask)
    this.#without -= withAny
    this.#spend(counts.length)
    for (let ordinal = 0; ordinal < counts.length && this.#counts !== null; ordinal++) {
      if (counts[ordinal] === 0 || mask[ordinal] !== 1) continue
      this.#spend(STEPS_PER_VALUE)
      const value = dictionary.valueAt(ordinal)
      // A text that is cut is in none of the rows that the column tells of.
      if (typeof value !== 'object' || value === null) this.#count(value, counts[ordinal] as number)
    }
  }

  #count(value: Scalar, count: number): void {
    if (this.#counts === null) return
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + count)
    if (this.#counts.size > MOST_DISTINCT) this.#counts = null
  }

  found(): ValuesFound {
    const { path, limit } = this.#facet
    const base = { path: path.text, without: this.#without }
    if (this.#counts === null) return { ...base, values: [], distinct: null }
    this.#spend(this.#counts.size * STEPS_PER_SORTED)
    const values = Array.from(this.#counts, ([value, count]) => ({ value, count }))
    values.sort((one, other) => other.count - one.count || compareBson(one.value, other.value))
    return { ...base, values: values.slice(0, limit), distinct: values.length }
  }
}

interface NumberPart extends NumberCounts {
  readonly column: Column
  readonly rows: Bits
}

class BinCounter implements FacetCounter {
  readonly #facet: BinFacet
  readonly #collect: ReturnType<typeof scalarsAt>
  readonly #parts: NumberPart[] = []
  /** The numbers of records that no column tells of. */
  readonly #loose: (readonly number[])[] = []
  #records = 0

  constructor(facet: BinFacet) {
    this.#facet = facet
    this.#collect = scalarsAt(facet.path)
  }

  addDocument(document: JsonObject): void {
    this.#records += 1
    const numbers = this.#collect(document).filter((scalar) => typeof scalar === 'number')
    if (numbers.length > 0) this.#loose.push(numbers)
  }

  addRows(column: Column | null, rows: Bits): void {
    this.#records += countBits(rows)
    if (column === null || column.dictionary.numbers.length === 0) return
    const { dictionary } = column
    const { counts } = countOrdinals(column, rows, numberOrdinals(dictionary))
    const ofNumbers = counts.subarray(...dictionary.ordinalsOf('number'))
    this.#parts.push({ column, rows, numbers: dictionary.numbers, counts: ofNumbers })
  }

  found(): BinsFound {
    const { path, bins, scale } = this.#facet
    const loose = this.#loose.map((numbers) => ({ numbers, counts: numbers.map(() => 1) }))
    const edges = edgesOf(scale, bins, [...this.#parts, ...loose])
    const counts = new Array<number>(Math.max(0, edges.length - 1)).fill(0)
    let inBins = 0
    for (const part of this.#parts) {
      inBins += part.column.isSingle ? binSingle(part, edges, counts) : binArrays(part, edges, counts)
    }
    for (const numbers of this.#loose) inBins += binOnce(numbers, edges, counts)
    return { path: path.text, scale, edges, counts, without: this.#records - inBins }
  }
}

/** Counts the numbers of rows that have one each; gives how many are in a bin. */
function binSingle({ numbers, counts: ofNumber }: NumberPart, edges: readonly number[], counts: number[]): number {
  let bin = -1
  let inBins = 0
  for (let at = 0; at < numbers.length; at++) {
    const count = ofNumber[at] as number
    if (count === 0) continue
    const number = numbers[at] as number
    while (bin + 1 < counts.length && number >= (edges[bin + 1] as number)) bin += 1
    if (bin < 0) continue
    counts[bin] = (counts[bin] as number) + count
    inBins += count
  }
  return inBins
}

/** Counts rows that have several numbers: each once for a bin. */
function binArrays({ column, rows }: NumberPart, edges: readonly number[], counts: number[]): number {
  const { offsets, dictionary } = column
  const [from, to] = dictionary.ordinalsOf('number')
  let inBins = 0
  for (const row of rowsOf(rows)) {
    const numbers: number[] = []
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const ordinal = column.ordinalAt(entry)
      if (ordinal >= from && ordinal < to) numbers.push(dictionary.numbers[ordinal - from] as number)
    }
    inBins += binOnce(numbers, edges, counts)
  }
  return inBins
}

/** Counts a record by its numbers; gives 1 where one is in a bin. */
function binOnce(numbers: readonly number[], edges: readonly number[], counts: number[]): 0 | 1 {
  const found = new Set(numbers.map((number) => binOf(edges, number)))
  found.delete(-1)
  for (const bin of found) counts[bin] = (counts[bin] as number) + 1
  return found.size > 0 ? 1 : 0
}
