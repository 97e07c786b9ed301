import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { IDENTITY, type Matrix3, mapMatrix, type Vector3 } from '../../linear-algebra.ts'
import {
  compose,
  fitsCell,
  operatorKey,
  parseOperator,
  productOutside,
  type SymmetryOperator,
} from '../../symmetry/operator.ts'
import { shorten } from '../common/text.ts'
import type { ResLine } from './instructions.ts'

const THIRDS: readonly Vector3[] = [
  [2 / 3, 1 / 3, 1 / 3],
  [1 / 3, 2 / 3, 2 / 3],
]

/** Translations of the lattices that LATT numbers: P, I, R, F, A, B, C. */
const CENTRINGS: readonly (readonly Vector3[])[] = [
  [],
  [[0.5, 0.5, 0.5]],
  THIRDS,
  [
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
  [[0, 0.5, 0.5]],
  [[0.5, 0, 0.5]],
  [[0.5, 0.5, 0]],
]

const NOTHING: Vector3 = [0, 0, 0]
const INVERSION: SymmetryOperator = { rotation: mapMatrix(IDENTITY, (entry) => 0 - entry), translation: NOTHING }

/** All operators: those of SYMM, with the inversion unless LATT is negative, at each lattice point of LATT. */
export function operatorsOf(
  latt: ResLine | undefined,
  symm: readonly ResLine[],
  lattice: Matrix3,
): readonly SymmetryOperator[] {
  const number = Number(latt?.words[1] ?? 1)
  const centring = CENTRINGS[Math.abs(number) - 1]
  if (centring === undefined) {
    const message = `LATT "${shorten(latt?.words[1] ?? '')}" is no lattice.`
    throw refusal(FORMAT_ERRORS.unknownSpaceGroup, message, {
      line: latt?.line ?? 1,
      hint: 'LATT is 1 to 7, or -1 to -7.',
    })
  }
  const listed = symm.slice(0, MOST_OPERATORS + 1).map(readOperator)
  const identity: SymmetryOperator = { rotation: IDENTITY, translation: NOTHING }
  const all = new Map<string, SymmetryOperator>()
  for (const shift of [NOTHING, ...centring]) {
    for (const operator of [identity, ...listed]) {
      for (const one of number < 0 ? [operator] : [operator, compose(operator, INVERSION)]) {
        const moved = compose({ rotation: IDENTITY, translation: shift }, one)
        all.set(operatorKey(moved), moved)
      }
    }
  }
  const operators = [...all.values()]
  const line = symm[0]?.line ?? latt?.line ?? 1
  if (operators.length > MOST_OPERATORS || productOutside(operators) !== undefined) {
    const hint = 'SYMM lists all operators but the identity, the inversion and those of the centring.'
    throw refusal(FORMAT_ERRORS.unknownSpaceGroup, 'The operators of LATT and SYMM are no group.', { line, hint })
  }
  if (!fitsCell(operators, lattice))
    throw refusal(FORMAT_ERRORS.malformed, 'The cell does not have the symmetry of the operators.', { line })
  return operators
}

/** Those of the largest space groups. */
const MOST_OPERATORS = 192

function readOperator({ words, line }: ResLine): SymmetryOperator {
  const text = words.slice(1).join(' ')
  const operator = parseOperator(text)
  if (operator?.rotation.flat().every(Number.isInteger)) return operator
  const hint = 'An operator is written as -X, 0.5+Y, -Z.'
  throw refusal(FORMAT_ERRORS.unknownSpaceGroup, `"${shorten(text)}" is not a symmetry operator.`, { line, hint })
}
