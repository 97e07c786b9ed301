import { DEFAULT_RECORD_LIMITS } from '../limits.ts'
import { BlankRun } from './blank.ts'
import type { ImportItem } from './import-item.ts'
import { Nesting } from './nesting.ts'
import { splitArray, splitLines, splitValues } from './split-items.ts'
import { utf8Pieces } from './utf8-pieces.ts'

const NEWLINE = 0x0a
const OPENING = 0x5b

/**
 * Takes the records out of a file of any length, one at a time: NDJSON, a JSON array, or objects written over several
 * lines. A record of more than `longest` bytes is passed over with a refusal. Throws when the file cannot be read on.
 */
export async function* readImportItems(
  chunks: AsyncIterable<Uint8Array>,
  longest: number = DEFAULT_RECORD_LIMITS.bytes,
): AsyncGenerator<ImportItem> {
  const pieces = utf8Pieces(chunks)
  const blank = new BlankRun()
  const layout = new Layout(longest)
  const head: Uint8Array[] = []
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      const piece = head.length === 0 ? blank.skip(next.value) : next.value
      if (piece.length > 0) head.push(piece)
      layout.read(piece)
      if (layout.isTold) break
    }
    yield* layout.splitter(continued(head, pieces), longest, blank)
  } finally {
    await pieces.return(undefined)
  }
}

/** How the records of a file are laid out; an array shows by its bracket, lines and longer values by how the first line ends. */
class Layout {
  isTold = false
  private readonly longest: number
  private readonly nesting = new Nesting()
  private isArray = false
  private length = 0

  constructor(longest: number) {
    this.longest = longest
  }

  /** Reads a piece of the text, which begins with what is no white space. */
  read(piece: Uint8Array): void {
    if (this.length === 0 && piece[0] === OPENING) this.isArray = true
    this.length += piece.length
    const end = piece.indexOf(NEWLINE)
    for (const byte of end < 0 ? piece : piece.subarray(0, end)) this.nesting.read(byte)
    this.isTold = this.isArray || end >= 0 || this.length > this.longest
  }

  get splitter(): typeof splitLines {
    if (this.isArray) return splitArray
    const { depth, inString } = this.nesting
    return depth > 0 && !inString ? splitValues : splitLines
  }
}

async function* continued(head: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head
  yield* rest
}
