import type { AppError } from '../../kernel/errors.ts'
import { invalidImport } from './invalid-import.ts'

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

/** Where the first byte is that is no white space; the length when there is none. */
function blankBefore(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length && isBlank(bytes[at])) at += 1
  return at
}

/** Where the white space at the end begins. */
export function blankAfter(bytes: Uint8Array): number {
  let at = bytes.length
  while (at > 0 && isBlank(bytes[at - 1])) at -= 1
  return at
}

/** How many lines end within the bytes. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}
