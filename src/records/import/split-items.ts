import { BlankRun, isBlank } from './blank.ts'
import type { ImportItem } from './import-item.ts'
import { Nesting } from './nesting.ts'
import { PendingItem } from './pending-item.ts'

type Pieces = AsyncIterable<Uint8Array>

const NEWLINE = 0x0a
const OPENING = 0x5b
const CLOSING = 0x5d
const COMMA = 0x2c

/** Takes a text apart into one record a line; empty lines are none. */
export async function* splitLines(pieces: Pieces, longest: number, blank = new BlankRun()): AsyncGenerator<ImportItem> {
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
  pieces: Pieces,
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
export async function* splitArray(pieces: Pieces, longest: number, blank = new BlankRun()): AsyncGenerator<ImportItem> {
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
  private readonly nesting = new Nesting()
  private hasElement = false

  /** `empty` is the end of an array without elements. */
  read(byte: number): 'open' | 'comma' | 'close' | 'empty' | null {
    if (this.closed) return null
    const { nesting } = this
    nesting.read(byte)
    if (nesting.inString || nesting.depth > 1) {
      this.hasElement = true
      return null
    }
    if (nesting.depth === 0 && byte === CLOSING) {
      this.closed = true
      return this.hasElement ? 'close' : 'empty'
    }
    if (nesting.depth !== 1) return null
    if (byte === OPENING && !this.hasElement) return 'open'
    if (!isBlank(byte)) this.hasElement = true
    return byte === COMMA ? 'comma' : null
  }
}
