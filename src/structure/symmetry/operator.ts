import {
  AXES,
  addToList,
  applyToColumn,
  IDENTITY,
  inverse,
  type Matrix3,
  mapMatrix,
  mapVector,
  metricOf,
  multiply,
  transpose,
  type Vector3,
} from '../linear-algebra.ts'

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

/** An operator as it is in other axes and from another origin; the change takes places to where they are then. */
export function inOtherAxes(operator: SymmetryOperator, change: SymmetryOperator): SymmetryOperator {
  const back = inverse(change.rotation)
  const rotation = mapMatrix(
    multiply(multiply(change.rotation, operator.rotation), back),
    (value) => Math.round(value * 1e6) / 1e6 + 0,
  )
  const turned = applyToColumn(change.rotation, operator.translation)
  const shifted = applyToColumn(rotation, change.translation)
  const translation = mapVector(turned, (x, axis) => modulo1(x + change.translation[axis] - shifted[axis]))
  return { rotation, translation }
}

/** Where an operator takes a place to. */
export function imageOf([x, y, z]: Vector3, { rotation: [p, q, r], translation }: SymmetryOperator): Vector3 {
  return [
    p[0] * x + p[1] * y + p[2] * z + translation[0],
    q[0] * x + q[1] * y + q[2] * z + translation[1],
    r[0] * x + r[1] * y + r[2] * z + translation[2],
  ]
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

/** Translations that are nearer than this, as fractions of the cell, were written with few digits. */
const SAME_TRANSLATION = 5e-3
const NOTHING: SymmetryOperator = { rotation: IDENTITY, translation: [0, 0, 0] }

/** Operators by rotation, to look one up: the same but for whole lattice translations and for few digits. */
export class OperatorSet {
  readonly #byRotation = new Map<number, SymmetryOperator[]>()

  constructor(operators: Iterable<SymmetryOperator> = []) {
    for (const operator of operators) this.add(operator)
  }

  add(operator: SymmetryOperator): void {
    const key = rotationKey(operator.rotation)
    addToList(this.#byRotation, key, operator)
  }

  find({ rotation, translation }: SymmetryOperator): SymmetryOperator | undefined {
    return this.#byRotation.get(rotationKey(rotation))?.find((known) => isSame(known.translation, translation))
  }
}

/** Entries of rotations in any axes that a file would use are whole and small. */
const KEY_BASE = 11

/** One number for a rotation. */
export function rotationKey(rotation: Matrix3): number {
  let key = 0
  for (const row of rotation) for (const entry of row) key = key * KEY_BASE + entry
  return key
}

function isSame(one: Vector3, other: Vector3): boolean {
  return isWhole(one[0] - other[0]) && isWhole(one[1] - other[1]) && isWhole(one[2] - other[2])
}

function isWhole(difference: number): boolean {
  return Math.abs(difference - Math.round(difference)) < SAME_TRANSLATION
}

/** Two operators, and what the one after the other is. */
export interface Product {
  readonly first: SymmetryOperator
  readonly second: SymmetryOperator
  readonly product: SymmetryOperator
}

/** Finds a product that is not listed, of operators that are no group then. Tries as many as generate the rest; the identity is listed. */
export function productOutside(operators: readonly SymmetryOperator[]): Product | undefined {
  const listed = new OperatorSet([NOTHING, ...operators])
  const group = [NOTHING]
  const reached = new Set(group)
  const generators: SymmetryOperator[] = []
  for (const generator of operators) {
    if (reached.has(listed.find(generator) ?? generator)) continue
    generators.push(generator)
    // The list is walked while it grows.
    for (const first of group) {
      for (const second of generators) {
        const product = compose(second, first)
        const same = listed.find(product)
        if (same === undefined) return { first, second, product }
        if (reached.has(same)) continue
        reached.add(same)
        group.push(same)
      }
    }
  }
  return undefined
}

const generatorsByList = new WeakMap<readonly SymmetryOperator[], readonly SymmetryOperator[]>()

/** Operators of a group that all others are products of, the identity aside; found once for each list. */
export function generatorsOf(operators: readonly SymmetryOperator[]): readonly SymmetryOperator[] {
  const generators = generatorsByList.get(operators) ?? findGenerators(operators)
  generatorsByList.set(operators, generators)
  return generators
}

function findGenerators(operators: readonly SymmetryOperator[]): readonly SymmetryOperator[] {
  const generators: SymmetryOperator[] = []
  let group = new Map([[operatorKey(NOTHING), NOTHING]])
  for (const operator of operators) {
    if (group.has(operatorKey(operator))) continue
    generators.push(operator)
    group = closureOf(generators)
  }
  return generators
}

function closureOf(generators: readonly SymmetryOperator[]): Map<string, SymmetryOperator> {
  const group = new Map([[operatorKey(NOTHING), NOTHING]])
  // The group is walked while it grows.
  for (const first of group.values()) {
    for (const generator of generators) {
      const product = compose(generator, first)
      const key = operatorKey(product)
      if (!group.has(key)) group.set(key, product)
    }
  }
  return group
}

/** Images nearer than this are one atom on a special position that was written with few digits. */
export const SAME_SITE_ANGSTROM = 0.1
/** Coordinates this near to a third are the third that four digits cannot express. */
const THIRD_TOLERANCE = 1e-4

/** Takes 0.3333 for 1/3 and 0.6667 for 2/3. */
export function snapThirds(value: number): number {
  const thirds = Math.round(value * 3)
  if (thirds % 3 === 0) return value
  return Math.abs(value - thirds / 3) < THIRD_TOLERANCE ? thirds / 3 : value
}

/** All places that the operators take a site to, each once, within the cell; the first is the site itself. Images as near as `sameSite` are one. */
export function expandSite(
  site: Vector3,
  operators: readonly SymmetryOperator[],
  lattice: Matrix3,
  sameSite: number = SAME_SITE_ANGSTROM,
): Vector3[] {
  const metric = metricOf(lattice)
  const images: Vector3[] = [[wrap(site[0]), wrap(site[1]), wrap(site[2])]]
  for (const { rotation, translation } of operators) {
    const [r0, r1, r2] = rotation
    const x = wrap(r0[0] * site[0] + r0[1] * site[1] + r0[2] * site[2] + translation[0])
    const y = wrap(r1[0] * site[0] + r1[1] * site[1] + r1[2] * site[2] + translation[1])
    const z = wrap(r2[0] * site[0] + r2[1] * site[1] + r2[2] * site[2] + translation[2])
    if (!images.some((image) => squaredDistance(metric, x - image[0], y - image[1], z - image[2]) < sameSite ** 2)) {
      images.push([x, y, z])
    }
  }
  return images
}

/** Into the cell; what is a hair below 1 is 0, so that images of one place do not lie on both sides. */
function wrap(x: number): number {
  const wrapped = x - Math.floor(x)
  return wrapped > 1 - 1e-9 || wrapped < 1e-9 ? 0 : wrapped
}

/** Square of the shortest vector between images; exact if much shorter than the cell is thick, which is all that is asked. */
function squaredDistance(metric: Matrix3, dx: number, dy: number, dz: number): number {
  const x = dx - Math.round(dx)
  const y = dy - Math.round(dy)
  const z = dz - Math.round(dz)
  const [a, b, c] = metric
  return a[0] * x * x + b[1] * y * y + c[2] * z * z + 2 * (a[1] * x * y + a[2] * x * z + b[2] * y * z)
}

/** Relative difference of lengths and angles up to which an operator is said to fit a cell. */
const FIT_TOLERANCE = 0.03

/** Tells whether the operators leave all lengths and angles of the cell as they are, up to a relative difference. */
export function fitsCell(
  operators: readonly SymmetryOperator[],
  lattice: Matrix3,
  tolerance: number = FIT_TOLERANCE,
): boolean {
  const metric = metricOf(lattice)
  const size = mapVector([metric[0][0], metric[1][1], metric[2][2]], Math.sqrt)
  return operators.every(({ rotation }) => {
    const turned = multiply(multiply(transpose(rotation), metric), rotation)
    return AXES.every((i) =>
      AXES.every((j) => Math.abs(turned[i][j] - metric[i][j]) <= 2 * tolerance * size[i] * size[j]),
    )
  })
}
