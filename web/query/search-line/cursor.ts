import type { Fault } from '../relaxed-json.ts'
import type { Token } from './tokens.ts'

/** What the line says that cannot be meant. */
export class Unreadable extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** A place among the tokens of a line. */
export class Cursor {
  readonly text: string
  readonly #tokens: readonly Token[]
  at = 0

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text
    this.#tokens = tokens
  }

  get next(): Token | undefined {
    return this.#tokens[this.at]
  }

  peek(further: number): Token | undefined {
    return this.#tokens[this.at + further]
  }

  /** So many words that follow each other, with a space between each two; null where there are fewer. */
  words(count: number, further = 0): string | null {
    const words = Array.from({ length: count }, (_, index) => this.peek(further + index))
    return words.every((token) => token?.kind === 'word') ? words.map((token) => token?.text).join(' ') : null
  }

  /** Whether the next word is this one, or one of these, in any letter case. */
  isWord(...words: readonly string[]): boolean {
    return this.next?.kind === 'word' && words.includes(this.next.text.toLowerCase())
  }

  /** Goes over some words where they are next, in any letter case. */
  take(words: string): boolean {
    const count = words.split(' ').length
    if (this.words(count)?.toLowerCase() !== words) return false
    this.at += count
    return true
  }

  /** The text from a token to what has been read. */
  since(start: number): string {
    return this.text.slice(this.#tokens[start]?.from, this.#tokens[this.at - 1]?.to)
  }

  refused(message: string, token: Token | undefined = this.next): Unreadable {
    const end = this.text.trimEnd().length
    return new Unreadable({ message, from: token?.from ?? end, to: token?.to ?? end })
  }
}
