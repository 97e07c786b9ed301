import { requireCell } from '../../cell.ts'
import type { StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import { ANGSTROM_PER_BOHR } from '../../lattice.ts'
import { length, type Matrix3, scale, type Vector3 } from '../../linear-algebra.ts'
import { angstromPer } from '../common/length-units.ts'
import { readNumber, requireVector, wordsOf } from '../common/text.ts'
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
export function readEspressoLattice(input: EspressoInput, warnings: StructureWarning[]): EspressoLattice {
  const index = variableNumber(input, 'ibrav')
  const card = findCard(input, 'CELL_PARAMETERS')
  if (index === undefined && card === undefined) {
    throw refusal(FORMAT_ERRORS.malformed, 'The input has no ibrav.', { hint: 'Set ibrav in &SYSTEM.' })
  }
  if (index === undefined || index === 0) return readFreeLattice(input, card, warnings)
  if (card !== undefined) {
    const hint = 'Use ibrav = 0 with CELL_PARAMETERS, or leave the card out.'
    throw twice(`The cell is given by ibrav = ${index} and by CELL_PARAMETERS.`, { line: card.line, hint })
  }
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
  const [bohr = 0, a = 0] = [variableNumber(input, 'celldm(1)'), variableNumber(input, 'a')]
  if (bohr !== 0 && a !== 0) {
    const hint = 'Give celldm in bohr, or A, B and C in ångström.'
    throw twice('The lattice constant is given by celldm(1) and by A.', { hint })
  }
  return bohr === 0 ? a || undefined : bohr * ANGSTROM_PER_BOHR
}

/** The refusal of what pw.x does not settle either. */
function twice(message: string, place: SourcePlace): Error {
  return refusal(FORMAT_ERRORS.impossibleCell, message, place)
}

function readDimensions(input: EspressoInput, index: number): CellDimensions {
  const a = edgeA(input)
  if (a === undefined || a <= 0) {
    throw refusal(FORMAT_ERRORS.impossibleCell, `ibrav = ${index} needs a lattice constant.`, {
      hint: 'Set celldm(1) in bohr or A in ångström.',
    })
  }
  const variable = (name: string): number => variableNumber(input, name) ?? 0
  if ((variableNumber(input, 'celldm(1)') ?? 0) !== 0) {
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

function readFreeLattice(input: EspressoInput, card: Card | undefined, warnings: StructureWarning[]): EspressoLattice {
  if (card === undefined) throw refusal(FORMAT_ERRORS.impossibleCell, 'ibrav = 0 needs the card CELL_PARAMETERS.', {})
  const rows = [0, 1, 2].map((index) => {
    const row = card.lines[index]
    return requireVector(wordsOf(row?.text ?? ''), 'A lattice vector', { line: row?.line ?? card.line })
  }) as unknown as Matrix3
  const { unit, alat } = unitOfCell(card, edgeA(input), warnings)
  const lattice = rows.map((row) => scale(row, unit)) as unknown as Matrix3
  return { lattice: requireCell(lattice, { line: card.line }), alat: alat ?? length(lattice[0] as Vector3) }
}

/** Outputs print the lattice constant with eight decimals. */
const ALAT_TOLERANCE = 1e-5

/** Units of CELL_PARAMETERS and, where one is given, of places in `alat`, both in ångström. */
function unitOfCell(
  card: Card,
  given: number | undefined,
  warnings: StructureWarning[],
): { readonly unit: number; readonly alat: number | undefined } {
  const { line } = card
  const [name = '', , value] = card.option.split(/([=\s]+)/)
  if (name === '') {
    const message = `CELL_PARAMETERS has no unit: ${given === undefined ? 'bohr' : 'alat'} is assumed.`
    warnings.push({ code: 'unit-assumed', message, line })
    return { unit: given ?? ANGSTROM_PER_BOHR, alat: given }
  }
  if (name === 'alat') {
    // Outputs of pw.x repeat the value: CELL_PARAMETERS (alat= 10.2), in bohr.
    const printed = (readNumber(value) ?? 0) * ANGSTROM_PER_BOHR
    const alat = given ?? printed
    if (alat <= 0) throw refusal(FORMAT_ERRORS.impossibleCell, 'CELL_PARAMETERS alat needs celldm(1) or A.', { line })
    if (printed === 0 || Math.abs(printed - alat) <= ALAT_TOLERANCE * alat) return { unit: alat, alat }
    const hint = 'Give one of the two.'
    throw twice(`CELL_PARAMETERS says alat = ${value}, and celldm(1) or A another lattice constant.`, { line, hint })
  }
  const unit = angstromPer(name, ['bohr', 'angstrom'], { line, hint: 'Use alat, bohr or angstrom.' })
  if (given === undefined) return { unit, alat: undefined }
  const hint = 'Leave celldm(1) or A out, or use CELL_PARAMETERS alat.'
  throw twice(`CELL_PARAMETERS is in ${name}, and celldm(1) or A gives a lattice constant too.`, { line, hint })
}
