import { isUtf8 } from 'node:buffer'
import { unfinishedCharacter } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import { Nesting } from '../../kernel/json-nesting.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { DEFAULT_RECORD_LIMITS } from '../record-kind.ts'
import type { ImportItem } from './import-item.ts'
import { BlankRun, splitArray, splitLines, splitValues } from './split-items.ts'

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Passes the bytes of a text on, cut between characters and without a byte-order mark; refuses what is not UTF-8. */
export async function* utf8Pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array = new Uint8Array()
  let passed = 0
  let isStart = true
  for await (const chunk of chunks) {
    const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
    const end = bytes.length - unfinishedCharacter(bytes)
    begun = bytes.subarray(end)
    if (end === 0) continue
    const whole = bytes.subarray(0, end)
    if (!isUtf8(whole)) throw notUtf8(passed)
    passed += end
    yield isStart && MARK.equals(whole.subarray(0, MARK.length)) ? whole.subarray(MARK.length) : whole
    isStart = false
  }
  if (begun.length > 0) throw notUtf8(passed)
}

function notUtf8(passed: number): AppError {
  const message = `The file is not text in UTF-8: the first fault comes after byte ${passed}.`
  return new AppError(RECORD_ERRORS.invalidImport, message, { hint: 'Convert the file to UTF-8.' })
}

const NEWLINE = 0x0a
const OPENING = 0x5b

/** Takes records out of NDJSON, a JSON array or objects over several lines; one of more than `longest` bytes is passed over and refused. */
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

/** Detects the layout of the records of a file: an array by its bracket, lines and longer values by how the first line ends. */
class Layout {
  isTold = false
  readonly #longest: number
  readonly #nesting = new Nesting()
  #isArray = false
  #length = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  /** Reads a piece of the text, which begins with what is no white space. */
  read(piece: Uint8Array): void {
    if (this.#length === 0 && piece[0] === OPENING) this.#isArray = true
    this.#length += piece.length
    const end = piece.indexOf(NEWLINE)
    for (const byte of end < 0 ? piece : piece.subarray(0, end)) this.#nesting.read(byte)
    this.isTold = this.#isArray || end >= 0 || this.#length > this.#longest
  }

  get splitter(): typeof splitLines {
    if (this.#isArray) return splitArray
    const { depth, inString } = this.#nesting
    return depth > 0 && !inString ? splitValues : splitLines
  }
}

async function* continued(head: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head
  yield* rest
}
