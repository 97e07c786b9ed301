import { Nesting } from '../../../kernel/json-nesting.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'

/** One element of a list, as JSON text. */
export interface ListElement {
  readonly text: string
  /** Line of the file on which it begins, counted from 1. */
  readonly line: number
}

const NEWLINE = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const SPACE = 0x20
const BYTE_ORDER_MARK = 0xfeff

/** Levels within each other: more than any record has, and few enough for what goes through them. */
const MOST_DEPTH = 100

/** Longer names are no names of lists. */
const LONGEST_NAME = 32

/**
 * Takes a JSON document apart while its text comes in pieces: the elements of the list that it is, or that it has under one of some names, one by
 * one; all that is around them is its envelope, in which these lists are empty. A document without such a list is all envelope.
 */
export class JsonList {
  readonly #names: ReadonlySet<string>
  readonly #longest: number
  readonly #nesting = new Nesting()
  #envelope: string[] = []
  #envelopeLength = 0
  #element: string[] = []
  #elementLength = 0
  /** Depth of the elements of the present list; 0 outside of one. */
  #listDepth = 0
  #hasElement = false
  #line = 1
  #elementLine = 1
  /** Name of the present member of the document. */
  #name = ''
  #isName = false
  #isFresh = false
  #hasBegun = false

  /** Elements and the envelope are refused when they have more characters than `longest`. */
  constructor(names: readonly string[], longest: number) {
    this.#names = new Set(names)
    this.#longest = longest
  }

  /** Whether the document has its end. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#nesting.depth === 0 && !this.#nesting.inString
  }

  /** All that is around the elements. */
  get envelope(): string {
    return this.#envelope.join('')
  }

  *read(piece: string): Generator<ListElement> {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === NEWLINE) this.#line += 1
      const wasInList = this.#listDepth !== 0
      const ends = this.#follow(code)
      if (wasInList && ends) {
        this.#keepElement(piece.slice(from, at))
        if (this.#hasElement) yield this.#takeElement()
        from = this.#listDepth === 0 ? at : at + 1
      } else if (!wasInList && this.#listDepth !== 0) {
        this.#keepEnvelope(piece.slice(from, at + 1))
        from = at + 1
      }
    }
    if (this.#listDepth !== 0) this.#keepElement(piece.slice(from))
    else this.#keepEnvelope(piece.slice(from))
  }

  /** Follows the nesting; tells whether an element of the present list, or the list, ends. */
  #follow(code: number): boolean {
    const nesting = this.#nesting
    if (nesting.inString) {
      nesting.read(code)
      if (this.#isName && nesting.inString && this.#name.length < LONGEST_NAME) this.#name += String.fromCharCode(code)
      return false
    }
    const before = nesting.depth
    nesting.read(code)
    if (nesting.depth > MOST_DEPTH) throw tooDeep(this.#line)
    if (code > SPACE && code !== BYTE_ORDER_MARK) this.#hasBegun = true
    if (this.#listDepth !== 0) return this.#followList(code, before)
    if (nesting.depth > before && code === OPENING_BRACKET && this.#isList(nesting.depth)) {
      this.#listDepth = nesting.depth
      this.#begin()
    } else if (before === 1) this.#followMembers(code)
    else if (before === 0 && nesting.depth === 1) this.#isName = true
    return false
  }

  #isList(depth: number): boolean {
    return depth === 1 || (depth === 2 && this.#isFresh && this.#names.has(this.#name))
  }

  #followList(code: number, before: number): boolean {
    if (before !== this.#listDepth) return false
    if (this.#nesting.depth < before) {
      this.#listDepth = 0
      this.#isFresh = false
      return true
    }
    if (code === COMMA) return true
    if (code > SPACE && !this.#hasElement) [this.#hasElement, this.#elementLine] = [true, this.#line]
    return false
  }

  #followMembers(code: number): void {
    if (code === QUOTE && this.#isName) this.#name = ''
    else if (code === COLON) [this.#isName, this.#isFresh] = [false, true]
    else if (code === COMMA) [this.#isName, this.#isFresh] = [true, false]
    else if (code > SPACE) this.#isFresh = false
  }

  #begin(): void {
    this.#element = []
    this.#elementLength = 0
    this.#hasElement = false
  }

  #keepElement(text: string): void {
    this.#elementLength += text.length
    if (this.#elementLength > this.#longest) throw tooLong(this.#longest, this.#elementLine)
    this.#element.push(text)
  }

  #takeElement(): ListElement {
    const element = { text: this.#element.join(''), line: this.#elementLine }
    this.#begin()
    return element
  }

  #keepEnvelope(text: string): void {
    this.#envelopeLength += text.length
    if (this.#envelopeLength > this.#longest) throw tooLong(this.#longest, 1)
    this.#envelope.push(text)
  }
}

function tooDeep(line: number): Error {
  return refusal(FORMAT_ERRORS.malformed, `More than ${MOST_DEPTH} levels are within each other.`, { line })
}

function tooLong(longest: number, line: number): Error {
  const message = `A record has more than ${longest} characters, which is the most that can be read of one.`
  return refusal(FORMAT_ERRORS.fileTooLarge, message, { line })
}
