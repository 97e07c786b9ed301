import { type Json, setOwnField } from '../../../kernel/json.ts'
import type { Rest } from '../../../structure/crystal.ts'
import { readNumber, wordsOf } from '../../../structure/formats/common/text.ts'

/** Lines under one name: the first of them while they are few. */
interface ReportEntry {
  count: number
  /** Words of the first. */
  readonly width: number
  values: Json[]
}

const MOST_NAMES = 400
const MOST_VALUES = 4
const LONGEST_NAME = 80
const LONGEST_VALUE = 200

/** Number in a name, with what Fortran may write about it. */
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?/g

/** Name and value of a line that says both: `Average memory used (kb):   0.`. */
const NAMED = /^\s*([A-Za-z#][^=:]{0,80}?)\s*[=:]\s*(\S.*)$/

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
    const [, name = '', value = ''] = NAMED.exec(line) ?? []
    if (value !== '') {
      this.#heading = name
      this.count(name, value.slice(0, LONGEST_VALUE))
    } else if (/^[^A-Za-z]*\d/.test(text.slice(0, LONGEST_VALUE)))
      this.count(this.#heading, text.slice(0, LONGEST_VALUE))
    else {
      this.#heading = text
      if (/\d/.test(text)) this.count(text, '')
      else this.#texts++
    }
  }

  /** Takes a value by a name; numbers in names, which count something, do not tell these apart. */
  count(name: string, value: string): void {
    const plain = name
      .replace(NUMBER, '#')
      .replace(/[.$\0]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, LONGEST_NAME)
    const said = this.#said.get(plain) ?? this.#begin(plain, value)
    if (said === null) return
    said.count++
    if (said.count > MOST_VALUES || value === '') said.values = []
    else said.values.push(valueIn(value))
  }

  #begin(name: string, value: string): ReportEntry | null {
    if (this.#said.size >= MOST_NAMES || name === '') {
      this.#further++
      return null
    }
    const said = { count: 0, width: wordsOf(value).length, values: [] }
    this.#said.set(name, said)
    return said
  }

  get rest(): Rest {
    const values: Record<string, Json> = {}
    const leftOut: string[] = []
    for (const [name, { count, width, values: kept }] of this.#said) {
      const [first] = kept
      if (first !== undefined && kept.length === count) setOwnField(values, name, count === 1 ? first : kept)
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
