import { allBits, type Bits, noBits, rowsOf, setBit } from './bits.ts'
import { LISTED } from './encode-column.ts'

/** Where a listing is in a chunk, and what it lists: `count` of `all` rows. */
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
