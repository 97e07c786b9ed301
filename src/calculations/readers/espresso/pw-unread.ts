import type { StructureWarning } from '../../../structure/crystal.ts'
import { valueOfText } from '../../../structure/formats/common/rest.ts'
import { shorten } from '../../../structure/formats/common/text.ts'
import type { Remainder } from '../../remainder.ts'

const LONGEST_NAME = 80
const LONGEST_VALUE = 200
const MOST_MESSAGES = 20

/** Words of the head of every output, which say nothing of the calculation. */
const CITATIONS = /^(?:"P\. Giannozzi|URL |in publications|This program is part|for quantum simulation|http:)/
/** A line of a table of times: `init_run : 0.59s CPU 0.65s WALL ( 1 calls)`. */
const TIMING = /^\S[^:]{0,30}: *(?:\d+d)? *(?:\d+h)? *(?:\d+m)? *[\d.]*s? CPU/
const MESSAGE = /\b(?:warning|error|failed|not converged|stopping|bad)\b/i

/** Lines that no reader of tables and values knows: what they say goes to the rest by its own names. */
export class UnreadLines {
  readonly warnings: StructureWarning[] = []
  readonly #remainder: Remainder
  /** The last line without numbers, which tells what the numbers below it are. */
  #heading = ''

  constructor(remainder: Remainder) {
    this.#remainder = remainder
  }

  take(text: string, line: number): void {
    if (CITATIONS.test(text)) return
    if (TIMING.test(text)) this.#remainder.count('timings')
    else if (!/\d/.test(text)) this.#prose(text, line)
    else if (!/[A-Za-z]/.test(text)) this.#remainder.count(`numbers below "${shorten(this.#heading, 50)}"`)
    else if (!this.#pair(text)) this.#remainder.say(nameOf(text), shorten(text, LONGEST_VALUE))
    if (/\d/.test(text) && !text.includes('=') && MESSAGE.test(text)) this.message(text, line)
  }

  /** Counts values under the heading above them. */
  countBelowHeading(what: string): void {
    this.#remainder.count(`${shorten(this.#heading, 50)}: ${what}`)
  }

  /** Tells what the program says of itself. */
  message(text: string, line: number): void {
    if (this.warnings.length >= MOST_MESSAGES) this.#remainder.count('messages')
    else this.warnings.push({ code: 'program-message', message: shorten(text, LONGEST_VALUE), line })
  }

  #prose(text: string, line: number): void {
    if (MESSAGE.test(text)) this.message(text, line)
    if (/[A-Za-z]/.test(text)) this.#heading = text.replace(/[:.]+$/, '')
  }

  /** Takes `name = value`, `name: value` and `name < value`. */
  #pair(text: string): boolean {
    const at = ['=', ': ', '<'].map((sign) => text.indexOf(sign)).find((index) => index > 0 && index <= LONGEST_NAME)
    if (at === undefined) return false
    const [name, value] = [nameOf(text.slice(0, at)), text.slice(at + 1).trim()]
    if (name === '' || value === '') return false
    this.#remainder.say(name, valueOfText(shorten(value.replace(/\s+/g, ' '), LONGEST_VALUE)))
    return true
  }
}

/** A name that is the same for all of a kind: numbers in it are `#`, and what paths are made of is left out. */
function nameOf(text: string): string {
  return text
    .replace(/[.$]/g, '')
    .replace(/(^|[\s(])[-+]?\d+(?=[\s),:;]|$)/g, '$1#')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
}
