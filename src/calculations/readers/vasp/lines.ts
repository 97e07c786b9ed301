import { LineEnds } from '../../../structure/formats/common/text-pieces.ts'

/** Characters of a line; what is behind them is passed over. */
const LONGEST_LINE = 64 * 1024

/** Hands lines of text that comes in pieces to a reader, without their ends, counted from 1. */
export class TextLines {
  readonly #ends = new LineEnds()
  readonly #take: (line: string, number: number) => void
  #begun = ''
  #number = 0
  #cut = 0

  constructor(take: (line: string, number: number) => void) {
    this.#take = take
  }

  /** Number of lines that were longer than any that is read, of which the end is missing. */
  get cut(): number {
    return this.#cut
  }

  write(piece: string): void {
    this.#split(this.#ends.read(piece))
  }

  end(): void {
    this.#split(this.#ends.read('', true))
    if (this.#begun !== '') this.#hand('')
  }

  #split(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#hand(text.slice(from, end))
      from = end + 1
    }
    this.#hold(text.slice(from))
  }

  #hand(end: string): void {
    this.#hold(end)
    const line = this.#begun
    this.#begun = ''
    this.#number++
    if (line.length > LONGEST_LINE) this.#cut++
    this.#take(line.slice(0, LONGEST_LINE), this.#number)
  }

  /** Keeps one character more than is read, which tells that there were more. */
  #hold(text: string): void {
    if (this.#begun.length <= LONGEST_LINE) this.#begun += text.slice(0, LONGEST_LINE + 1 - this.#begun.length)
  }
}

/** Hands the lines of a text that is there in pieces to a reader. */
export function readPieces(pieces: Iterable<string>, take: (line: string, number: number) => void): void {
  const lines = new TextLines(take)
  for (const piece of pieces) lines.write(piece)
  lines.end()
}
