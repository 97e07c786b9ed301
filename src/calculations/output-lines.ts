import { LineEnds } from '../structure/formats/common/text-pieces.ts'

/** Characters of a line that are read; what is longer is no line of an output. */
const LONGEST_LINE = 64 * 1024

/** Takes a line by its number, counted from 1; `isEnded` is false for one at the end of a text that may have been cut within it. */
type TakeLine = (line: string, number: number, isEnded: boolean) => void

/** Takes a text that comes in pieces apart into lines; of a line that never ends it keeps the beginning. */
export class OutputLines {
  /** Number of the lines that were too long to be read as a whole. */
  cut = 0
  readonly #take: TakeLine
  readonly #ends = new LineEnds()
  #begun = ''
  #isCut = false
  #isStart = true
  #number = 0

  constructor(take: TakeLine) {
    this.#take = take
  }

  write(text: string): void {
    this.#read(this.#ends.read(text))
  }

  end(): void {
    this.#read(this.#ends.read('', true))
    if (this.#begun !== '') this.#give(this.#begun, false)
    this.#begun = ''
  }

  #read(text: string): void {
    let from = this.#isStart && text.startsWith('\ufeff') ? 1 : 0
    if (text !== '') this.#isStart = false
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
      this.#gather(text.slice(from, end))
      this.#give(this.#begun, true)
      this.#begun = ''
      from = end + 1
    }
    if (from < text.length) this.#gather(text.slice(from))
  }

  #gather(part: string): void {
    const room = LONGEST_LINE - this.#begun.length
    if (part.length > room) this.#isCut = true
    this.#begun += part.slice(0, room)
  }

  #give(line: string, isEnded: boolean): void {
    this.#number += 1
    if (this.#isCut) this.cut += 1
    this.#isCut = false
    this.#take(line, this.#number, isEnded)
  }
}

/** Hands the lines of a text that is there in pieces to a reader. */
export function readPieces(pieces: Iterable<string>, take: TakeLine): void {
  const lines = new OutputLines(take)
  for (const piece of pieces) lines.write(piece)
  lines.end()
}
