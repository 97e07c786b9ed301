import { type Json, setOwnField } from '../../../kernel/json.ts'
import type { Rest } from '../../../structure/crystal.ts'
import { readNumber, wordsOf } from '../../../structure/formats/common/text.ts'

/** Lines under one name: the first of them while they are few. */
interface ReportEntry {
  count: number
  /** Words of the first. */
  readonly width: number
  /** Whether all values are kept. */
  isShort: boolean
  readonly values: Json[]
}

const MOST_NAMES = 400
const MOST_VALUES = 4
const LONGEST_NAME = 100
const LONGEST_VALUE = 200

/** Number in a name, with what Fortran may write about it. */
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?/g

/** Lines of a report that no reader uses, by the names that they or the lines above them have. */
export class UnusedReport {
  readonly #said = new Map<string, ReportEntry>()
  #heading = ''
  #further = 0
  #texts = 0

  /** Takes a line: a name with a value, numbers under the last text, or a text. */
  take(line: string): void {
    const text = line.trim()
    if (text === '' || /^[-=*_|+\s]+$/.test(text)) return
    const sign = text.slice(0, LONGEST_NAME).search(/[=:]/)
    const [name, value] = sign < 1 ? ['', ''] : [text.slice(0, sign).trim(), text.slice(sign + 1).trim()]
    if (value !== '' && /^[A-Za-z#]/.test(name)) {
      this.#heading = name
      this.count(name, value)
    } else if (/^[^A-Za-z]*\d/.test(text.slice(0, LONGEST_NAME))) this.count(this.#heading, text)
    else {
      this.#heading = text.slice(0, LONGEST_NAME)
      if (/\d/.test(this.#heading)) this.count(this.#heading, '')
      else this.#texts++
    }
  }

  /** Takes a value by a name; numbers in names, which count something, do not tell these apart. A long value is counted only. */
  count(name: string, value: string): void {
    const plain = name
      .slice(0, LONGEST_NAME)
      .replace(NUMBER, '#')
      .replace(/[.$\0]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const said = this.#said.get(plain) ?? this.#begin(plain, value)
    if (said === null) return
    said.count++
    if (said.count > MOST_VALUES || value === '' || value.length > LONGEST_VALUE) said.isShort = false
    else said.values.push(valueIn(value))
  }

  #begin(name: string, value: string): ReportEntry | null {
    if (this.#said.size >= MOST_NAMES || name === '') {
      this.#further++
      return null
    }
    const said = { count: 0, width: wordsOf(value).length, isShort: true, values: [] }
    this.#said.set(name, said)
    return said
  }

  get rest(): Rest {
    const values: Record<string, Json> = {}
    const leftOut: string[] = []
    for (const [name, { count, width, isShort, values: kept }] of this.#said) {
      const [first] = kept
      if (first !== undefined && isShort) setOwnField(values, name, count === 1 ? first : kept)
      else leftOut.push(`${name} (${count}${width > 1 ? ` × ${width}` : ''})`)
    }
    if (this.#texts > 0) leftOut.push(`lines of text (${this.#texts})`)
    if (this.#further > 0) leftOut.push(`further lines (${this.#further})`)
    return { values, leftOut }
  }
}

/** Numbers where all words are, else the text. */
function valueIn(text: string): Json {
  const words = wordsOf(text)
  const numbers = words.map(readNumber)
  if (numbers.length === 0 || numbers.includes(undefined)) return text.trim()
  const [first = null, ...others] = numbers as readonly number[]
  return others.length === 0 ? first : [first, ...others].filter((number) => number !== null)
}
