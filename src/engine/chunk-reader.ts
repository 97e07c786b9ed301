import { FLAG, HEAD, HEAD_WORDS, LISTED, NUMBERS, padded, type UintArray, WHOLES } from './column-parts.ts'
import { allBits, type Bits, noBits, rowsOf, setBit } from './selection.ts'

/** Place of a listing in a chunk, and its rows: `count` of `all`. */
export interface ListingPlace {
  readonly buffer: ArrayBufferLike
  readonly at: number
  readonly form: number
  readonly count: number
  readonly all: number
}

/** Some of the rows of a chunk, in the form in which they were written: none, all, a list or a bitmap. */
export class RowListing {
  readonly #place: ListingPlace

  constructor(place: ListingPlace) {
    this.#place = place
  }

  /** Bytes in the chunk. */
  get byteLength(): number {
    const { form, count, all } = this.#place
    if (form === LISTED.list) return 2 * count
    return form === LISTED.bitmap ? 4 * wordsOf(all) : 0
  }

  get isNone(): boolean {
    return this.#place.form === LISTED.none
  }

  get isAll(): boolean {
    return this.#place.form === LISTED.all
  }

  /** The rows, ascending. */
  list(): Uint16Array {
    const { form, count, all, buffer, at } = this.#place
    if (form === LISTED.list) return new Uint16Array(buffer, at, count)
    if (form === LISTED.bitmap) return rowsOf(new Uint32Array(buffer, at, wordsOf(all)), new Uint16Array(count))
    if (form === LISTED.none) return new Uint16Array(0)
    const list = new Uint16Array(all)
    for (let row = 0; row < all; row++) list[row] = row
    return list
  }

  bits(): Bits {
    const { form, all, buffer, at } = this.#place
    if (form === LISTED.bitmap) return new Uint32Array(buffer, at, wordsOf(all))
    if (form === LISTED.all) return allBits(all)
    const bits = noBits(all)
    for (const row of this.list()) setBit(bits, row)
    return bits
  }
}

function wordsOf(rows: number): number {
  return (rows + 31) >>> 5
}

/** Numbers in the shortest form that has all of them. */
export type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array

const NOTHING = new Uint8Array(0)

/** Reads the pieces of a column's chunk one after the other, as views of its bytes. */
export class ChunkReader {
  /** Perhaps memory that threads share, which constructors of arrays take alike. */
  readonly #buffer: ArrayBuffer
  readonly #head: Uint32Array
  #at: number

  constructor({ buffer, byteOffset }: Uint8Array) {
    this.#buffer = buffer as ArrayBuffer
    this.#head = new Uint32Array(buffer, byteOffset, HEAD_WORDS)
    this.#at = byteOffset + padded(HEAD_WORDS * 4)
  }

  word(name: keyof typeof HEAD): number {
    return this.#head[HEAD[name]] as number
  }

  numbers(): Numbers {
    return this.#past(new NUMBERS[this.#flag('numbers')](this.#buffer, this.#at, this.word('numbers')))
  }

  listing(name: 'presence' | 'arrays' | 'odd', count: number, all: number): RowListing {
    return this.#past(new RowListing({ buffer: this.#buffer, at: this.#at, form: this.#flag(name), count, all }))
  }

  wholes(name: 'ends' | 'ordinals' | 'counts', count: number): UintArray {
    const wholes = WHOLES[this.#flag(name)]
    return wholes === null ? NOTHING : this.#past(new wholes(this.#buffer, this.#at, count))
  }

  /** The bytes of all texts, which come last. */
  slab(): Buffer {
    return Buffer.from(this.#buffer, this.#at, this.word('slab'))
  }

  #flag(name: keyof typeof FLAG): 0 | 1 | 2 | 3 {
    return ((this.word('flags') >>> FLAG[name]) & 3) as 0 | 1 | 2 | 3
  }

  #past<Piece extends { readonly byteLength: number }>(piece: Piece): Piece {
    this.#at += padded(piece.byteLength)
    return piece
  }
}

/** The rows of every ordinal: those of `o` are `rows[starts[o]]` to `rows[starts[o + 1]]`, ascending, each once. */
export interface Postings {
  readonly starts: Uint32Array
  readonly rows: Uint16Array
}

/** Values of rows, row after row. */
interface RowEntries {
  readonly dictionary: { readonly size: number }
  /** Ordinals; empty when there is only one value. */
  readonly entries: UintArray
  readonly entryCount: number
  readonly present: Uint16Array
  readonly offsets: Uint32Array
}

/** Puts rows to their values, by counting. The loop over all entries stands here twice: a call for each of them takes three times as long. */
export function postingsOf(column: RowEntries): Postings {
  const { entryCount, dictionary, present, offsets } = column
  const distinct = dictionary.size
  const entries = column.entries.length === 0 ? new Uint8Array(entryCount) : column.entries
  // The last row that had each value, counted from 1.
  const last = new Uint32Array(distinct)
  const starts = new Uint32Array(distinct + 1)
  for (let at = 0; at < present.length; at++) {
    const row = present[at] as number
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const ordinal = entries[entry] as number
      if (last[ordinal] === row + 1) continue
      last[ordinal] = row + 1
      starts[ordinal + 1] = (starts[ordinal + 1] as number) + 1
    }
  }
  for (let ordinal = 0; ordinal < distinct; ordinal++) {
    starts[ordinal + 1] = (starts[ordinal + 1] as number) + (starts[ordinal] as number)
  }
  const rows = new Uint16Array(starts[distinct] as number)
  const next = starts.slice(0, distinct)
  last.fill(0)
  for (let at = 0; at < present.length; at++) {
    const row = present[at] as number
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const ordinal = entries[entry] as number
      if (last[ordinal] === row + 1) continue
      last[ordinal] = row + 1
      const place = next[ordinal] as number
      rows[place] = row
      next[ordinal] = place + 1
    }
  }
  return { starts, rows }
}
