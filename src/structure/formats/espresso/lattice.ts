import { requireCell } from '../../cell.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { ANGSTROM_PER_BOHR } from '../../lattice.ts'
import { length, type Matrix3, scale, type Vector3 } from '../../linear-algebra.ts'
import { requireVector, wordsOf } from '../common/text.ts'
import { type Card, type EspressoInput, findCard, variableNumber } from './input.ts'

/** Edges in ångström and cosines of the angles, however the input gives them. */
interface CellDimensions {
  readonly a: number
  readonly b: number
  readonly c: number
  /** Cosine of the angle that the lattice's own rule asks for, in the order of celldm(4), (5), (6). */
  readonly cosines: readonly [number, number, number]
}

/** The lattice in ångström, and the unit `alat` that positions may use. */
export interface EspressoLattice {
  readonly lattice: Matrix3
  readonly alat: number
}

/** Reads the lattice from `ibrav` and its parameters, or from the card CELL_PARAMETERS. */
export function readEspressoLattice(input: EspressoInput): EspressoLattice {
  const index = variableNumber(input, 'ibrav')
  const card = findCard(input, 'CELL_PARAMETERS')
  if (index === undefined && card === undefined) {
    throw refusal(FORMAT_ERRORS.malformed, 'The input has no ibrav.', { hint: 'Set ibrav in &SYSTEM.' })
  }
  if (index === undefined || index === 0) return readFreeLattice(input, card)
  const dimensions = readDimensions(input, index)
  const rows = bravaisVectors(index, dimensions)
  if (rows === undefined) {
    throw refusal(FORMAT_ERRORS.malformed, `ibrav = ${index} is no lattice that Quantum ESPRESSO knows.`, {
      hint: 'Use 0 with CELL_PARAMETERS, or one of 1 to 14, -3, -5, -9, 91, -12, -13.',
    })
  }
  return { lattice: requireCell(rows), alat: dimensions.a }
}

function edgeA(input: EspressoInput): number | undefined {
  const bohr = variableNumber(input, 'celldm(1)')
  const a = bohr === undefined ? variableNumber(input, 'a') : bohr * ANGSTROM_PER_BOHR
  return a === 0 ? undefined : a
}

function readDimensions(input: EspressoInput, index: number): CellDimensions {
  const a = edgeA(input)
  if (a === undefined || a <= 0) {
    throw refusal(FORMAT_ERRORS.impossibleCell, `ibrav = ${index} needs a lattice constant.`, {
      hint: 'Set celldm(1) in bohr or A in ångström.',
    })
  }
  const variable = (name: string): number => variableNumber(input, name) ?? 0
  if (input.variables.has('celldm(1)')) {
    return {
      a,
      b: a * variable('celldm(2)'),
      c: a * variable('celldm(3)'),
      cosines: [variable('celldm(4)'), variable('celldm(5)'), variable('celldm(6)')],
    }
  }
  const cosines: [number, number, number] =
    index === 14 ? [variable('cosbc'), variable('cosac'), variable('cosab')] : [variable('cosab'), variable('cosac'), 0]
  return { a, b: variable('b'), c: variable('c'), cosines }
}

