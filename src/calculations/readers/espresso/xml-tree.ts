import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { isJsonObject, type Json, setOwnField } from '../../../kernel/json.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import { valueOfText } from '../../../structure/formats/common/rest.ts'
import { readNumber, shorten, wordsOf } from '../../../structure/formats/common/text.ts'
import { addToList } from '../../../structure/linear-algebra.ts'
import type { Remainder } from '../../remainder.ts'

/** What an element takes in memory beside its texts. */
const ELEMENT_BYTES = 300

/** Element of a document; what is taken from it is no part of its rest. */
export class XmlElement {
  readonly name: string
  readonly attributes: Map<string, string>
  /** Of the document, counted from 1. */
  readonly line: number
  text = ''
  /** Size in memory with all that is in it, roughly, in bytes. */
  size = ELEMENT_BYTES
  readonly #children: XmlElement[] = []

  constructor(name: string, attributes: Map<string, string>, line: number) {
    this.name = name
    this.attributes = attributes
    this.line = line
  }

  add(child: XmlElement): void {
    this.#children.push(child)
  }

  get children(): readonly XmlElement[] {
    return this.#children
  }

  /** Looks at the first element on a way of names. */
  peek(...names: readonly string[]): XmlElement | undefined {
    let element: XmlElement | undefined = this
    for (const name of names) element = element?.children.find((child) => child.name === name)
    return element
  }

  /** Takes the first element on a way of names. */
  take(...names: readonly string[]): XmlElement | undefined {
    const parent = this.peek(...names.slice(0, -1))
    const at = parent?.children.findIndex(({ name }) => name === names.at(-1)) ?? -1
    return parent === undefined || at === -1 ? undefined : parent.#children.splice(at, 1)[0]
  }

  takeText(...names: readonly string[]): string | undefined {
    return this.take(...names)?.text.trim()
  }

  takeNumber(...names: readonly string[]): number | undefined {
    const number = readNumber(this.peek(...names)?.text.trim())
    if (number !== undefined) this.take(...names)
    return number
  }

  takeAttribute(name: string): string | undefined {
    const value = this.attributes.get(name)
    this.attributes.delete(name)
    return value
  }

  /** What the element says, by names: its attributes, its text as `value`, and its elements; null where it says nothing. */
  toJson(): Json {
    const text = this.text.trim()
    const own = text === '' ? null : valueOfWords(text)
    if (this.attributes.size === 0 && this.#children.length === 0) return own
    const fields: Record<string, Json> = {}
    for (const [name, value] of this.attributes) setOwnField(fields, name, valueOfText(value.trim()))
    if (own !== null) setOwnField(fields, 'value', own)
    for (const [name, values] of this.#valuesByName())
      setOwnField(fields, name, values.length === 1 ? (values[0] ?? null) : values)
    return Object.keys(fields).length === 0 ? null : fields
  }

  /** What the elements say: several of one name are a list. */
  #valuesByName(): ReadonlyMap<string, readonly Json[]> {
    const values = new Map<string, Json[]>()
    for (const child of this.#children) {
      const value = child.toJson()
      if (value !== null) addToList(values, child.name, value)
    }
    return values
  }
}

function valueOfWords(text: string): Json {
  const numbers = numbersIn(text)
  return numbers !== null && numbers.length > 1 ? numbers : valueOfText(text)
}

/** The numbers that a text is; null where it is something else. */
export function numbersIn(text: string): readonly number[] | null {
  const numbers = wordsOf(text).map(readNumber)
  return numbers.every((number) => number !== undefined) ? numbers : null
}

/** Takes a whole element by its way of names; true where it need not be kept. */
type TakeElement = (path: string, element: XmlElement) => boolean

/** Levels within each other. */
const MOST_LEVELS = 64
/** Characters between two tags: the numbers of the largest results, and no comment that never ends. */
const MOST_SILENCE = 4 * 1024 * 1024
/** Characters and elements that are kept of a document. */
const MOST_KEPT = 64 * 1024 * 1024
const PIECE = 64 * 1024

/** Reads a document of XML in pieces: gives its elements as soon as they are whole, and keeps those that are not taken. Knows no entities but the five of XML. */
export class XmlTree {
  readonly #parser = new SaxesParser<{ readonly xmlns: false }>({ xmlns: false })
  readonly #take: TakeElement
  readonly #remainder: Remainder
  readonly #open: XmlElement[] = []
  #root: XmlElement | null = null
  #kept = 0
  #silence = 0
  #isHeard = false

