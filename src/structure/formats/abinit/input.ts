import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { ANGSTROM_PER_BOHR } from '../../lattice.ts'
import { evaluateArithmetic } from '../common/arithmetic.ts'
import { angstromPer } from '../common/length-units.ts'
import { normalizeText, readNumber, shorten } from '../common/text.ts'
import { UnusedLines } from '../common/unused-lines.ts'

/** What stands behind the name of a variable. */
interface AbinitValue {
  readonly words: readonly string[]
  /** Counted from 1. */
  readonly line: number
}

const WORD = /"[^"]*"|'[^']*'|[^\s="']+/g
/** A unit or a truth value; all else that begins with a letter is a name, but for `sqrt(3)/2`. */
const NO_NAME =
  /^(?:angstr\w*|bohrs?|nm|au|ha|hartree|ry|rydberg|ev|mev|k|kelvin|t|te|tesla|s|sec|second|f|yes|no|true|false|sqrt\(.*)$/i
const NAME = /^[A-Za-z_]/
/** Variables that are lengths. */
const LENGTHS: ReadonlySet<string> = new Set(['acell', 'scalecart', 'xcart'])

/** Takes an input apart: variables by name, in small letters, in any order and anywhere on a line. */
export class AbinitInput {
  readonly #values = new Map<string, AbinitValue>()

  constructor(text: string) {
    const content = normalizeText(text).replace(/[#!][^\n]*/g, '')
    let words: string[] = []
    let [line, counted] = [1, 0]
    for (const { 0: word, index } of content.matchAll(WORD)) {
      for (; counted < index; counted++) if (content.charCodeAt(counted) === LINE_END) line += 1
      if (!NAME.test(word) || NO_NAME.test(word)) words.push(word)
      else {
        words = []
        this.#set(word.toLowerCase(), { words, line })
      }
    }
    this.#requireUnits()
  }

  /** Refuses a name behind lengths that has no values: it is a unit that the program does not have. */
  #requireUnits(): void {
    const all = [...this.#values]
    for (const [index, [name]] of all.entries()) {
      const [next = '', value] = all[index + 1] ?? []
      if (LENGTHS.has(name) && value?.words.length === 0) unitOf(next, value.line)
    }
  }

  #set(name: string, value: AbinitValue): void {
    const before = this.#values.get(name)
    this.#values.set(name, value)
    if (before === undefined) return
    const message = `${shorten(name)} is there more than once, first in line ${before.line}.`
    throw refusal(FORMAT_ERRORS.malformed, message, { line: value.line })
  }

  /** Looks at a variable and leaves it. */
  peek(name: string): AbinitValue | undefined {
    return this.#values.get(name)
  }

  /** Names of all variables that nobody has taken. */
  get names(): readonly string[] {
    return [...this.#values.keys()]
  }

  /** Takes a variable of one whole number. */
  takeCount(name: string, usual: number): number {
    const { line } = this.peek(name) ?? {}
    const [count = usual] = this.take(name, 1)?.values ?? []
    if (Number.isInteger(count) && count >= 0) return count
    throw refusal(FORMAT_ERRORS.malformed, `${name} is ${count}.`, line === undefined ? {} : { line })
  }

  /** Takes so many numbers and, of lengths, that of the unit behind them in Å, bohr where none is; nothing where the variable is not there. */
  take(name: string, count: number): AbinitNumbers | undefined {
    const value = this.#values.get(name)
    if (value === undefined) return undefined
    this.#values.delete(name)
    const { line } = value
    const last = value.words.at(-1) ?? ''
    const hasUnit = NO_NAME.test(last) && readQuotient(last) === undefined
    const isLength = LENGTHS.has(name)
    if (hasUnit && !isLength) this.#values.set(name, { words: [last], line })
    const values = readNumbers(name, hasUnit ? value.words.slice(0, -1) : value.words, { count, line })
    if (values.length !== count) {
      const found = values.length > count ? 'more' : values.length
      const message = `${name} has ${found} values, and needs ${count}.`
      throw refusal(FORMAT_ERRORS.inconsistentCounts, message, { line })
    }
    return { values, unit: hasUnit && isLength ? unitOf(last, line) : ANGSTROM_PER_BOHR, line }
  }

  /** What nobody has taken. */
  get unused(): UnusedLines {
    const unused = new UnusedLines()
    for (const [name, { words }] of this.#values) unused.add(name, words.join(' '))
    return unused
  }
}

const LINE_END = 10

/** Numbers of a variable. */
export interface AbinitNumbers {
  readonly values: readonly number[]
  /** Length in Å of that by which they are multiplied where they are lengths. */
  readonly unit: number
  /** Counted from 1. */
  readonly line: number
}

/** Reads numbers, of which `3*1.0` are three and `*1.0` as many as are wanted; stops behind one more than these. */
function readNumbers(name: string, words: readonly string[], { count, line }: { count: number; line: number }) {
  const values: number[] = []
  for (const word of words) {
    const [, times, text = word] = /^(\d*)\*(.+)$/.exec(word) ?? []
    const value = readQuotient(text)
    if (value === undefined) {
      const hint = 'Numbers are written as 0.5, 1/2, sqrt(3)/2, 3*0.5 or *0.5.'
      throw refusal(FORMAT_ERRORS.malformed, `${name} has "${shorten(word)}", which is no number.`, { line, hint })
    }
    const most = count - values.length
    const repeated = times === undefined ? 1 : times === '' ? most : Math.min(Number(times), most + 1)
    for (let index = 0; index < repeated; index++) values.push(value)
    if (values.length > count) break
  }
  return values
}

function readQuotient(text: string): number | undefined {
  return readNumber(text) ?? evaluateArithmetic(text)
}

function unitOf(word: string, line: number): number {
  const name = word.replace(/^angstr\w*$/i, 'angstrom').replace(/^bohrs$/i, 'bohr')
  return angstromPer(name, ['bohr', 'angstrom', 'nm', 'au'], { line })
}
