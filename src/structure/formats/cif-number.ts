import type { CifValue } from './cif-document.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'
import { shorten } from './text.ts'

const CIF_NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?)(?:\s*\(\d*\.?\d*\)?)?$/
const RATIO = /^([+-]?\d+)\/(\d+)$/

/** Reads `5.43`, `5.43(2)`, `.5`, `1e-3` or `1/3`; nothing when the text is no number. */
export function readCifNumber(text: string): number | undefined {
  if (text === '') return undefined
  const number = CIF_NUMBER.exec(text.trim())?.[1]
  if (number !== undefined) {
    const value = Number(number.replace(/[dD]/, 'e'))
    return Number.isFinite(value) ? value : undefined
  }
  const [, above, below] = RATIO.exec(text.trim()) ?? []
  return above !== undefined && Number(below) !== 0 ? Number(above) / Number(below) : undefined
}

/** Reads a number that must be one; refuses with tag and line. */
export function requireCifNumber(value: CifValue, tag: string): number {
  const number = readCifNumber(value.text)
  if (number !== undefined) return number
  throw refusal(FORMAT_ERRORS.malformed, `${tag} "${shorten(value.text)}" is not a number.`, { line: value.line })
}
