import { Nesting } from '../../../kernel/json-nesting.ts'
import type { StructureLimits } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { type FileFrame, type FrameSplitter, GatheredText } from '../common/splitter.ts'

/** Where the structures of a JSON document stand, and how each is written by itself. */
export interface JsonStructures {
  /** Whether the document may be a list of them. */
  readonly isList: boolean
  /** Says of a member of the document whether it is a structure, or has structures where it is a list. */
  readonly isStructure: (key: string) => 'itself' | 'of-list' | false
  /** Text of a document of one structure; `key` is that of the member where it stands. */
  readonly alone: (text: string, key: string) => string
}

/** Takes a JSON document of several structures apart; one that has none in the places where they are looked for is one as a whole. */
export class JsonSplitter implements FrameSplitter {
  readonly isOver = false
  readonly #structures: JsonStructures
  readonly #marks: JsonMarks
  /** All of the document until a structure was found. */
  readonly #whole: GatheredText
  readonly #element: GatheredText
  #found = false
  #isGathering = false
  #line = 1

  constructor(limits: StructureLimits, structures: JsonStructures) {
    this.#structures = structures
    this.#marks = new JsonMarks(structures)
    this.#whole = new GatheredText(limits)
    this.#element = new GatheredText(limits)
  }

  *read(piece: string): Generator<FileFrame> {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (code === NEWLINE) this.#line += 1
      const mark = this.#marks.read(code)
      if (mark === NOTHING) continue
      if ((mark & END) !== 0 && this.#isGathering) {
        this.#element.add(piece.slice(from, at))
        const frame = this.#take((mark & BEGIN) !== 0)
        if (frame !== null) yield frame
      }
      this.#isGathering = (mark & BEGIN) !== 0
      this.#element.begin(this.#line)
      from = at + 1
    }
    if (this.#isGathering) this.#element.add(piece.slice(from))
    if (!this.#found) this.#whole.add(piece)
  }

  *end(): Generator<FileFrame> {
    if (!this.#found) yield this.#whole.take()
    else if (this.#marks.isOpen) {
      throw refusal(FORMAT_ERRORS.malformed, 'The file ends within a list of structures: it may be cut off.')
    }
  }

  /** Gives what was gathered; a list of nothing has no structure. */
  #take(isFollowed: boolean): FileFrame | null {
    const { text, line } = this.#element.take()
    if (text.trim() === '' && !this.#found && !isFollowed) return null
    if (!this.#found) this.#whole.begin(1)
    this.#found = true
    return { text: this.#structures.alone(text.trim(), this.#marks.key), line }
  }
}

const NEWLINE = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b
const SPACE = 0x20

/** What may begin or end at a character. */
const NOTHING = 0
const BEGIN = 1
const END = 2

const LONGEST_KEY = 100

/** Tells at which characters of a JSON text structures begin and end. */
class JsonMarks {
  /** Of the member of the document that is being read. */
  key = ''
  readonly #structures: JsonStructures
  readonly #nesting = new Nesting()
  #isObject = false
  #isKey = false
  #member: 'itself' | 'of-list' | false = false
  /** Whether nothing has come of the member's value yet. */
  #isFresh = false
  /** Depth of the elements of the list of structures; 0 outside of one. */
  #listDepth = 0

  constructor(structures: JsonStructures) {
    this.#structures = structures
  }

  get isOpen(): boolean {
    return this.#nesting.depth !== 0
  }

  read(code: number): number {
    const nesting = this.#nesting
    if (nesting.inString) {
      nesting.read(code)
      if (this.#isKey && nesting.inString && this.key.length < LONGEST_KEY) this.key += String.fromCharCode(code)
      return NOTHING
    }
    const before = nesting.depth
    nesting.read(code)
    if (nesting.depth > before) return this.#open(code)
    if (nesting.depth < before) return this.#close(before)
    if (code === COMMA) return this.#comma()
    if (code === COLON && before === 1 && this.#isKey) return this.#value()
    if (code === QUOTE && this.#isKey) this.key = ''
    if (code > SPACE) this.#isFresh = false
    return NOTHING
  }

  #open(code: number): number {
    const { depth } = this.#nesting
    const isFresh = this.#isFresh
    this.#isFresh = false
    if (depth === 1) {
      this.#isObject = this.#isKey = code === OPENING_BRACE
      if (code !== OPENING_BRACKET || !this.#structures.isList) return NOTHING
    } else if (depth !== 2 || !isFresh || this.#member !== 'of-list' || code !== OPENING_BRACKET) return NOTHING
    this.#listDepth = depth
    return BEGIN
  }

  #close(before: number): number {
    if (before === this.#listDepth) {
      this.#listDepth = 0
      this.#member = false
      return END
    }
    return before === 1 && this.#member !== false ? END : NOTHING
  }

  #comma(): number {
    const { depth } = this.#nesting
    if (depth === this.#listDepth) return BEGIN | END
    if (depth !== 1 || !this.#isObject) return NOTHING
    this.#isKey = true
    return this.#member === false ? NOTHING : END
  }

  #value(): number {
    this.#isKey = false
    this.#member = this.#structures.isStructure(this.key)
    this.#isFresh = true
    // What has a list of structures elsewhere may be anything else here, as the data of a computed entry.
    return this.#member === 'itself' ? BEGIN : NOTHING
  }
}
