import { FLAG, HEAD, HEAD_WORDS, NUMBERS, padded, WIDTHS } from './encode-column.ts'
import { RowListing } from './row-listing.ts'

/** Whole numbers in as many bytes each as the largest of them takes. */
export type Wholes = Uint8Array | Uint16Array | Uint32Array

/** Numbers in the shortest form that has all of them. */
export type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array

const NOTHING = new Uint8Array(0)

/** Reads the pieces of a column's chunk one after the other, as views of its bytes. */
export class ChunkReader {
  readonly #buffer: ArrayBufferLike
  readonly #head: Uint32Array
  #at: number

  constructor({ buffer, byteOffset }: Uint8Array) {
    this.#buffer = buffer
    this.#head = new Uint32Array(buffer, byteOffset, HEAD_WORDS)
    this.#at = byteOffset + padded(HEAD_WORDS * 4)
  }

  /** A word of the head. */
  word(name: keyof typeof HEAD): number {
    return this.#head[HEAD[name]] as number
  }

  numbers(): Numbers {
    return this.#past(numbersAt(this.#buffer, this.#at, { form: this.#flag('numbers'), count: this.word('numbers') }))
  }

  /** The next listing: of `count` of `all` rows. */
  listing(name: 'presence' | 'arrays' | 'odd', count: number, all: number): RowListing {
    return this.#past(new RowListing({ buffer: this.#buffer, at: this.#at, form: this.#flag(name), count, all }))
  }

  wholes(name: 'ends' | 'ordinals' | 'counts', count: number): Wholes {
    return this.#past(wholesAt(this.#buffer, this.#at, { width: WIDTHS[this.#flag(name)] ?? 0, count }))
  }

  /** The bytes of all texts, which come last. */
  slab(): Buffer {
    return Buffer.from(this.#buffer as ArrayBuffer, this.#at, this.word('slab'))
  }

  #flag(name: keyof typeof FLAG): number {
    return (this.word('flags') >>> FLAG[name]) & 3
  }

  #past<Piece extends { readonly byteLength: number }>(piece: Piece): Piece {
    this.#at += padded(piece.byteLength)
    return piece
  }
}

interface NumbersForm {
  readonly form: number
  readonly count: number
}

function numbersAt(buffer: ArrayBufferLike, at: number, { form, count }: NumbersForm): Numbers {
  switch (form) {
    case NUMBERS.double:
      return new Float64Array(buffer, at, count)
    case NUMBERS.int32:
      return new Int32Array(buffer, at, count)
    case NUMBERS.uint16:
      return new Uint16Array(buffer, at, count)
    default:
      return new Uint8Array(buffer, at, count)
  }
}

interface WholesForm {
  readonly width: number
  readonly count: number
}

function wholesAt(buffer: ArrayBufferLike, at: number, { width, count }: WholesForm): Wholes {
  switch (width) {
    case 1:
      return new Uint8Array(buffer, at, count)
    case 2:
      return new Uint16Array(buffer, at, count)
    case 4:
      return new Uint32Array(buffer, at, count)
    default:
      return NOTHING
  }
}
