import type { Json, JsonBytes } from '../kernel/json.ts'
import type { FieldKind } from '../query/ast/survey.ts'
import { compareBson } from '../query/values/compare-bson.ts'
import type { Numbers } from './chunk-reader.ts'
import { CUT_BYTES, KINDS, type Kind, type UintArray } from './column-parts.ts'
import { countBefore } from './selection.ts'

export type DictionaryValue =
  | null
  | number
  | string
  | boolean
  | { readonly kind: Exclude<Kind, 'false' | 'true'> | 'cut' }

/** A scalar to find a place for; a text by its bytes. */
export type ScalarBound = null | number | boolean | Buffer

export function boundOf(value: null | number | boolean | string): ScalarBound {
  return typeof value === 'string' ? Buffer.from(value) : value
}

export interface DictionaryPieces {
  readonly numbers: Numbers
  /** End of each text in the slab. */
  readonly ends: UintArray
  readonly slab: Buffer
}

/** The distinct values of a column, as they are read: an ordinal is a value's place among them, in BSON order. */
export class ValueDictionary {
  readonly hasNull: boolean
  /** Ascending, in whatever form. */
  readonly numbers: Numbers
  readonly texts: number
  /** The kinds of values that there are, in the order of `KINDS`. */
  readonly kinds: readonly Kind[]
  /** Number of values, kinds included. */
  readonly size: number
  readonly #ends: UintArray
  readonly #slab: Buffer

  /** `bits` tells of null and of the kinds, as the head of a chunk has them. */
  constructor(bits: number, { numbers, ends, slab }: DictionaryPieces) {
    this.hasNull = (bits & 1) !== 0
    this.numbers = numbers
    this.texts = ends.length
    this.kinds = KINDS.filter((_, at) => (bits & (2 << at)) !== 0)
    this.size = (this.hasNull ? 1 : 0) + numbers.length + this.texts + this.kinds.length
    this.#ends = ends
    this.#slab = slab
  }

