import { keepRoom, lendRoom, takeRoom } from './room.ts'

/** Values that JSON text can hold, as every room passes them around. Treated as immutable. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. Read fields with `ownField`, so that `constructor` and `__proto__` are never found by accident. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Tells whether a value is a JSON object, as opposed to an array, a scalar or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** Reads a field that the object itself has; inherited JavaScript properties are not fields. */
export function ownField(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Writes a field that may be called `__proto__` without touching the prototype. */
export function setOwnField(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

/** Tells whether two values are the same JSON: the fields of objects in any order, numbers by their value. */
export function equalJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (isJsonArray(one)) {
    return (
      isJsonArray(other) && one.length === other.length && one.every((item, index) => equalJson(item, other[index]))
    )
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equalJson(ownField(one, key), ownField(other, key)))
  )
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PLAIN = 0x20
const LAST_ASCII = 0x7f
/** So many bytes are copied faster one by one than by a call. */
const SHORT = 32

const NO_BYTES = Buffer.alloc(0)
const GROWTH = 1.5

/** Buffer for JSON: short pieces are copied one by one, which is faster here than joining texts and encoding them. */
export class JsonBytes {
  #bytes: Buffer = NO_BYTES
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Takes back what was written from a length on. */
  cutTo(length: number): void {
    this.#length = length
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** Bytes that are JSON already. */
  raw(bytes: Buffer): void {
    this.part(bytes, 0, bytes.length)
  }

  /** Those of the bytes that are between two places. */
  part(bytes: Buffer, from: number, to: number): void {
    this.#reserve(to - from)
    const room = this.#bytes
    const offset = this.#length - from
    if (to - from > SHORT) bytes.copy(room, this.#length, from, to)
    else for (let at = from; at < to; at++) room[offset + at] = bytes[at] as number
    this.#length += to - from
  }

  /** Text that is JSON already. */
  json(text: string): void {
    this.#reserve(text.length * 3)
    if (text.length > SHORT || !this.#writeAscii(text)) this.#length += this.#bytes.write(text, this.#length)
  }

  /** Writes a short text; false where it has letters that are more than one byte. */
  #writeAscii(text: string): boolean {
    const room = this.#bytes
    const offset = this.#length
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > LAST_ASCII) return false
      room[offset + at] = code
    }
    this.#length += text.length
    return true
  }

  /** A text in quotes, of its bytes, which are between two places. */
  quoted(text: Buffer, from: number, to: number): void {
    this.#reserve(to - from + 2)
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = QUOTE
    for (let index = from; index < to; index++) {
      const byte = text[index] as number
      if (byte === QUOTE || byte === BACKSLASH || byte < FIRST_PLAIN) {
        this.json(JSON.stringify(text.toString('utf8', from, to)))
        return
      }
      bytes[at++] = byte
    }
    bytes[at++] = QUOTE
    this.#length = at
  }

  /** All that was written, which is the end of it here; whoever has sent it gives its room back. */
  take(): Buffer {
    const taken = lendRoom(this.#bytes, this.#length)
    this.#bytes = NO_BYTES
    this.#length = 0
    return taken
  }

  #reserve(more: number): void {
    const wanted = this.#length + more
    if (wanted <= this.#bytes.length) return
    const larger = takeRoom(Math.max(wanted, GROWTH * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    keepRoom(this.#bytes)
    this.#bytes = larger
  }
}

/** Reads a text that is a JSON object, as the program wrote it; fails where it is none. */
export function parseDocument(text: string): JsonObject {
  const document = JSON.parse(text) as Json
  if (!isJsonObject(document)) throw new Error('The text is not a JSON object.')
  return document
}
