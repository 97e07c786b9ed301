import { type Crystal, DEFAULT_LIMITS, type ReadOptions, type StructureLimits } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import type { Vector3 } from '../../linear-algebra.ts'

/** Removes a byte-order mark and makes every line end `\n`, also those that were translated twice on their way. */
export function normalizeText(text: string): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  return text.slice(start).replace(/\r+\n|\r/g, '\n')
}

/** Splits at the line ends of any system. */
export function linesOf(text: string): string[] {
  return normalizeText(text).split('\n')
}

export function wordsOf(line: string): string[] {
  const trimmed = line.trim()
  return trimmed === '' ? [] : trimmed.split(/\s+/)
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$/

/** Reads a decimal number as Fortran and C write them (`1.5d-3`), or nothing when the text is no such number. */
export function readNumber(text: string | undefined): number | undefined {
  if (text === undefined || !NUMBER.test(text)) return undefined
  const value = Number(text.replace(/[dD]/, 'e'))
  return Number.isFinite(value) ? value : undefined
}

/** Reads a number that must be there; refuses with the field's content. */
export function requireNumber(text: string | undefined, what: string, place: SourcePlace): number {
  const value = readNumber(text)
  if (value !== undefined) return value
  throw refusal(
    FORMAT_ERRORS.malformed,
    text === undefined ? `${what} is missing.` : `${what} "${shorten(text)}" is not a number.`,
    place,
  )
}

export function requireVector(words: readonly string[], what: string, place: SourcePlace): Vector3 {
  if (words.length < 3) {
    const message = `${what} needs three numbers, "${shorten(words.join(' '))}" has fewer.`
    throw refusal(FORMAT_ERRORS.malformed, message, place)
  }
  const [x, y, z] = [0, 1, 2].map((index) => requireNumber(words[index], what, place)) as [number, number, number]
  return [x, y, z]
}

/** Reads a whole number that is not negative. */
export function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\+?\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Cuts a text for use in a message. */
export function shorten(text: string, length = 60): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}

/** Writes a number so that reading it gives the same number, without an exponent. */
export function decimal(value: number): string {
  const text = String(value + 0)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}

/** Three decimals in columns. */
export function decimalColumns(values: readonly number[], width = 20): string {
  return values.map((value) => decimal(value).padStart(width)).join(' ')
}

/** One line of text without control characters, fit for a title; empty titles become the fallback. */
export function oneLine(text: string, fallback: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  return line === '' ? fallback : line
}

export function limitsOf(options: ReadOptions): StructureLimits {
  return options.limits ?? DEFAULT_LIMITS
}

/** Refuses more atoms than allowed, as soon as their number is known. */
export function requireFewAtoms(count: number, options: ReadOptions, place: SourcePlace = {}): void {
  const most = limitsOf(options).atoms
  if (count <= most) return
  const message = `The structure has ${count} atoms; at most ${most} can be stored.`
  throw refusal(FORMAT_ERRORS.tooManyAtoms, message, { ...place, hint: 'Store a smaller cell.' })
}

/** End of the sentence about what is left out of a file, where anything is left. */
export const OF_ATOMS_THAT_REMAIN = ': the formula is that of the atoms that remain.'

/** Refuses a file of no atoms; where all are left out, with what is said of them, else with where the format has them. */
export function requireAtoms(crystal: Crystal, hint = ''): Crystal {
  if (crystal.sites.length > 0) return crystal
  const none = crystal.warnings.find(({ code }) => code === 'no-atom')
  if (none !== undefined)
    throw refusal(
      FORMAT_ERRORS.unknownSpecies,
      `The file has no atoms. ${none.message.replace(OF_ATOMS_THAT_REMAIN, '.')}`,
      none.line === undefined ? {} : { line: none.line },
    )
  throw refusal(FORMAT_ERRORS.noStructure, 'The file lists no atoms.', hint === '' ? {} : { hint })
}