  /** The ordinals of texts that are kept in part. */
  *cutTexts(): Generator<number> {
    const [first] = this.ordinalsOf('string')
    for (let text = 0; text < this.texts; text++) if (this.#isCut(text)) yield first + text
  }

  valueAt(ordinal: number): DictionaryValue {
    let at = ordinal
    if (this.hasNull) {
      if (at === 0) return null
      at -= 1
    }
    if (at < this.numbers.length) return this.numbers[at] as number
    at -= this.numbers.length
    if (at < this.texts) return this.#isCut(at) ? CUT : this.textAt(at)
    return valueOfKind(this.kinds[at - this.texts] as Kind)
  }

  /** Writes the text that an ordinal stands for; false, and nothing, for another value, or a text that is cut. */
  writeText(ordinal: number, out: JsonBytes): boolean {
    const text = this.#textOf(ordinal)
    if (text < 0 || this.#isCut(text)) return false
    out.quoted(this.#slab, this.#startOf(text), this.#ends[text] as number)
    return true
  }

  /** The text with a number among the texts: its beginning, where it is cut. */
  textAt(text: number): string {
    return this.#slab.toString('utf8', this.#startOf(text), this.#ends[text] as number)
  }

  /** The bytes of a text, where they are. */
  textBytes(text: number): Buffer {
    return this.#slab.subarray(this.#startOf(text), this.#ends[text] as number)
  }

  /** Compares a value with one of another dictionary in BSON order; texts as bytes, where they are. Neither may be cut, or a kind without a value. */
  compare(ordinal: number, other: ValueDictionary, otherOrdinal: number): number {
    const text = this.#textOf(ordinal)
    const otherText = other.#textOf(otherOrdinal)
    if (text < 0 || otherText < 0)
      return compareBson(this.valueAt(ordinal) as Json, other.valueAt(otherOrdinal) as Json)
    const [a, b] = [this.#slab, other.#slab]
    let at = this.#startOf(text)
    let otherAt = other.#startOf(otherText)
    const end = this.#ends[text] as number
    const otherEnd = other.#ends[otherText] as number
    while (at < end && otherAt < otherEnd) {
      const difference = (a[at++] as number) - (b[otherAt++] as number)
      if (difference !== 0) return difference
    }
    return end - at - (otherEnd - otherAt)
  }

  /** The number of a text among the texts; -1 for another value. */
  #textOf(ordinal: number): number {
    const text = ordinal - (this.hasNull ? 1 : 0) - this.numbers.length
    return text < this.texts ? text : -1
  }

  /** Ordinals of the values of a type: `[from, to)`. */
  ordinalsOf(type: FieldKind): readonly [number, number] {
    const numbers = this.hasNull ? 1 : 0
    const texts = numbers + this.numbers.length
    const kinds = texts + this.texts
    switch (type) {
      case 'null':
        return [0, numbers]
      case 'number':
        return [numbers, texts]
      case 'string':
        return [texts, kinds]
      case 'object':
        return this.#ofKinds(kinds, 'object', 'object')
      case 'array':
        return this.#ofKinds(kinds, 'nested', 'vector')
      case 'boolean':
        return this.#ofKinds(kinds, 'false', 'true')
    }
  }

  /** The ordinal of a kind; -1 when the column has none of it. */
  ordinalOfKind(kind: Kind): number {
    const at = this.kinds.indexOf(kind)
    return at < 0 ? -1 : (this.hasNull ? 1 : 0) + this.numbers.length + this.texts + at
  }

  /** The first ordinal of a value that is not below another one of its type, or, `isAfter`, above it. */
  ordinalFrom(bound: ScalarBound, isAfter: boolean): number {
    if (bound === null) return isAfter && this.hasNull ? 1 : 0
    if (typeof bound === 'number') return this.#numberFrom(bound, isAfter)
    if (typeof bound === 'boolean') {
      const own = this.ordinalOfKind(bound ? 'true' : 'false')
      if (own < 0) return this.ordinalsOf('boolean')[bound ? 1 : 0]
      return isAfter ? own + 1 : own
    }
    return this.#textFrom((text) => {
      const order = this.#slab.compare(bound, 0, bound.length, this.#startOf(text), this.#ends[text] as number)
      return order < 0 || (isAfter && order === 0)
    })
  }

  /** The first ordinal of a text above all that begin with some bytes. */
  textBehind(prefix: Buffer): number {
    const { length } = prefix
    return this.#textFrom((text) => {
      const start = this.#startOf(text)
      return this.#slab.compare(prefix, 0, length, start, Math.min(start + length, this.#ends[text] as number)) <= 0
    })
  }

  #numberFrom(bound: number, isAfter: boolean): number {
    const { numbers } = this
    const below = countBefore(numbers.length, (at) => {
      const value = numbers[at] as number
      return value < bound || (isAfter && value === bound)
    })
    return (this.hasNull ? 1 : 0) + below
  }

  #textFrom(isBefore: (text: number) => boolean): number {
    return (this.hasNull ? 1 : 0) + this.numbers.length + countBefore(this.texts, isBefore)
  }

  #startOf(text: number): number {
    return text === 0 ? 0 : (this.#ends[text - 1] as number)
  }

  #isCut(text: number): boolean {
    return (this.#ends[text] as number) - this.#startOf(text) >= CUT_BYTES
  }

  /** Kinds stand in the order of `KINDS`, so that those from one to another are neighbours. */
  #ofKinds(base: number, first: Kind, last: Kind): readonly [number, number] {
    const [from, to] = [KINDS.indexOf(first), KINDS.indexOf(last)]
    const before = this.kinds.filter((kind) => KINDS.indexOf(kind) < from).length
    const within = this.kinds.filter((kind) => KINDS.indexOf(kind) >= from && KINDS.indexOf(kind) <= to).length
    return [base + before, base + before + within]
  }
}

const CUT: DictionaryValue = { kind: 'cut' }

function valueOfKind(kind: Kind): DictionaryValue {
  if (kind === 'false') return false
  return kind === 'true' ? true : { kind }
}
