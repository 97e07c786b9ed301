import type { AppError } from '../../kernel/errors.ts'
import { Nesting } from '../../kernel/json-nesting.ts'
import { invalidImport } from '../errors.ts'
import type { ImportItem } from './import-item.ts'

const NEWLINE = 0x0a

/** White space between two records, or before the first, that is still taken for layout. In bytes. */
const MOST_BLANK = 1024 * 1024

/** Counts white space that comes in pieces, and the lines in it; refuses what is too long to be layout. */
export class BlankRun {
  /** The line that has been reached. */
  line = 1
  #length = 0

  /** Passes over white space at the start of a piece; gives the rest, with which the run ends. */
  skip(piece: Uint8Array): Uint8Array {
    const end = blankBefore(piece)
    this.line += countLines(piece.subarray(0, end))
    this.#length = end < piece.length ? 0 : this.#length + end
    if (this.#length > MOST_BLANK) throw tooMuchBlank(this.line)
    return piece.subarray(end)
  }
}

function tooMuchBlank(line: number): AppError {
  return invalidImport(
    `There are more than ${MOST_BLANK} bytes of white space where a record is expected, at line ${line}.`,
    '',
    'Send the records without it.',
  )
}

/** Tells whether a byte of JSON text is white space (RFC 8259, 2). */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === NEWLINE || byte === 0x0d
}

/** Index of the first byte that is no white space; the length when there is none. */
function blankBefore(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length && isBlank(bytes[at])) at += 1
  return at
}

/** Start of the white space at the end. */
export function blankAfter(bytes: Uint8Array): number {
  let at = bytes.length
  while (at > 0 && isBlank(bytes[at - 1])) at -= 1
  return at
}

export function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}

/** Collects the bytes of one record of an import, piece by piece, and knows on which line it starts. What is not kept takes no memory. */
export class PendingItem {
  readonly #longest: number
  readonly #blank: BlankRun
  #start = 1
  #parts: Uint8Array[] = []
  #length = 0

  /** Goes on after white space that was passed over. */
  constructor(longest: number, blank: BlankRun) {
    this.#longest = longest
    this.#blank = blank
  }

  append(piece: Uint8Array): void {
    const kept = this.#length === 0 ? this.#blank.skip(piece) : piece
    if (kept.length === 0) return
    if (this.#length === 0) this.#start = this.#blank.line
    this.#blank.line += countLines(kept)
    this.#length += kept.length
    if (this.#length > this.#longest) this.#parts = []
    else this.#parts.push(kept)
  }

  /** Ends the record; null when there was nothing but white space. */
  take(): ImportItem | null {
    const line = this.#start
    const length = this.#length
    const parts = this.#parts
    this.drop()
    if (length === 0) return null
    if (length > this.#longest) {
      return { place: { line }, refusal: invalidImport(`The record is longer than ${this.#longest} bytes.`) }
    }
    // A copy: a piece of a larger buffer would keep all of it.
    const whole = Buffer.concat(parts, length)
    return { place: { line }, json: whole.subarray(0, blankAfter(whole)) }
  }

  drop(): void {
    this.#parts = []
    this.#length = 0
  }

  /** A record that cannot be taken out of the file, at the line that has been reached. */
  fault(message: string): ImportItem {
    this.drop()
    return { place: { line: this.#blank.line }, refusal: invalidImport(message) }
  }
}

type ByteStream = AsyncIterable<Uint8Array>

const OPENING = 0x5b
const CLOSING = 0x5d
const COMMA = 0x2c

/** Takes a text apart into one record a line; empty lines are none. */
export async function* splitLines(
  pieces: ByteStream,
  longest: number,
  blank = new BlankRun(),
): AsyncGenerator<ImportItem> {
  const pending = new PendingItem(longest, blank)
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      pending.append(piece.subarray(from, end + 1))
      from = end + 1
      const item = pending.take()
      if (item !== null) yield item
    }
    pending.append(piece.subarray(from))
  }
  const last = pending.take()
  if (last !== null) yield last
}

/** Takes a text apart into JSON values, each over as many lines as it likes. */
export async function* splitValues(
  pieces: ByteStream,
  longest: number,
  blank = new BlankRun(),
): AsyncGenerator<ImportItem> {
  const pending = new PendingItem(longest, blank)
  const nesting = new Nesting()
  for await (const piece of pieces) {
    let from = 0
    for (let index = 0; index < piece.length; index++) {
      const before = nesting.depth
      nesting.read(piece[index] as number)
      if (nesting.depth >= before || nesting.depth > 0) continue
      nesting.depth = 0
      pending.append(piece.subarray(from, index + 1))
      from = index + 1
      const item = pending.take()
      if (item !== null) yield item
    }
    pending.append(piece.subarray(from))
  }
  const last = pending.take()
  if (last !== null) yield last
}

/** Takes the elements out of a text that is one JSON array. */
export async function* splitArray(
  pieces: ByteStream,
  longest: number,
  blank = new BlankRun(),
): AsyncGenerator<ImportItem> {
  const pending = new PendingItem(longest, blank)
  const marks = new ArrayMarks()
  for await (const piece of pieces) {
    let from = 0
    for (let index = 0; index < piece.length; index++) {
      const mark = marks.read(piece[index] as number)
      if (mark === null) continue
      pending.append(piece.subarray(from, index))
      from = index + 1
      if (mark === 'open') pending.drop()
      else if (mark !== 'empty')
        yield pending.take() ?? pending.fault(`There is no record before this ${mark === 'comma' ? ',' : ']'}.`)
    }
    pending.append(piece.subarray(from))
  }
  if (!marks.closed) yield pending.fault('The array is never closed: the file may be cut off here.')
  else if (pending.take() !== null) yield pending.fault('Something follows the end of the array.')
}

/** Tells which bytes of the text of one array stand around its elements. */
class ArrayMarks {
  closed = false
  readonly #nesting = new Nesting()
  #hasElement = false

  /** `empty` is the end of an array without elements. */
  read(byte: number): 'open' | 'comma' | 'close' | 'empty' | null {
    if (this.closed) return null
    const nesting = this.#nesting
    nesting.read(byte)
    if (nesting.inString || nesting.depth > 1) {
      this.#hasElement = true
      return null
    }
    if (nesting.depth === 0 && byte === CLOSING) {
      this.closed = true
      return this.#hasElement ? 'close' : 'empty'
    }
    if (nesting.depth !== 1) return null
    if (byte === OPENING && !this.#hasElement) return 'open'
    if (!isBlank(byte)) this.#hasElement = true
    return byte === COMMA ? 'comma' : null
  }
}
