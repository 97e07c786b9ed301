import { add, IDENTITY, inverse, type Matrix3, mapMatrix, multiply, scale, type Vector3 } from '../linear-algebra.ts'
import { compose, inOtherAxes, modulo1, operatorKey, parseOperator, type SymmetryOperator } from './operator.ts'

/*
 * Hall symbols: S. R. Hall, Acta Cryst. A37 (1981) 517; International Tables for Crystallography B, 1.4, appendix A1.4.2.
 */

/** The operators of the largest space group cell, F centred cubic. */
const MOST_OPERATORS = 192

const CENTRINGS: Readonly<Record<string, readonly Vector3[]>> = {
  P: [],
  A: [[0, 1 / 2, 1 / 2]],
  B: [[1 / 2, 0, 1 / 2]],
  C: [[1 / 2, 1 / 2, 0]],
  I: [[1 / 2, 1 / 2, 1 / 2]],
  R: [
    [2 / 3, 1 / 3, 1 / 3],
    [1 / 3, 2 / 3, 2 / 3],
  ],
  S: [
    [1 / 3, 1 / 3, 2 / 3],
    [2 / 3, 2 / 3, 1 / 3],
  ],
  T: [
    [1 / 3, 2 / 3, 1 / 3],
    [2 / 3, 1 / 3, 2 / 3],
  ],
  H: [
    [2 / 3, 1 / 3, 0],
    [1 / 3, 2 / 3, 0],
  ],
  F: [
    [0, 1 / 2, 1 / 2],
    [1 / 2, 0, 1 / 2],
    [1 / 2, 1 / 2, 0],
  ],
}

/** Rotations about c; those about a and b follow by exchanging the axes in turn. */
const ABOUT_C: Readonly<Record<string, Matrix3>> = {
  '1': IDENTITY,
  '2': [
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
  ],
  '3': [
    [0, -1, 0],
    [1, -1, 0],
    [0, 0, 1],
  ],
  '4': [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  '6': [
    [1, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  "2'": [
    [0, -1, 0],
    [-1, 0, 0],
    [0, 0, -1],
  ],
  '2"': [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, -1],
  ],
}
const ABOUT_DIAGONAL: Matrix3 = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
]
/** Takes a to b, b to c and c to a. */
const CYCLE: Matrix3 = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
]

const TRANSLATIONS: Readonly<Record<string, Vector3>> = {
  a: [1 / 2, 0, 0],
  b: [0, 1 / 2, 0],
  c: [0, 0, 1 / 2],
  n: [1 / 2, 1 / 2, 1 / 2],
  u: [1 / 4, 0, 0],
  v: [0, 1 / 4, 0],
  w: [0, 0, 1 / 4],
  d: [1 / 4, 1 / 4, 1 / 4],
}

