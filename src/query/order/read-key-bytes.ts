import { type Json, setOwnField } from '../../kernel/json.ts'
import type { SortKey } from '../ast/list-request.ts'
import { unitOfRank } from '../values/compare-text.ts'
import { END, invert, NUMBER_BYTES, TAG } from './key-bytes.ts'
import type { SortKeyValues, SortValue } from './sort-key-values.ts'

/** Reads what `KeyBytes` wrote for the same sort, up to the end of the key; a negative zero comes back as zero. */
export function readKeyBytes(bytes: Buffer, sort: readonly SortKey[]): SortKeyValues {
  const ascending = new KeyReader(Buffer.from(bytes))
  return sort.map(({ direction }) => ascending.next(direction === -1))
}

class KeyReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** The value that comes next. Where a value ends is known only when it is the right way around. */
  next(inverted: boolean): SortValue {
    if (inverted) invert(this.#bytes.subarray(this.#at))
    const tag = this.#byte()
    const value = tag === TAG.nothing ? undefined : this.#content(tag)
    if (inverted) invert(this.#bytes.subarray(this.#at))
    return value
  }

  #content(tag: number): Json {
    switch (tag) {
      case TAG.null:
        return null
      case TAG.number:
        return this.#number()
      case TAG.string:
        return this.#text()
      case TAG.bool:
        return this.#byte() === 2
      case TAG.array:
        return this.#array()
      case TAG.object:
        return this.#object()
      default:
        throw new Error(`A key of an index begins with ${tag}, which no value does.`)
    }
  }

  #number(): number {
    const bits = Buffer.from(this.#bytes.subarray(this.#at, this.#at + NUMBER_BYTES))
    this.#at += NUMBER_BYTES
    const first = bits[0] as number
    if (first < 0x80) invert(bits)
    else bits[0] = first ^ 0x80
    return bits.readDoubleBE()
  }

  #text(): string {
    const units: number[] = []
    for (let byte = this.#byte(); byte !== END; byte = this.#byte()) units.push(unitOfRank(this.#code(byte) - 1))
    return String.fromCharCode(...units)
  }

  #code(first: number): number {
    if (first < 0x80) return first
    if (first < 0xe0) return ((first & 0x1f) << 6) | (this.#byte() & 0x3f)
    return ((first & 0x1f) << 12) | ((this.#byte() & 0x3f) << 6) | (this.#byte() & 0x3f)
  }

  #array(): Json {
    const elements: Json[] = []
    for (let tag = this.#byte(); tag !== END; tag = this.#byte()) elements.push(this.#content(tag))
    return elements
  }

  #object(): Json {
    const object: Record<string, Json> = {}
    for (let tag = this.#byte(); tag !== END; tag = this.#byte()) setOwnField(object, this.#text(), this.#content(tag))
    return object
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new Error('A key of an index ends in the middle of a value.')
    this.#at += 1
    return byte
  }
}