  constructor(take: TakeElement, remainder: Remainder) {
    this.#take = take
    this.#remainder = remainder
    this.#parser.on('opentag', (tag) => this.#begin(tag))
    this.#parser.on('closetag', () => this.#end(true))
    this.#parser.on('text', (text) => this.#hear(text))
    this.#parser.on('cdata', (text) => this.#hear(text))
    this.#parser.on('error', ({ message }) => {
      throw refusal(
        FORMAT_ERRORS.malformed,
        `The file is no XML: ${shorten(message.replace(/^\d+:\d+: |\.$/g, ''), 160)}.`,
        {
          line: this.#parser.line,
        },
      )
    })
  }

  write(text: string): void {
    for (let from = 0; from < text.length; from += PIECE) {
      this.#isHeard = false
      const piece = text.slice(from, from + PIECE)
      this.#parser.write(piece)
      this.#silence = this.#isHeard ? 0 : this.#silence + piece.length
      if (this.#silence > MOST_SILENCE) {
        const message = `The file has more than ${MOST_SILENCE} characters without a tag.`
        throw refusal(FORMAT_ERRORS.fileTooLarge, message, { line: this.#parser.line })
      }
    }
  }

  /** Takes the end: the document as far as it is there, and whether it is whole. */
  end(): { readonly root: XmlElement | null; readonly isWhole: boolean } {
    const isWhole = this.#open.length === 0 && this.#root !== null
    // The innermost element may have lost a part of its text.
    if (this.#open.at(-1)?.children.length === 0) this.#open.pop()
    while (this.#open.length > 0) this.#end(false)
    return { root: this.#root, isWhole }
  }

  #begin({ name, attributes }: SaxesTagPlain): void {
    this.#isHeard = true
    if (this.#open.length >= MOST_LEVELS) {
      const message = `The file has more than ${MOST_LEVELS} elements within each other.`
      throw refusal(FORMAT_ERRORS.malformed, message, { line: this.#parser.line })
    }
    const kept = new Map(Object.entries(attributes).filter(([key]) => !key.startsWith('xmlns')))
    const element = new XmlElement(name.slice(name.indexOf(':') + 1), kept, this.#parser.line)
    for (const [key, value] of kept) element.size += key.length + value.length
    this.#open.push(element)
  }

  #hear(text: string): void {
    this.#isHeard = true
    const element = this.#open.at(-1)
    if (element === undefined || text.trim() === '') return
    element.text += text
    element.size += text.length
  }

  #end(isWhole: boolean): void {
    this.#isHeard = true
    const path = this.#open.map(({ name }) => name).join('/')
    const element = this.#open.pop()
    if (element === undefined) return
    const inner = element.children.reduce((sum, { size }) => sum + size, 0)
    if (isWhole && this.#take(path, element)) {
      this.#kept -= inner
      return
    }
    const own = element.size
    element.size += inner
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#root = element
    else if (this.#kept + own > MOST_KEPT) {
      this.#kept -= inner
      this.#remainder.count(path.replaceAll('/', '.'))
    } else {
      parent.add(element)
      this.#kept += own
    }
  }
}

/** Counts the fields of an object that is one of many. */
export function countFields(remainder: Remainder, path: string, value: Json): void {
  if (value === null) return
  if (!isJsonObject(value)) remainder.count(path)
  else for (const [name, inner] of Object.entries(value)) countFields(remainder, `${path}.${name}`, inner)
}
