import type { Json, JsonBytes } from './json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

const NULL = Buffer.from('null')
/** Names that differ mostly differ in it, too. */
const HASH_FACTOR = 31
/** Such a number needs no memory of its own. */
const MOST_HASH = 0x3ffffff

interface FieldName {
  readonly bytes: Buffer
  /** Where the places of the field stand among those of an object. */
  readonly slot: number
}

/** The name of a field, and of one within it. */
export type NestedName = readonly [name: string, inner?: string | undefined]

/** The fields that somebody wants of JSON objects, and of objects in them. */
export class FieldNames {
  readonly #slots = new Map<string, number>()
  readonly #byHash = new Map<number, FieldName[]>()

  constructor(names: Iterable<string>) {
    for (const name of new Set(names)) {
      const bytes = Buffer.from(name)
      const slot = 2 * this.#slots.size
      const hash = hashOf(bytes, 0, bytes.length)
      this.#slots.set(name, slot)
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), { bytes, slot }])
    }
  }

  get size(): number {
    return this.#slots.size
  }

  slotOf(name: string): number | undefined {
    return this.#slots.get(name)
  }

  /** The slot of the name that stands between two places; undefined for a field that nobody wants. */
  slotAt(text: Buffer, from: number, to: number): number | undefined {
    const named = this.#byHash.get(hashOf(text, from, to))
    if (named !== undefined) for (const { bytes, slot } of named) if (isAt(bytes, text, from, to)) return slot
    return undefined
  }
}

function hashOf(text: Buffer, from: number, to: number): number {
  let hash = 0
  for (let at = from; at < to; at++) hash = (hash * HASH_FACTOR + (text[at] as number)) & MOST_HASH
  return hash
}

function isAt(bytes: Buffer, text: Buffer, from: number, to: number): boolean {
  if (bytes.length !== to - from) return false
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== text[from + at]) return false
  return true
}

/** A JSON object as the text that the program wrote, without a space between its parts. Fields are copied as they are, and parsed where their values are asked for. */
export class JsonFields {
  readonly #text: Buffer
  readonly #names: FieldNames
  /** Where the values begin and end; 0 where there is none. */
  readonly #places: number[]
  /** What has been parsed, by the slots of the names. */
  readonly #values: (Json | undefined)[] = []
  /** Those of the values whose own fields were asked for. */
  readonly #objects: JsonFields[] = []
  /** Behind the object. */
  readonly end: number

  constructor(text: Buffer, names: FieldNames, from = 0) {
    this.#text = text
    this.#names = names
    this.#places = new Array<number>(2 * names.size).fill(0)
    this.end = this.#find(from)
  }

  /** The value of one of the names; undefined where there is none. */
  value(name: string): Json | undefined {
    const slot = this.#slotOf(name)
    const [from = 0, to = 0] = [this.#places[slot], this.#places[slot + 1]]
    if (to !== 0) this.#values[slot] ??= JSON.parse(this.#text.toString('utf8', from, to)) as Json
    return this.#values[slot]
  }

  /** Writes the value at a path as it stands; null where there is none. */
  copy([name, inner]: NestedName, out: JsonBytes): void {
    const slot = this.#slotOf(name)
    const [from = 0, to = 0] = [this.#places[slot], this.#places[slot + 1]]
    if (inner === undefined && to !== 0) out.part(this.#text, from, to)
    else if (this.#text[from] !== OPENING_BRACE || inner === undefined || to === 0) out.raw(NULL)
    else this.#objectAt(slot, from).copy([inner], out)
  }

  #objectAt(slot: number, from: number): JsonFields {
    this.#objects[slot] ??= new JsonFields(this.#text, this.#names, from)
    return this.#objects[slot]
  }

  #slotOf(name: string): number {
    const slot = this.#names.slotOf(name)
    if (slot === undefined) throw new Error(`The field ${name} was not looked for.`)
    return slot
  }

  /** Notes where fields are, and gives the end of the object. */
  #find(from: number): number {
    const text = this.#text
    let at = from + 1
    while (text[at] === QUOTE) {
      const name = at + 1
      at = endOfText(text, at)
      const slot = this.#names.slotAt(text, name, at)
      const value = at + 2
      at = endOfValue(text, value)
      if (slot !== undefined) {
        this.#places[slot] = value
        this.#places[slot + 1] = at
      }
      if (text[at] === COMMA) at += 1
    }
    if (text[at] !== CLOSING_BRACE) throw new Error('The text is not a JSON object.')
    return at + 1
  }
}

const ZERO = 0x30
const NINE = 0x39
/** By which an opening bracket is a brace, and a closing one too. */
const AS_BRACE = 0x20

/** The place behind a value: of a comma, or the bracket that closes what the value is in. Most bytes are digits. */
function endOfValue(text: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const byte = text[at] as number
    if (byte >= ZERO && byte <= NINE) continue
    if (byte === QUOTE) at = endOfText(text, at)
    else if (byte === COMMA) {
      if (depth === 0) return at
    } else if ((byte | AS_BRACE) === OPENING_BRACE) depth += 1
    else if ((byte | AS_BRACE) === CLOSING_BRACE) {
      if (depth === 0) return at
      depth -= 1
    }
  }
  throw new Error('The text ends within a value.')
}

/** The place of the quote that ends a text, which begins with one. */
function endOfText(text: Buffer, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const byte = text[at] as number
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at += 1
  }
  throw new Error('The text ends within a text.')
}

/** The objects of a JSON array that the program wrote, each found when it is asked for. */
export function* objectsIn(array: Buffer, names: FieldNames): Generator<JsonFields> {
  for (let at = 1; array[at] === OPENING_BRACE; ) {
    const fields = new JsonFields(array, names, at)
    yield fields
    at = fields.end + 1
  }
}
