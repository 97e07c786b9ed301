import { type SaxesAttributePlain, SaxesParser, type SaxesTagPlain } from 'saxes'
import { AppError } from '../../../../kernel/errors.ts'
import { FORMAT_ERRORS, refusal } from '../../../../structure/errors.ts'

/** Beginning of an element. */
export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Reader of one element while it comes. */
export interface ElementReader {
  /** Gives the reader of an element that begins within. */
  within(tag: Tag): ElementReader
  /** Takes the end; the text is that behind the last element within, which is all of it where there is none. */
  end(text: string): void
}

/** Place where reading has stopped, since what follows is no XML. */
export interface XmlBreak {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}

/** Elements within each other. */
const MOST_DEPTH = 64
/** Characters that are given to the parser at a time. */
const SLICE = 64 * 1024
/** Characters of one tag or of the text between two: so much the parser holds at most. */
const LONGEST_ITEM = 4 * 1024 * 1024
/** Characters of a name. */
const LONGEST_NAME = 200

/** Reader that takes the text of an element without elements. */
export function textOf(take: (text: string) => void, within: (tag: Tag) => ElementReader): ElementReader {
  return { within, end: take }
}

/** Reader of what says nothing that is not said elsewhere. */
export const IGNORED: ElementReader = { within: () => IGNORED, end: () => {} }

class NoXml extends Error {}

/**
 * Hands the elements of XML that comes in pieces to their readers. Of what is no XML it takes the beginning. Keeps what is open and the text between two
 * tags. Declares no entities: the parser knows the five of XML and numbers, and stops at all others.
 */
export class XmlElements {
  readonly #parser = new SaxesParser({ xmlns: false })
  readonly #open: ElementReader[]
  #text = ''
  #events = 0
  /** Characters since something was whole. */
  #held = 0
  #isWhole = false
  #break: XmlBreak | null = null

  /** Takes the reader of the document, within which its one element begins. */
  constructor(document: ElementReader) {
    this.#open = [document]
    const parser = this.#parser
    parser.on('opentag', (tag) => this.#begin(tag))
    parser.on('closetag', () => this.#close())
    parser.on('text', (text) => this.#add(text))
    parser.on('cdata', (text) => this.#add(text))
    parser.on('attribute', (attribute) => requireShortName(attribute))
    parser.on('doctype', () => {
      throw new NoXml('A document type is declared, which no program writes here.')
    })
    parser.on('error', (error) => {
      throw new NoXml(error.message.replace(/^\d+:\d+: /, ''))
    })
  }

  /** Whether the end of the outermost element was there. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Place from which on nothing was read. */
  get break(): XmlBreak | null {
    return this.#break
  }

  /** Line that was read last. */
  get line(): number {
    return this.#parser.line
  }

  write(text: string): void {
    for (let from = 0; from < text.length && this.#break === null; from += SLICE)
      this.#writeSlice(text.slice(from, from + SLICE))
  }

  #writeSlice(text: string): void {
    const before = this.#events
    try {
      this.#parser.write(text)
    } catch (error) {
      if (!(error instanceof NoXml)) throw withLine(error, this.line)
      this.#break = { line: this.line, message: error.message }
      return
    }
    this.#held = this.#events === before ? this.#held + text.length : 0
    if (Math.max(this.#held, this.#text.length) <= LONGEST_ITEM) return
    const message = `More than ${LONGEST_ITEM} characters follow without a tag.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line: this.line })
  }

  #begin(tag: SaxesTagPlain): void {
    this.#events++
    this.#text = ''
    if (this.#open.length > MOST_DEPTH) {
      const message = `Elements are within each other more than ${MOST_DEPTH} times.`
      throw refusal(FORMAT_ERRORS.malformed, message, { line: this.line })
    }
    if (tag.name.length > LONGEST_NAME) throw new NoXml('The name of an element is longer than any.')
    this.#open.push((this.#open.at(-1) as ElementReader).within(tag))
  }

  #close(): void {
    this.#events++
    this.#open.pop()?.end(this.#text)
    this.#text = ''
    if (this.#open.length === 1) this.#isWhole = true
  }

  #add(text: string): void {
    this.#events++
    this.#text += text
  }
}

/** Error with the line where it was found, where it has none. */
function withLine(error: unknown, line: number): unknown {
  if (!(error instanceof AppError) || error.data.line !== undefined) return error
  return refusal(error.spec, error.message, { line })
}

function requireShortName({ name, value }: SaxesAttributePlain): void {
  if (name.length > LONGEST_NAME || value.length > LONGEST_NAME) throw new NoXml('An attribute is longer than any.')
}
