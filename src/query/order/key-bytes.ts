import { isJsonArray, isJsonObject, type Json, setOwnField } from '../../kernel/json.ts'
import type { SortKey } from '../ast/list-request.ts'
import { unitOfRank, utf8Rank } from '../values/compare-bson.ts'
import type { SortKeyValues, SortValue } from './sort-key.ts'

/** First byte of a value, in the order of BSON types; an empty array that has no element to sort by is before all. */
export const TAG = { nothing: 1, null: 2, number: 3, string: 4, object: 5, array: 6, bool: 7 } as const
/** Ends texts, objects and arrays: less than anything that could go on in its place. */
export const END = 0
/** Numbers take eight bytes. */
export const NUMBER_BYTES = 8

/** Writes sort keys as bytes whose plain order is that of `compareSortKeys`; none is the beginning of another. MongoDB's KeyString. */
export class KeyBytes {
  /** A key that takes more bytes is not written. */
  readonly longest: number
  readonly #bytes: Buffer
  #length = 0

  constructor(longest: number) {
    this.longest = longest
    this.#bytes = Buffer.alloc(longest)
  }

  /** The bytes of a key, valid until the next one is written; null when they are too many. */
  write(key: SortKeyValues, sort: readonly SortKey[]): Buffer | null {
    this.#length = 0
    for (let at = 0; at < sort.length; at += 1) {
      const start = this.#length
      this.#sortValue(key[at])
      if (this.#length > this.longest) return null
      if (sort[at]?.direction === -1) invert(this.#bytes.subarray(start, this.#length))
    }
    return this.#bytes.subarray(0, this.#length)
  }

  #sortValue(value: SortValue): void {
    if (value === undefined) this.#byte(TAG.nothing)
    else this.#value(value)
  }

  /** Every level of nesting takes a byte, so that the longest key bounds the depth too. */
  #value(value: Json): void {
    if (this.#length > this.longest) return
    this.#byte(tagOf(value))
    this.#content(value)
  }

  #content(value: Json): void {
    if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'string') this.#text(value)
    else if (typeof value === 'boolean') this.#byte(value ? 2 : 1)
    else if (value !== null) this.#container(value)
  }

  /** Fields have the type before the name, and the name before the value. */
  #container(value: Extract<Json, object>): void {
    if (isJsonArray(value)) for (const element of value) this.#value(element)
    else if (isJsonObject(value)) {
      for (const [name, field] of Object.entries(value)) {
        if (this.#length > this.longest) return
        this.#byte(tagOf(field))
        this.#text(name)
        this.#content(field)
      }
    }
    this.#byte(END)
  }

  /** The bits of a double order positive numbers; negative ones are inverted, and the sign bit says which comes first. */
  #number(value: number): void {
    if (this.#length + NUMBER_BYTES > this.longest) {
      this.#length = this.longest + 1
      return
    }
    const start = this.#length
    this.#length += NUMBER_BYTES
    if (Number.isNaN(value)) {
      this.#bytes.fill(0, start, this.#length)
      return
    }
    this.#bytes.writeDoubleBE(value === 0 ? 0 : value, start)
    if (value < 0) invert(this.#bytes.subarray(start, this.#length))
    else this.#bytes[start] = (this.#bytes[start] as number) ^ 0x80
  }

  /** Each UTF-16 unit by its rank in the order of texts, from 1, in the pattern of UTF-8: no byte is the end. */
  #text(text: string): void {
    for (let at = 0; at < text.length && this.#length <= this.longest; at += 1) {
      const code = utf8Rank(text.charCodeAt(at)) + 1
      if (code < 0x80) this.#byte(code)
      else if (code < 0x800) {
        this.#byte(0xc0 | (code >> 6))
        this.#byte(0x80 | (code & 0x3f))
      } else {
        this.#byte(0xe0 | (code >> 12))
        this.#byte(0x80 | ((code >> 6) & 0x3f))
        this.#byte(0x80 | (code & 0x3f))
      }
    }
    this.#byte(END)
  }

  /** Bytes beyond the end are lost; the length tells. */
  #byte(byte: number): void {
    this.#bytes[this.#length] = byte
    this.#length += 1
  }
}

function tagOf(value: Json): number {
  if (value === null) return TAG.null
  if (typeof value === 'number') return TAG.number
  if (typeof value === 'string') return TAG.string
  if (typeof value === 'boolean') return TAG.bool
  return isJsonArray(value) ? TAG.array : TAG.object
}

export function invert(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (bytes[at] as number) ^ 0xff
}

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
