import { isMainThread } from 'node:worker_threads'

const PIECE_BYTES = 256 * 1024

/** Bytes of any length in shared memory: they go to threads uncopied, and what takes time in proportion is done there (`wholeBytes`). */
export class LongBytes {
  readonly pieces: readonly Uint8Array<SharedArrayBuffer>[]
  readonly length: number

  constructor(pieces: readonly Uint8Array<SharedArrayBuffer>[], length: number) {
    this.pieces = pieces
    this.length = length
  }
}

/** Bytes that a client sent: long ones are for threads alone. */
export type ClientBytes = Uint8Array | LongBytes

/** Tells bytes from what has been made of them. */
export function isClientBytes(given: object): given is ClientBytes {
  return given instanceof Uint8Array || given instanceof LongBytes
}

/** Gathers bytes that come in parts, with as much memory as they have bytes, however short the parts are. */
export class LongBytesWriter {
  readonly #pieces: Uint8Array<SharedArrayBuffer>[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  get written(): LongBytes {
    return new LongBytes(
      this.#pieces.map((piece, index) => piece.subarray(0, this.#length - index * PIECE_BYTES)),
      this.#length,
    )
  }

  add(part: Uint8Array): void {
    for (let from = 0; from < part.length; ) {
      const at = this.#length % PIECE_BYTES
      if (at === 0) this.#pieces.push(new Uint8Array(new SharedArrayBuffer(PIECE_BYTES)))
      const taken = part.subarray(from, from + PIECE_BYTES - at)
      this.#pieces.at(-1)?.set(taken, at)
      from += taken.length
      this.#length += taken.length
    }
  }
}

/** Puts bytes together in memory of their own, as decoders and parsers want them. For threads: it takes time in proportion to them. */
export function wholeBytes(bytes: ClientBytes): Uint8Array<ArrayBuffer> {
  if (bytes instanceof Uint8Array) return isShared(bytes) ? new Uint8Array(bytes) : (bytes as Uint8Array<ArrayBuffer>)
  if (isMainThread) throw new Error('long bytes are put together by another thread than that of requests')
  const whole = new Uint8Array(bytes.length)
  let at = 0
  for (const piece of bytes.pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Byte strings one after the other in one piece of shared memory, so that it takes no time to hand them on, however long they are. */
export interface PackedBytes {
  /** End of each in `content`. */
  readonly ends: Float64Array
  readonly content: Uint8Array<SharedArrayBuffer>
}

/** Packs byte strings. For threads: it copies them. */
export function packBytes(parts: readonly Uint8Array[]): PackedBytes {
  const content = new Uint8Array(new SharedArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)))
  const ends = new Float64Array(parts.length)
  let at = 0
  for (const [index, part] of parts.entries()) {
    content.set(part, at)
    at += part.length
    ends[index] = at
  }
  return { ends, content }
}

export function* unpackedBytes({ ends, content }: PackedBytes): Generator<Uint8Array> {
  let start = 0
  for (const end of ends) {
    yield content.subarray(start, end)
    start = end
  }
}

/** Tells whether bytes go to another thread as they are: those of shared memory do. */
export function isShared(bytes: Uint8Array): boolean {
  return bytes.buffer instanceof SharedArrayBuffer
}

/** Whole numbers of 16 bits as text: base64 without padding where three of them make eight characters; the low byte of each first. */
export function vectorText(numbers: Uint16Array): string {
  const bytes = Buffer.alloc(2 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt16LE(number, 2 * index)
  return bytes.toString('base64')
}

/** Characters of the text of so many numbers, a multiple of three. */
export function vectorTextLength(count: number): number {
  return (count / 3) * 8
}

/** Base64 values of characters; 255 for all others. */
const SEXTETS = new Uint8Array(256).fill(255)
for (const [value, character] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  SEXTETS[character] = value
}

/** Reads the characters of so many numbers, a multiple of three, into a list from a place on; false where they are none. */
export function readVectorText(text: Uint8Array, out: Uint16Array, from: number, count: number): boolean {
  if (text.length !== vectorTextLength(count)) return false
  let wrong = 0
  for (let at = 0, number = from; at < text.length; at += 8, number += 3) {
    const high = sextets(text, at)
    const low = sextets(text, at + 4)
    wrong |= high | low
    // Six bytes, each two a number with its low byte first.
    out[number] = ((high >>> 16) & 0xff) | (high & 0xff00)
    out[number + 1] = (high & 0xff) | ((low >>> 8) & 0xff00)
    out[number + 2] = ((low >>> 8) & 0xff) | ((low & 0xff) << 8)
  }
  return wrong >= 0
}

/** Three bytes of four characters; negative where one is none of base64. */
function sextets(text: Uint8Array, at: number): number {
  const [a, b] = [SEXTETS[text[at] as number] as number, SEXTETS[text[at + 1] as number] as number]
  const [c, d] = [SEXTETS[text[at + 2] as number] as number, SEXTETS[text[at + 3] as number] as number]
  return (a | b | c | d) > 63 ? -1 : (a << 18) | (b << 12) | (c << 6) | d
}

/** Counts the bytes at the end that begin a character of several bytes (RFC 3629, 3). */
export function unfinishedCharacter(bytes: Uint8Array): number {
  for (let length = 1; length <= 3 && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length] as number
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return whole > length ? length : 0
  }
  return 0
}