type AxisLetter = 'x' | 'y' | 'z'
const ROTATION_SYMBOL = /^(-?)([12346])([xyz])?(['"*=])?([abcnuvwd1-5]*)$/

/** All operators of the space group that a Hall symbol describes; nothing when the text is no Hall symbol. */
export function operatorsOfHallSymbol(symbol: string): readonly SymmetryOperator[] | undefined {
  const [, inversion, centring, body, basis] =
    /^\s*(-?)\s*([PABCIRSTHF])\s+([^()]+?)\s*(\([^()]*\))?\s*$/i.exec(symbol) ?? []
  if (centring === undefined || body === undefined) return undefined
  const rotations = readRotations(body.replaceAll('_', ' ').toLowerCase().replaceAll("''", '"').split(/\s+/))
  if (rotations === undefined) return undefined
  const generators: SymmetryOperator[] = [...rotations]
  if (inversion === '-') generators.push({ rotation: negative(IDENTITY), translation: [0, 0, 0] })
  for (const translation of CENTRINGS[centring.toUpperCase()] ?? [])
    generators.push({ rotation: IDENTITY, translation })
  const change = basis === undefined ? undefined : readChangeOfBasis(basis)
  if (basis !== undefined && change === undefined) return undefined
  return closeGroup(change === undefined ? generators : generators.map((operator) => inOtherAxes(operator, change)))
}

function readRotations(symbols: readonly string[]): SymmetryOperator[] | undefined {
  const operators: SymmetryOperator[] = []
  let previous: { order: number; axis: AxisLetter } = { order: 0, axis: 'z' }
  for (const [index, symbol] of symbols.entries()) {
    const [, sign, order, axisLetter, diagonal, subscripts = ''] = ROTATION_SYMBOL.exec(symbol) ?? []
    if (order === undefined) return undefined
    const letter = asAxis(axisLetter)
    const axis = letter ?? impliedAxis(index, Number(order), previous)
    const mark = diagonal === '=' ? '"' : (diagonal ?? impliedDiagonal(index, order, axisLetter, previous))
    const frame = mark === "'" || mark === '"' ? (letter ?? previous.axis) : axis
    const rotation = mark === '*' ? ABOUT_DIAGONAL : rotationAbout(frame, `${order}${mark ?? ''}`)
    if (rotation === undefined) return undefined
    const translation = readSubscripts(subscripts, Number(order), axis)
    operators.push({ rotation: sign === '-' ? negative(rotation) : rotation, translation })
    previous = { order: Number(order), axis: frame }
  }
  return operators
}

function asAxis(letter: string | undefined): AxisLetter | undefined {
  return letter === 'x' || letter === 'y' || letter === 'z' ? letter : undefined
}

/** The first axis is c; a twofold axis after a two- or fourfold one is a. */
function impliedAxis(index: number, order: number, previous: { order: number }): AxisLetter {
  return index === 1 && order === 2 && (previous.order === 2 || previous.order === 4) ? 'x' : 'z'
}

/** A twofold axis after a three- or sixfold one is a-b; a threefold axis in the third place is a+b+c. */
function impliedDiagonal(index: number, order: string, axis: string | undefined, previous: { order: number }) {
  if (axis !== undefined) return undefined
  if (index === 1 && order === '2' && (previous.order === 3 || previous.order === 6)) return "'"
  return index >= 1 && order === '3' ? '*' : undefined
}

function rotationAbout(axis: AxisLetter, name: string): Matrix3 | undefined {
  const aboutC = Object.hasOwn(ABOUT_C, name) ? ABOUT_C[name] : undefined
  if (aboutC === undefined || axis === 'z') return aboutC
  const turn = axis === 'x' ? CYCLE : multiply(CYCLE, CYCLE)
  return mapMatrix(multiply(multiply(turn, aboutC), inverse(turn)), Math.round)
}

/** Letters are glide vectors; a digit is the pitch of a screw in parts of its order. */
function readSubscripts(subscripts: string, order: number, axis: AxisLetter): Vector3 {
  let sum: Vector3 = [0, 0, 0]
  for (const letter of subscripts) {
    const screw: Vector3 = [axis === 'x' ? 1 : 0, axis === 'y' ? 1 : 0, axis === 'z' ? 1 : 0]
    sum = add(sum, TRANSLATIONS[letter] ?? scale(screw, Number(letter) / order))
  }
  return [modulo1(sum[0]), modulo1(sum[1]), modulo1(sum[2])]
}

/** `(0 0 4)`, a shift in twelfths, or `(x-y,x+y,z)`. */
function readChangeOfBasis(text: string): SymmetryOperator | undefined {
  const inside = text.slice(1, -1).trim()
  const twelfths = inside.split(/\s+/).map(Number)
  const [x, y, z] = twelfths
  if (
    x !== undefined &&
    y !== undefined &&
    z !== undefined &&
    twelfths.length === 3 &&
    twelfths.every(Number.isInteger)
  ) {
    return { rotation: IDENTITY, translation: [x / 12, y / 12, z / 12] }
  }
  return parseOperator(inside)
}

/** Multiplies generators until nothing new comes; nothing when they generate no space group. */
function closeGroup(generators: readonly SymmetryOperator[]): readonly SymmetryOperator[] | undefined {
  const group: SymmetryOperator[] = [{ rotation: IDENTITY, translation: [0, 0, 0] }]
  const seen = new Set(group.map(operatorKey))
  // The list is walked while it grows.
  for (const operator of group) {
    for (const generator of generators) {
      const product = compose(generator, operator)
      const key = operatorKey(product)
      if (seen.has(key)) continue
      if (group.length >= MOST_OPERATORS * 4) return undefined
      seen.add(key)
      group.push(product)
    }
  }
  return group
}

function negative(matrix: Matrix3): Matrix3 {
  return mapMatrix(matrix, (value) => 0 - value)
}
