import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { unfinishedCharacter } from '../../../kernel/bytes.ts'

const NEWLINE = 0x0a
/** A longer line is cut between characters, so that what is kept of a text without line ends stays small. In bytes. */
const LONGEST_LINE = 1024 * 1024

/** Decodes text that comes in pieces of bytes: UTF-16 with a mark, else line by line UTF-8, or Latin-1, in which older files write names, where it is none. */
export class TextDecoding {
  #begun: Uint8Array = new Uint8Array()
  #isStart = true
  #utf16: TextDecoder | null = null

  /** Gives what is known of the text by now; with `isEnd` the rest of it. */
  read(bytes: Uint8Array, isEnd = false): string {
    const given = this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes])
    if (this.#isStart && given.length < 3 && !isEnd) {
      this.#begun = given
      return ''
    }
    const known = this.#isStart ? this.#begin(given) : given
    if (this.#utf16 !== null) {
      this.#begun = new Uint8Array()
      return this.#utf16.decode(known, { stream: !isEnd })
    }
    const end = isEnd ? known.length : endOfLines(known)
    this.#begun = known.subarray(end)
    return decodeLines(known.subarray(0, end))
  }

  /** Passes over the mark at the start of a text. */
  #begin(bytes: Uint8Array): Uint8Array {
    this.#isStart = false
    if (bytes[0] === 0xff && bytes[1] === 0xfe) this.#utf16 = new TextDecoder('utf-16le')
    else if (bytes[0] === 0xfe && bytes[1] === 0xff) this.#utf16 = new TextDecoder('utf-16be')
    else if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3)
    return bytes
  }
}

function endOfLines(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(NEWLINE) + 1
  if (end > 0 || bytes.length < LONGEST_LINE) return end
  return bytes.length - unfinishedCharacter(bytes)
}

function decodeLines(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  const lines: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from) + 1
    const line = bytes.subarray(from, end === 0 ? bytes.length : end)
    lines.push(new TextDecoder(isUtf8(line) ? 'utf-8' : 'latin1').decode(line))
    from += line.length
  }
  return lines.join('')
}

/** Decodes the bytes of a text file. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoding().read(bytes, true)
}

/** Bytes that are decoded at a time. */
const PIECE = 1024 * 1024

/** Decodes the bytes of a text file piece by piece. For threads: it takes time in proportion to them. */
export function* decodedPieces(bytes: Uint8Array): Generator<string> {
  const decoding = new TextDecoding()
  // A copy: decoders do not take shared memory.
  for (let from = 0; from < bytes.length; from += PIECE)
    yield decoding.read(new Uint8Array(bytes.subarray(from, from + PIECE)))
  yield decoding.read(new Uint8Array(), true)
}

/** Makes the ends of lines `\n` in text that comes in pieces, also those that were translated twice on their way. */
export class LineEnds {
  #held = ''

  /** Gives the text with its lines ended; what may be a part of an end waits for what follows. */
  read(piece: string, isEnd = false): string {
    const text = this.#held + piece
    const held = isEnd ? 0 : (/\r+$/.exec(text.slice(-8))?.[0].length ?? 0)
    this.#held = text.slice(text.length - held)
    const whole = held === 0 ? text : text.slice(0, -held)
    return whole.includes('\r') ? whole.replace(/\r+\n|\r/g, '\n') : whole
  }
}
