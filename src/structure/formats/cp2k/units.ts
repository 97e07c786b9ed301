import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { scale, type Vector3 } from '../../linear-algebra.ts'
import { evaluateArithmetic } from '../common/arithmetic.ts'
import { angstromPer } from '../common/length-units.ts'
import { readNumber, shorten, wordsOf } from '../common/text.ts'
import type { InputRow } from './input.ts'

const LENGTHS = ['angstrom', 'bohr', 'nm', 'pm', 'm', 'internal_cp2k'] as const
const DEGREES_PER: Readonly<Record<string, number>> = { deg: 1, rad: 180 / Math.PI, internal_cp2k: 180 / Math.PI }

/** Three lengths in Å, of a unit that stands before them or else of the one that is usual. */
export function lengthsOf(row: InputRow, usual = 'angstrom'): Vector3 {
  return vectorOf(row, usual, lengthIn)
}

/** Three angles in degrees. */
export function anglesOf(row: InputRow): Vector3 {
  return vectorOf(row, 'deg', degreesPer)
}

/** Å in a unit of length. */
export function lengthIn(unit: string, line: number): number {
  return angstromPer(unit, LENGTHS, { line })
}

function vectorOf(row: InputRow, usual: string, factorOf: (unit: string, line: number) => number): Vector3 {
  const [, unit = usual, rest = ''] = /^(?:\[\s*([^\]\s]+)\s*\])?\s*(.*)$/.exec(row.value) ?? []
  return scale(placeOf({ ...row, value: rest }), factorOf(unit, row.line))
}

function degreesPer(unit: string, line: number): number {
  const name = unit.toLowerCase()
  const factor = Object.hasOwn(DEGREES_PER, name) ? DEGREES_PER[name] : undefined
  if (factor !== undefined) return factor
  const hint = `Use one of ${Object.keys(DEGREES_PER).join(', ')}.`
  throw refusal(FORMAT_ERRORS.malformed, `"${shorten(unit)}" is no unit of angle.`, { line, hint })
}

/** The three numbers with which a value begins; `1/3` is a number. */
export function placeOf({ keyword, value, line }: InputRow): Vector3 {
  const [x, y, z] = wordsOf(value)
    .slice(0, 3)
    .map((word) => readNumber(word) ?? evaluateArithmetic(word))
  if (x !== undefined && y !== undefined && z !== undefined) return [x, y, z]
  const message = `${shorten(keyword)} is followed by "${shorten(value)}", which does not begin with three numbers.`
  const hint = value.includes('$') ? 'A variable has its value by @SET, above.' : ''
  throw refusal(FORMAT_ERRORS.malformed, message, { line, ...(hint === '' ? {} : { hint }) })
}

/** Whether a logical keyword is set: alone, it is. */
export function isSet(row: InputRow | undefined): boolean {
  return row !== undefined && !/^\.?(?:f|n|off)/i.test(row.value)
}
