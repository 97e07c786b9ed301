import { applyToColumn, multiply } from '../matrix-algebra.ts'
import { AXES, type Matrix3, type Vector3 } from '../vector.ts'

/** A symmetry operation on fractional coordinates: rotation times column, plus translation. */
export interface SymmetryOperator {
  readonly rotation: Matrix3
  readonly translation: Vector3
}

const LETTERS = ['x', 'y', 'z'] as const
const TERM = /([+-]?)\s*(?:(\d+(?:\.\d*)?|\.\d+)(?:\s*\/\s*(\d+(?:\.\d*)?))?\s*\*?\s*)?([xyz])?/y
/** Translations of space groups in any usual setting are multiples of this. */
const TRANSLATION_STEPS = 24
const SNAP = 2e-3

/** Reads a triplet such as `-y+1/2, x-y, 0.25+z`; nothing when the text is no such triplet of a rotation. */
export function parseOperator(text: string): SymmetryOperator | undefined {
  const parts = text.toLowerCase().trim().split(',')
  if (parts.length !== 3) return undefined
  const rows = parts.map((part) => parseComponent(part.trim()))
  const [x, y, z] = rows
  if (x === undefined || y === undefined || z === undefined) return undefined
  const rotation: Matrix3 = [x.row, y.row, z.row]
  return { rotation, translation: [snap(x.shift), snap(y.shift), snap(z.shift)] }
}

function parseComponent(text: string): { row: Vector3; shift: number } | undefined {
  const row: [number, number, number] = [0, 0, 0]
  let shift = 0
  let position = 0
  if (text === '') return undefined
  while (position < text.length) {
    TERM.lastIndex = position
    const term = readTerm(TERM.exec(text), position === 0)
    if (term === undefined) return undefined
    if (term.axis === undefined) shift += term.value
    else row[term.axis === 'x' ? 0 : term.axis === 'y' ? 1 : 2] += term.value
    position = TERM.lastIndex
    while (text[position] === ' ') position++
  }
  return { row, shift }
}

/** A number, an axis, or a number of times an axis; only the first term of a component may be without a sign. */
function readTerm(
  match: RegExpExecArray | null,
  isFirst: boolean,
): { value: number; axis: string | undefined } | undefined {
  const [whole, sign, number, divisor, axis] = match ?? []
  if (whole === undefined || (number === undefined && axis === undefined)) return undefined
  if (!isFirst && sign === '') return undefined
  const size = Number(number ?? 1) / Number(divisor ?? 1)
  const value = sign === '-' ? -size : size
  return Number.isFinite(value) ? { value, axis } : undefined
}

/** Takes 0.3333 for the third that is meant, and brings the translation into the cell. */
function snap(value: number): number {
  const steps = Math.round(value * TRANSLATION_STEPS)
  const near = Math.abs(value - steps / TRANSLATION_STEPS) < SNAP ? steps / TRANSLATION_STEPS : value
  return modulo1(near)
}

/** From 0 up to, and without, 1; values a hair below 1 are 0. */
export function modulo1(value: number): number {
  const wrapped = value - Math.floor(value)
  return wrapped > 1 - 1e-9 ? 0 : wrapped
}

/** One operation after another: first `inner`, then `outer`. */
export function compose(outer: SymmetryOperator, inner: SymmetryOperator): SymmetryOperator {
  const [x, y, z] = applyToColumn(outer.rotation, inner.translation)
  const [tx, ty, tz] = outer.translation
  return {
    rotation: multiply(outer.rotation, inner.rotation),
    translation: [modulo1(x + tx), modulo1(y + ty), modulo1(z + tz)],
  }
}

/** The same text for operators that are the same but for whole lattice translations. */
export function operatorKey(operator: SymmetryOperator): string {
  const steps = operator.translation.map((value) => Math.round(modulo1(value) * 144) % 144)
  return `${operator.rotation.join()};${steps.join()}`.replaceAll('-0', '0')
}

/** Writes an operator as a triplet: `-y,x-y,z+1/3`. */
export function printOperator(operator: SymmetryOperator): string {
  const { rotation, translation } = operator
  return AXES.map((axis) => printComponent(rotation[axis], translation[axis])).join(',')
}

function printComponent(row: Vector3, shift: number): string {
  const terms = row.flatMap((factor, index) => {
    if (factor === 0) return []
    const size = Math.abs(factor) === 1 ? '' : `${Math.abs(factor)}*`
    return [`${factor < 0 ? '-' : '+'}${size}${LETTERS[index]}`]
  })
  if (shift !== 0) terms.push(`+${fraction(shift)}`)
  return terms.length === 0 ? '0' : terms.join('').replace(/^\+/, '')
}

function fraction(value: number): string {
  for (const divisor of [2, 3, 4, 6, 8, 12, 24]) {
    const steps = value * divisor
    if (Math.abs(steps - Math.round(steps)) < 1e-9) return `${Math.round(steps)}/${divisor}`
  }
  return String(value)
}