/** The vectors of each `ibrav`, as the documentation of pw.x defines them. */
function bravaisVectors(index: number, { a, b, c, cosines }: CellDimensions): Matrix3 | undefined {
  const half = a / 2
  const [p, q, r] = cosines
  const sine = (cosine: number): number => Math.sqrt(Math.max(0, 1 - cosine * cosine))
  switch (index) {
    case 1:
      return [
        [a, 0, 0],
        [0, a, 0],
        [0, 0, a],
      ]
    case 2:
      return [
        [-half, 0, half],
        [0, half, half],
        [-half, half, 0],
      ]
    case 3:
      return [
        [half, half, half],
        [-half, half, half],
        [-half, -half, half],
      ]
    case -3:
      return [
        [-half, half, half],
        [half, -half, half],
        [half, half, -half],
      ]
    case 4:
      return [
        [a, 0, 0],
        [-half, (a * Math.sqrt(3)) / 2, 0],
        [0, 0, c],
      ]
    case 5:
      return threefoldAlongC(a, p)
    case -5:
      return threefoldAlongDiagonal(a, p)
    case 6:
      return [
        [a, 0, 0],
        [0, a, 0],
        [0, 0, c],
      ]
    case 7:
      return [
        [half, -half, c / 2],
        [half, half, c / 2],
        [-half, -half, c / 2],
      ]
    case 8:
      return [
        [a, 0, 0],
        [0, b, 0],
        [0, 0, c],
      ]
    case 9:
      return [
        [half, b / 2, 0],
        [-half, b / 2, 0],
        [0, 0, c],
      ]
    case -9:
      return [
        [half, -b / 2, 0],
        [half, b / 2, 0],
        [0, 0, c],
      ]
    case 91:
      return [
        [a, 0, 0],
        [0, b / 2, -c / 2],
        [0, b / 2, c / 2],
      ]
    case 10:
      return [
        [half, 0, c / 2],
        [half, b / 2, 0],
        [0, b / 2, c / 2],
      ]
    case 11:
      return [
        [half, b / 2, c / 2],
        [-half, b / 2, c / 2],
        [-half, -b / 2, c / 2],
      ]
    case 12:
      return [
        [a, 0, 0],
        [b * p, b * sine(p), 0],
        [0, 0, c],
      ]
    case -12:
      return [
        [a, 0, 0],
        [0, b, 0],
        [c * q, 0, c * sine(q)],
      ]
    case 13:
      return [
        [half, 0, -c / 2],
        [b * p, b * sine(p), 0],
        [half, 0, c / 2],
      ]
    case -13:
      return [
        [half, b / 2, 0],
        [-half, b / 2, 0],
        [c * q, 0, c * sine(q)],
      ]
    case 14: {
      const height = Math.sqrt(Math.max(0, 1 + 2 * p * q * r - p * p - q * q - r * r))
      return [
        [a, 0, 0],
        [b * r, b * sine(r), 0],
        [c * q, (c * (p - q * r)) / sine(r), (c * height) / sine(r)],
      ]
    }
    default:
      return undefined
  }
}

function rhombohedral(cosine: number): { tx: number; ty: number; tz: number } {
  const root = (value: number): number => Math.sqrt(Math.max(0, value))
  return { tx: root((1 - cosine) / 2), ty: root((1 - cosine) / 6), tz: root((1 + 2 * cosine) / 3) }
}

function threefoldAlongC(a: number, cosine: number): Matrix3 {
  const { tx, ty, tz } = rhombohedral(cosine)
  return [
    [a * tx, -a * ty, a * tz],
    [0, 2 * a * ty, a * tz],
    [-a * tx, -a * ty, a * tz],
  ]
}

function threefoldAlongDiagonal(a: number, cosine: number): Matrix3 {
  const { ty, tz } = rhombohedral(cosine)
  const edge = a / Math.sqrt(3)
  const u = edge * (tz - 2 * Math.SQRT2 * ty)
  const v = edge * (tz + Math.SQRT2 * ty)
  return [
    [u, v, v],
    [v, u, v],
    [v, v, u],
  ]
}

function readFreeLattice(input: EspressoInput, card: Card | undefined): EspressoLattice {
  if (card === undefined) throw refusal(FORMAT_ERRORS.impossibleCell, 'ibrav = 0 needs the card CELL_PARAMETERS.', {})
  const rows = [0, 1, 2].map((index) => {
    const row = card.lines[index]
    return requireVector(wordsOf(row?.text ?? ''), 'A lattice vector', { line: row?.line ?? card.line })
  }) as unknown as Matrix3
  const given = edgeA(input)
  const factor = unitOfCell(card, given)
  const lattice = rows.map((row) => scale(row, factor)) as unknown as Matrix3
  return { lattice: requireCell(lattice, { line: card.line }), alat: given ?? length(lattice[0] as Vector3) }
}

/** Unit of CELL_PARAMETERS, in ångström. */
function unitOfCell(card: Card, alat: number | undefined): number {
  const [unit = '', , value] = card.option.split(/([=\s]+)/)
  if (unit === 'angstrom') return 1
  if (unit === 'bohr') return ANGSTROM_PER_BOHR
  // Outputs of pw.x repeat the value: CELL_PARAMETERS (alat= 10.2), in bohr.
  if (unit === 'alat' && value !== undefined && Number(value) > 0) return Number(value) * ANGSTROM_PER_BOHR
  if (unit === 'alat' || unit === '') {
    if (alat !== undefined) return alat
    if (unit === '') return ANGSTROM_PER_BOHR
    throw refusal(FORMAT_ERRORS.impossibleCell, 'CELL_PARAMETERS alat needs celldm(1) or A.', { line: card.line })
  }
  const message = `CELL_PARAMETERS has the unknown unit "${unit}".`
  throw refusal(FORMAT_ERRORS.malformed, message, { line: card.line, hint: 'Use alat, bohr or angstrom.' })
}
