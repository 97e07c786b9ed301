import type { StructureLimits } from '../../crystal.ts'
import { type FileFrame, GatheredText, type LineReader, NO_FRAMES } from '../common/splitter.ts'
import { linesOf, wordsOf } from '../common/text.ts'

/** A line of an input, with the lines that go on from it. */
export interface GulpLine {
  readonly words: readonly string[]
  /** Counted from 1. */
  readonly line: number
}

/** Takes an input into its lines: `&` at the end goes on in the next one, `#` begins a comment. */
export function linesOfGulp(text: string): readonly GulpLine[] {
  const lines: { words: string[]; line: number }[] = []
  let isOpen = false
  for (const [index, raw] of linesOf(text).entries()) {
    const words = wordsOf(raw.replace(/#.*$/, ''))
    const goesOn = words.at(-1) === '&'
    if (goesOn) words.pop()
    if (isOpen) lines.at(-1)?.words.push(...words)
    else if (words.length > 0) lines.push({ words, line: index + 1 })
    isOpen = goesOn && (isOpen || words.length > 0)
  }
  return lines
}

const OPTIONS = [
  'cell',
  'vectors',
  'fractional',
  'cartesian',
  'spacegroup',
  'origin',
  'name',
  'title',
  'supercell',
  'scell',
  'svectors',
  'sfractional',
  'pcell',
  'pvectors',
  'pfractional',
  'symmetry_operator',
] as const

/** An option that speaks of the structure. */
export type GulpOption = (typeof OPTIONS)[number]

const LEAST_LETTERS = 4

/** The option that a line begins, of which GULP looks at four letters; nothing where it is about the calculation. */
export function optionOf([word = '']: readonly string[]): GulpOption | undefined {
  const name = word.toLowerCase()
  if (/^symmetry_[cn]/.test(name)) return undefined
  const letters = name.slice(0, LEAST_LETTERS)
  return letters.length < LEAST_LETTERS ? undefined : OPTIONS.find((option) => option.startsWith(letters))
}

const TYPE = /^(?:c|core?|bc|bcore?|s|shell?|bs|bshell?)$/i
/** Options have four letters and more. */
const LABEL = /^(?:[A-Za-z]{1,3}\d{0,4}(?:_\w*)?|\d{1,3})$/
const BEGINS_AS_NUMBER = /^[-+]?\.?\d/

/** An atom or a shell as its line gives it. */
export interface GulpRow {
  readonly label: string
  readonly isShell: boolean
  /** Behind label and type. */
  readonly values: readonly string[]
}

/** The atom that a line of coordinates is; nothing where it is none. */
export function rowOf([label = '', type = '', ...values]: readonly string[]): GulpRow | undefined {
  if (TYPE.test(type)) return { label, isShell: /^b?s/i.test(type), values }
  const isAtom = LABEL.test(label) && BEGINS_AS_NUMBER.test(type)
  return isAtom ? { label, isShell: false, values: [type, ...values] } : undefined
}

/** What the next structure of a file may begin with. */
const BEGINNINGS: ReadonlySet<GulpOption | undefined> = new Set([
  'name',
  'title',
  'cell',
  'vectors',
  'scell',
  'svectors',
  'pcell',
  'pvectors',
])

/** Takes the structures of a file apart: after atoms, the next one begins with its name or its cell. */
export class GulpStructures implements LineReader {
  readonly #text: GatheredText
  #hasAtoms = false

  constructor(limits: StructureLimits) {
    this.#text = new GatheredText(limits)
  }

  line(text: string, number: number): readonly FileFrame[] {
    const option = optionOf(wordsOf(text.slice(0, LONGEST_OPTION)))
    const isNext = this.#hasAtoms && BEGINNINGS.has(option)
    const whole = isNext ? [this.#text.take()] : NO_FRAMES
    if (isNext) this.#text.begin(number)
    this.#hasAtoms = /fractional|cartesian/.test(option ?? '') || (this.#hasAtoms && !isNext)
    this.#text.add(`${text}\n`)
    return whole
  }

  finish(): readonly FileFrame[] {
    return [this.#text.take()]
  }
}

const LONGEST_OPTION = 100
