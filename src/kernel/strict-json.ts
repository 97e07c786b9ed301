import { type Json, setOwnField } from './json.ts'
import { exactHint, misplacedHint, StrictJsonError, wordHint } from './strict-json-errors.ts'

export { StrictJsonError }

export interface StrictJsonLimits {
  /** Levels of objects and arrays within each other. */
  readonly maxDepth: number
}

/** Reads JSON (RFC 8259) and refuses what `JSON.parse` lets pass: a key given twice, half a surrogate pair, a number that would change. */
export function readStrictJson(text: string, limits: StrictJsonLimits): Json {
  return new StrictJsonReader(text, limits).read()
}

const WHITE_SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not hold them.
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y
/** A digit other than 0 before the exponent. */
const NOT_ZERO = /^[-.0]*[1-9]/
const WORD = /-?[A-Za-z_$][A-Za-z0-9_$.]*/y
const WORD_CHARACTER = /[0-9A-Za-z_.]/
const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

class StrictJsonReader {
  readonly #text: string
  readonly #limits: StrictJsonLimits
  readonly #path: (string | number)[] = []
  #offset = 0

  constructor(text: string, limits: StrictJsonLimits) {
    this.#text = text
    this.#limits = limits
  }

  read(): Json {
    this.#skipSpace()
    if (this.#offset === this.#text.length)
      throw this.#syntax('The text is empty', 'Write a JSON object such as {"a":1}.')
    const value = this.#value(1)
    this.#skipSpace()
    if (this.#offset < this.#text.length) throw this.#syntax('Something follows the end of the JSON value')
    return value
  }

  #value(depth: number): Json {
    switch (this.#text[this.#offset]) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return this.#string()
      default:
        return this.#scalar()
    }
  }

  #object(depth: number): Json {
    this.#checkDepth(depth)
    const object: Record<string, Json> = {}
    this.#offset += 1
    this.#skipSpace()
    if (this.#takes('}')) return object
    for (;;) {
      const start = this.#offset
      if (this.#text[start] !== '"') throw this.#unexpected('A key in double quotes is missing')
      const key = this.#string()
      this.#path.push(key)
      if (Object.hasOwn(object, key)) throw this.#duplicate(key, start)
      this.#skipSpace()
      if (!this.#takes(':')) throw this.#syntax('A colon is missing after a key', 'Write "key": value.')
      this.#skipSpace()
      setOwnField(object, key, this.#value(depth + 1))
      this.#path.pop()
      this.#skipSpace()
      if (this.#takes('}')) return object
      if (!this.#takes(',')) throw this.#unexpected('A comma or } is missing after a value')
      this.#skipSpace()
    }
  }

  #array(depth: number): Json {
    this.#checkDepth(depth)
    const array: Json[] = []
    this.#offset += 1
    this.#skipSpace()
    if (this.#takes(']')) return array
    for (;;) {
      this.#path.push(array.length)
      array.push(this.#value(depth + 1))
      this.#path.pop()
      this.#skipSpace()
      if (this.#takes(']')) return array
      if (!this.#takes(',')) throw this.#unexpected('A comma or ] is missing after a value')
      this.#skipSpace()
    }
  }

  /** Most strings are printable and short: they are cut out in one piece. */
  #string(): string {
    const text = this.#text
    for (let end = this.#offset + 1; end < text.length; end++) {
      const code = text.charCodeAt(end)
      if (code === QUOTE) {
        const value = text.slice(this.#offset + 1, end)
        this.#offset = end + 1
        return value
      }
      if (code < SPACE || code === BACKSLASH || (code >= FIRST_SURROGATE && code <= LAST_SURROGATE)) break
    }
    return this.#unusualString()
  }

  #unusualString(): string {
    const start = this.#offset
    this.#offset += 1
    let value = ''
    for (;;) {
      value += this.#match(PLAIN_TEXT) ?? ''
      const character = this.#text[this.#offset]
      if (character === undefined) {
        this.#offset = start
        throw this.#syntax('A string is never closed', 'End it with ".')
      }
      if (character === '"') break
      if (character !== '\\') throw this.#syntax('A string holds a control character', 'Write \\n, \\t or \\u0000.')
      value += this.#escaped()
    }
    this.#offset += 1
    if (LONE_SURROGATE.test(value)) {
      this.#offset = start
      throw this.#syntax('A string holds half of a surrogate pair', 'Write both halves, such as \\ud83d\\ude00.')
    }
    return value
  }

  #escaped(): string {
    const letter = this.#text[this.#offset + 1] ?? ''
    const simple = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined
    if (simple !== undefined) {
      this.#offset += 2
      return simple
    }
    const code = /^\\u([0-9A-Fa-f]{4})/.exec(this.#text.slice(this.#offset, this.#offset + 6))?.[1]
    if (code === undefined) throw this.#syntax('A backslash begins no escape of JSON', 'Write \\\\ for a backslash.')
    this.#offset += 6
    return String.fromCharCode(Number.parseInt(code, 16))
  }

  #scalar(): Json {
    const start = this.#offset
    const number = this.#match(NUMBER)
    if (number !== null) {
      if (WORD_CHARACTER.test(this.#text[this.#offset] ?? '')) {
        this.#offset = start
        throw this.#syntax('A number is not written as in JSON', 'Write it as in 0.5, -1 or 1e-3.')
      }
      return this.#exactNumber(number, start)
    }
    const word = this.#match(WORD)
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    this.#offset = start
    throw word === null
      ? this.#unexpected('A value is missing')
      : this.#syntax(`${word.slice(0, 40)} is no JSON value`, wordHint(word))
  }

  #exactNumber(literal: string, start: number): number {
    const value = Number(literal)
    if (value === 0 ? !NOT_ZERO.test(literal) : Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value
    const isWhole = /^-?[0-9]+$/.test(literal)
    if (value !== 0 && Number.isFinite(value) && (!isWhole || isFaithful(literal, value))) return value
    this.#offset = start
    const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
    throw this.#error(
      'inexactNumber',
      `The number ${shown} cannot be held without changing its value`,
      exactHint(isWhole),
    )
  }

  #duplicate(key: string, start: number): StrictJsonError {
    this.#offset = start
    const shown = JSON.stringify(key.slice(0, 80))
    return this.#error(
      'duplicateKey',
      `The key ${shown} is given twice`,
      'Join two conditions on one field, or use $and.',
    )
  }

  #checkDepth(depth: number): void {
    if (depth <= this.#limits.maxDepth) return
    throw this.#error('depth', `Objects and arrays are nested more than ${this.#limits.maxDepth} levels deep`)
  }

  #skipSpace(): void {
    if (this.#text.charCodeAt(this.#offset) <= SPACE) this.#match(WHITE_SPACE)
  }

  #takes(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false
    this.#offset += 1
    return true
  }

  #match(sticky: RegExp): string | null {
    const start = this.#offset
    sticky.lastIndex = start
    if (!sticky.test(this.#text)) return null
    this.#offset = sticky.lastIndex
    return this.#text.slice(start, this.#offset)
  }

  /** Something else stands where the problem says; the hint goes by what it is. */
  #unexpected(problem: string): StrictJsonError {
    return this.#syntax(problem, misplacedHint(this.#text, this.#offset))
  }

  #syntax(problem: string, hint?: string): StrictJsonError {
    return this.#error('syntax', problem, hint)
  }

  #error(problem: StrictJsonError['problem'], message: string, hint?: string): StrictJsonError {
    const before = this.#text.slice(0, this.#offset)
    const line = before.split('\n').length
    const column = this.#offset - before.lastIndexOf('\n')
    return new StrictJsonError(problem, message, { line, column, path: pathText(this.#path) }, hint)
  }
}

/** Beyond 2^53 a whole number must be exact, or written in the digits that JavaScript itself writes for its double. */
function isFaithful(literal: string, value: number): boolean {
  return Number.isSafeInteger(value) || String(value) === literal || BigInt(literal) === BigInt(value)
}

function pathText(path: readonly (string | number)[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return text.startsWith('.') ? text.slice(1) : text
}
