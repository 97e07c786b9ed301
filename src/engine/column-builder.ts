import { utf8Rank } from '../query/values/compare-bson.ts'
import { type ColumnParts, type Dictionary, KINDS, type Kind, LONGEST_TEXT, type UintArray } from './column-parts.ts'
import { NumberRow } from './number-row.ts'

/** Value in a column: a scalar, or that there is one of a kind. */
export type ColumnValue = null | number | string | KindValue

/** Kinds are told from texts by being symbols. */
export const KIND_VALUES = Object.fromEntries(KINDS.map((kind) => [kind, Symbol(kind)])) as {
  readonly [K in Kind]: symbol
}
type KindValue = symbol

/** Gathers what the rows of a segment have at one path; rows come in their order. */
export class ColumnBuilder {
  readonly #codes = new Map<ColumnValue, number>()
  readonly #values: ColumnValue[] = []
  readonly #entries = new NumberRow()
  readonly #present: number[] = []
  readonly #counts: number[] = []
  readonly #arrays: number[] = []
  readonly #odd: number[] = []
  #depth = 0
  #row = -1
  #isArray = false
  #isOdd = false
  /** The row is an array, but not at the depth of the column's arrays. */
  #isOtherDepth = false
  #first = 0
  #lastValue: ColumnValue | undefined = undefined
  #lastCode = 0
  #touchedRow = -1

  /** One scalar, or an object or list of numbers as a whole, that no array leads to. */
  addPlain(row: number, value: ColumnValue): void {
    this.#begin(row)
    this.#push(value)
  }

  /** A row whose path leads through one array, at a depth; its elements follow. */
  beginArray(row: number, depth: number): void {
    this.#begin(row)
    this.#isArray = true
    if (this.#depth === 0) this.#depth = depth
    if (this.#depth === depth) return
    this.#isOdd = true
    this.#isOtherDepth = true
  }

  /** The value of an element of the array; elements that came before and have none get theirs as missing. */
  addElement(row: number, depth: number, element: number, value: ColumnValue): void {
    if (this.#row !== row) this.beginArray(row, depth)
    this.padTo(row, element)
    this.#push(value)
  }

  /** Says that the array has so many elements. */
  padTo(row: number, elements: number): void {
    if (this.#row !== row) return
    while (this.#entries.length - this.#first < elements) this.#push(KIND_VALUES.missing)
  }

  /** One of the values of a row of which the column cannot tell how they belong together. */
  addOdd(row: number, value: ColumnValue): void {
    if (this.#row !== row) this.#begin(row)
    this.#isOdd = true
    this.#push(value)
  }

  /** Tells whether it is the first time that it is asked of a row. */
  touch(row: number): boolean {
    const isFirst = this.#touchedRow !== row
    this.#touchedRow = row
    return isFirst
  }

  finish(rows: number): ColumnParts {
    this.#end()
    const { dictionary, ordinals } = orderedDictionary(this.#values)
    const codes = this.#entries.view
    const writeTo = (into: UintArray): void => {
      for (let at = 0; at < codes.length; at++) into[at] = ordinals[codes[at] as number] as number
    }
    return {
      rows,
      dictionary,
      entries: { count: codes.length, writeTo },
      present: new Uint16Array(this.#present),
      counts: this.#counts.every((count) => count === 1) ? null : new Uint32Array(this.#counts),
      arrays: new Uint16Array(this.#arrays),
      odd: new Uint16Array(this.#odd),
      depth: this.#depth,
    }
  }

  #begin(row: number): void {
    this.#end()
    this.#row = row
    this.#first = this.#entries.length
  }

  #end(): void {
    if (this.#row < 0) return
    // Such an array is a value too, which its elements do not tell.
    if (this.#isOtherDepth) this.#push(KIND_VALUES.nested)
    const place = this.#present.length
    this.#present.push(this.#row)
    this.#counts.push(this.#entries.length - this.#first)
    if (this.#isArray || this.#isOdd) this.#arrays.push(place)
    if (this.#isOdd) this.#odd.push(place)
    this.#row = -1
    this.#isArray = false
    this.#isOdd = false
    this.#isOtherDepth = false
  }

  #push(value: ColumnValue): void {
    // Many fields are the same in one record after the other.
    this.#entries.push(value === this.#lastValue ? this.#lastCode : this.#codeOf(value))
  }

  #codeOf(value: ColumnValue): number {
    let code = this.#codes.get(value)
    if (code === undefined) {
      code = this.#values.length
      this.#values.push(value)
      this.#codes.set(value, code)
    }
    this.#lastValue = value
    this.#lastCode = code
    return code
  }
}

/** Puts the values that were met into BSON order; `ordinals` has the place of each. */
function orderedDictionary(values: readonly ColumnValue[]): {
  readonly dictionary: Dictionary
  readonly ordinals: Uint32Array
} {
  const ordinals = new Uint32Array(values.length)
  const numbers: number[] = []
  const texts: number[] = []
  const kinds = new Map<Kind, number>()
  let hasNull = false
  for (let code = 0; code < values.length; code++) {
    const value = values[code] as ColumnValue
    if (typeof value === 'number') numbers.push(code)
    else if (typeof value === 'string') texts.push(code)
    else if (value === null) hasNull = true
    else kinds.set(value.description as Kind, code)
  }
  numbers.sort((a, b) => (values[a] as number) - (values[b] as number))
  sortTexts(texts, values as readonly string[])
  let next = hasNull ? 1 : 0
  for (const code of numbers) ordinals[code] = next++
  for (const code of texts) ordinals[code] = next++
  for (const kind of KINDS) {
    const code = kinds.get(kind)
    if (code !== undefined) ordinals[code] = next++
  }
  const dictionary = {
    hasNull,
    numbers: new Float64Array(numbers.map((code) => values[code] as number)),
    ...slabOf(texts.map((code) => values[code] as string)),
    kinds: new Set(kinds.keys()),
  }
  return { dictionary, ordinals }
}

const BEYOND_ASCII_ORDER = /[\ud800-\uffff]/

/** By their bytes in UTF-8, which is the order of their units but for what needs surrogates. */
function sortTexts(codes: number[], values: readonly string[]): void {
  const text = (code: number): string => values[code] as string
  if (!codes.some((code) => BEYOND_ASCII_ORDER.test(text(code)))) {
    codes.sort((a, b) => (text(a) < text(b) ? -1 : 1))
    return
  }
  codes.sort((a, b) => compareUnits(text(a), text(b)))
}

function compareUnits(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const order = utf8Rank(a.charCodeAt(at)) - utf8Rank(b.charCodeAt(at))
    if (order !== 0) return order
  }
  return a.length - b.length
}

function slabOf(texts: readonly string[]): Pick<Dictionary, 'slab' | 'ends'> {
  const joined = texts.join('')
  const slab = Buffer.from(joined)
  const isAscii = slab.length === joined.length
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string
    end += isAscii ? text.length : Buffer.byteLength(text)
    ends[at] = end
  }
  return { slab, ends }
}

const encoder = new TextEncoder()
const cutBuffer = new Uint8Array(LONGEST_TEXT)

export function columnValueOf(value: null | boolean | number | string): ColumnValue {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return KIND_VALUES.unknown
    // No character of UTF-16 takes more than three bytes.
    return value.length * 3 <= LONGEST_TEXT ? value : value.slice(0, encoder.encodeInto(value, cutBuffer).read)
  }
  if (typeof value === 'boolean') return value ? KIND_VALUES.true : KIND_VALUES.false
  // -0 and 0 are one value.
  return value === 0 ? 0 : value
}
