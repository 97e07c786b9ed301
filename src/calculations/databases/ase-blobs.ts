import { isJsonArray, isJsonObject, type Json, ownField, setOwnField } from '../../kernel/json.ts'
import { parsePythonJson } from '../readers/shallow-json.ts'

/** A type of numbers in arrays of numpy, in little-endian order. */
interface NumberType {
  readonly bytes: number
  readonly read: (blob: Buffer, at: number) => number
}

const FLOAT64: NumberType = { bytes: 8, read: (blob, at) => blob.readDoubleLE(at) }
const INT32: NumberType = { bytes: 4, read: (blob, at) => blob.readInt32LE(at) }

const TYPES: ReadonlyMap<string, NumberType> = new Map([
  ['float64', FLOAT64],
  ['float32', { bytes: 4, read: (blob, at) => blob.readFloatLE(at) }],
  ['int64', { bytes: 8, read: (blob, at) => Number(blob.readBigInt64LE(at)) }],
  ['uint64', { bytes: 8, read: (blob, at) => Number(blob.readBigUInt64LE(at)) }],
  ['int32', INT32],
  ['uint32', { bytes: 4, read: (blob, at) => blob.readUInt32LE(at) }],
  ['int16', { bytes: 2, read: (blob, at) => blob.readInt16LE(at) }],
  ['uint16', { bytes: 2, read: (blob, at) => blob.readUInt16LE(at) }],
  ['int8', { bytes: 1, read: (blob, at) => blob.readInt8(at) }],
  ['uint8', { bytes: 1, read: (blob, at) => blob.readUInt8(at) }],
  ['bool', { bytes: 1, read: (blob, at) => blob.readUInt8(at) }],
])

/** The numbers of a column of reals. */
export function floatsOf(blob: Buffer): readonly number[] {
  return numbersOf(blob, FLOAT64)
}

/** The numbers of a column of whole numbers. */
export function integersOf(blob: Buffer): readonly number[] {
  return numbersOf(blob, INT32)
}

function numbersOf(blob: Buffer, { bytes, read }: NumberType): readonly number[] {
  return Array.from({ length: Math.floor(blob.length / bytes) }, (_, index) => read(blob, index * bytes))
}

/** Rows of a length. */
export function rowsOf(numbers: readonly number[], width: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(numbers.length / width) }, (_, row) =>
    numbers.slice(row * width, (row + 1) * width),
  )
}

/** Levels within each other, and numbers in all arrays together, that are read. */
const MOST_LEVELS = 30
const MOST_NUMBERS = 100_000

/** Reads what a row holds beside, in the form of version 9: where its JSON begins, its arrays, and the JSON, in which they are named by type and place. Undefined where it is no such thing. */
export function dataOfBlob(blob: Buffer): Json | undefined {
  if (blob.length < 8) return undefined
  const start = Number(blob.readBigInt64LE(0))
  if (!(start >= 8 && start <= blob.length)) return undefined
  const json = parsePythonJson(blob.toString('utf8', start))
  return json === undefined ? undefined : new Arrays(blob.subarray(0, start)).fill(json, 0)
}

/** Arrays of numpy in a blob. */
class Arrays {
  readonly #blob: Buffer
  #room = MOST_NUMBERS

  constructor(blob: Buffer) {
    this.#blob = blob
  }

  /** The value with its arrays. */
  fill(value: Json, level: number): Json {
    if (typeof value !== 'object' || value === null) return value
    if (level >= MOST_LEVELS) return '(more levels)'
    if (isJsonArray(value)) return value.map((item) => this.fill(item, level + 1))
    if (!isJsonObject(value)) return null
    const array = ownField(value, '__ndarray__')
    if (array !== undefined) return this.#array(array)
    const fields: Record<string, Json> = {}
    for (const [name, inner] of Object.entries(value)) setOwnField(fields, name, this.fill(inner, level + 1))
    return fields
  }

  #array(array: Json): Json {
    const [shape, name, start] = isJsonArray(array) ? array : []
    const lengths = isJsonArray(shape) ? shape : []
    const type = TYPES.get(typeof name === 'string' ? name : '')
    const count = lengths.reduce<number>((product, length) => product * (isCount(length) ? length : Number.NaN), 1)
    const isThere =
      type !== undefined && isCount(start) && count >= 0 && start + count * type.bytes <= this.#blob.length
    if (!isThere || count > this.#room) return `(array of ${String(name)}, ${lengths.join(' × ')})`
    this.#room -= count
    const numbers = Array.from({ length: count }, (_, index) => type.read(this.#blob, start + index * type.bytes))
    const width = lengths.at(-1)
    return lengths.length === 2 && isCount(width) && width > 0 ? rowsOf(numbers, width) : numbers
  }
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
