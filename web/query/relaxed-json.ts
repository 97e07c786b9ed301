import { isClosed, stringIn, type Token, tokensOf } from './json-tokens.ts'

/** What is wrong with a text, and where. */
export interface Fault {
  readonly message: string
  readonly from: number
  readonly to: number
}

/** The JSON that a text stands for. */
export type Relaxed = { readonly json: string } | { readonly fault: Fault }

const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
/** As deep as the server reads; deeper ones would be too much for the reader here, too. */
const MOST_LEVELS = 256

/**
 * Reads JSON as people type it: `{formula: 'Si'}`, `{name: /^si/i}`, a comma at the end. Numbers are handed on digit by digit.
 */
export function readRelaxed(text: string): Relaxed {
  try {
    return { json: new Reader(text).all() }
  } catch (error) {
    if (error instanceof Unreadable) return { fault: error.fault }
    throw error
  }
}

class Unreadable extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

class Reader {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokensOf(text)
  }

  all(): string {
    const json = this.#value(0)
    if (this.#next !== undefined) throw this.#refused(`Nothing may follow after the end, and ${this.#here()} does`)
    return json
  }

  get #next(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #piece({ from, to }: Token): string {
    return this.#text.slice(from, to)
  }

  /** What comes next, in words. */
  #here(): string {
    if (this.#next === undefined) return 'the end of the text'
    const piece = this.#piece(this.#next)
    return piece.length > 24 ? `${piece.slice(0, 24)}…` : piece
  }

  #refused(message: string, at: Token | undefined = this.#next): Unreadable {
    const end = this.#text.trimEnd().length
    return new Unreadable({ message, from: at?.from ?? Math.max(end - 1, 0), to: at?.to ?? end })
  }

  #value(level: number): string {
    const token = this.#next
    if (level > MOST_LEVELS) throw this.#refused(`There are more than ${MOST_LEVELS} levels`)
    if (token === undefined) throw this.#refused('A value is missing at the end')
    if (token.kind === '{') return this.#members('}', () => this.#member(level))
    if (token.kind === '[') return this.#members(']', () => this.#value(level + 1))
    this.#at += 1
    if (token.kind === 'string') return JSON.stringify(this.#string(token))
    if (token.kind === 'pattern') return patternJson(this.#piece(token))
    if (token.kind === 'word') return this.#word(token)
    throw this.#refused(`A value is expected, and ${this.#piece(token)} is there`, token)
  }

  #members(close: '}' | ']', readOne: () => string): string {
    const open = this.#next
    const parts: string[] = []
    for (this.#at += 1; this.#next?.kind !== close; ) {
      parts.push(readOne())
      if (this.#next?.kind === ',') this.#at += 1
      else if (this.#next === undefined)
        throw this.#refused(`This ${close === '}' ? '{' : '['} is not closed: ${close} is missing`, open)
      else if (this.#next.kind !== close) throw this.#refused(`A comma is missing before ${this.#here()}`)
    }
    this.#at += 1
    return close === '}' ? `{${parts.join(',')}}` : `[${parts.join(',')}]`
  }

  #member(level: number): string {
    const key = this.#next
    if (key === undefined) throw this.#refused('A key, or }, is missing at the end')
    if (key.kind !== 'string' && key.kind !== 'word')
      throw this.#refused(`A key is expected, and ${this.#here()} is there`)
    const name = key.kind === 'string' ? this.#string(key) : this.#piece(key)
    this.#at += 1
    if (this.#next?.kind !== ':') throw this.#refused(`A colon is missing after ${this.#piece(key)}`, key)
    this.#at += 1
    return `${JSON.stringify(name)}:${this.#value(level + 1)}`
  }

  #string(token: Token): string {
    const piece = this.#piece(token)
    if (!isClosed(piece)) throw this.#refused(`This text has no ${piece.charAt(0)} at its end`, token)
    const said = stringIn(piece)
    if (said === null) throw this.#refused('This text has an escape that JSON has not: a \\ itself is \\\\', token)
    return said
  }

  #word(token: Token): string {
    const piece = this.#piece(token)
    if (WORD.test(piece)) return piece
    const isNumber = /^[-+.\d]/.test(piece)
    throw this.#refused(
      isNumber ? `${piece} is no number of JSON` : `${piece} is no value of JSON. Text stands in quotes: "${piece}"`,
      token,
    )
  }
}

function patternJson(piece: string): string {
  const end = piece.lastIndexOf('/')
  const options = piece.slice(end + 1)
  const pattern = piece.slice(1, end).replaceAll('\\/', '/')
  return JSON.stringify({ $regex: pattern, ...(options === '' ? {} : { $options: options }) })
}
