/** Fractions of three vectors. */
export type Fraction = readonly number[]

/** Products of the reciprocal vectors with each other. */
export type Metric = readonly (readonly number[])[]

/** Point of the zone that has a name. */
export interface ZonePoint {
  readonly label: string
  readonly fraction: Fraction
}

/** A way through the zone, laid out on one axis. */
export interface KPath {
  /** Distance of each point along the way, in the unit of the metric. */
  readonly distances: readonly number[]
  /** Corners, with the names that are known; `U|K` where the way goes on at another place. */
  readonly marks: readonly { readonly at: number; readonly text: string }[]
  /** Points before which the way is broken. */
  readonly breaks: ReadonlySet<number>
}

const SAME = 1e-4
/** A step that is so many times as long as those beside it is none of the way. */
const JUMP = 4
/** Cosine of the angle from which on a way has a corner. */
const STRAIGHT = 0.9995
const NAMED = 2e-3

/** Lays out the points of a band structure; null where they are no way but a mesh. */
export function kPathOf(
  points: readonly Fraction[],
  metric: Metric,
  nameOf: (point: Fraction) => string,
): KPath | null {
  const steps = points.map((point, at) => (at === 0 ? [0, 0, 0] : difference(point, points[at - 1] ?? [])))
  const lengths = steps.map((step) => lengthOf(step, metric))
  const breaks = new Set(lengths.flatMap((length, at) => (isJump(lengths, at, length) ? [at] : [])))
  let sum = 0
  const distances = lengths.map((length, at) => {
    sum += breaks.has(at) ? 0 : length
    return sum
  })
  const corners = points.flatMap((_, at) => (isCorner({ steps, lengths, breaks, metric }, at) ? [at] : []))
  if (points.length > 8 && corners.length > points.length / 2) return null
  return { distances, breaks, marks: marksOf(corners, distances, (at) => nameOf(points[at] ?? [])) }
}

/** A step is compared with the nearest ones on both sides that lead anywhere. */
function isJump(lengths: readonly number[], at: number, length: number): boolean {
  const before = lengths.slice(1, at).findLast((one) => one > SAME)
  const after = lengths.slice(at + 1).find((one) => one > SAME)
  return before !== undefined && after !== undefined && length > JUMP * Math.max(before, after)
}

interface Steps {
  readonly steps: readonly Fraction[]
  readonly lengths: readonly number[]
  readonly breaks: ReadonlySet<number>
  readonly metric: Metric
}

function isCorner({ steps, lengths, breaks, metric }: Steps, at: number): boolean {
  if (at === 0 || at === steps.length - 1 || breaks.has(at) || breaks.has(at + 1)) return true
  const [before, after] = [lengths[at] ?? 0, lengths[at + 1] ?? 0]
  // A point that is there twice ends one straight part and begins another.
  if (before < SAME || after < SAME) return true
  return product(steps[at] ?? [], steps[at + 1] ?? [], metric) / (before * after) < STRAIGHT
}

function marksOf(corners: readonly number[], distances: readonly number[], nameOf: (at: number) => string) {
  const marks = new Map<string, { at: number; names: Set<string> }>()
  for (const corner of corners) {
    const at = distances[corner] ?? 0
    const key = at.toFixed(6)
    const mark = marks.get(key) ?? { at, names: new Set<string>() }
    mark.names.add(nameOf(corner))
    marks.set(key, mark)
  }
  return [...marks.values()].map(({ at, names }) => ({ at, text: [...names].filter((name) => name !== '').join('|') }))
}

/** Names points of the zone by those that are known, and by those that the symmetry of the lattice makes of them. */
export function pointNames(points: readonly ZonePoint[], metric: Metric): (point: Fraction) => string {
  const turns = latticeTurns(metric)
  const all = points.map(({ label, fraction }) => ({ label, images: turns.map((turn) => turned(fraction, turn)) }))
  return (point) => {
    if (isSame(point, [0, 0, 0])) return 'Γ'
    const itself = points.find(({ fraction }) => isSame(point, fraction))
    return (itself ?? all.find(({ images }) => images.some((image) => isSame(point, image))))?.label ?? ''
  }
}

/** Whether two points differ by whole reciprocal vectors. */
function isSame(one: Fraction, other: Fraction): boolean {
  return one.every((part, axis) => {
    const apart = part - (other[axis] ?? 0)
    return Math.abs(apart - Math.round(apart)) < NAMED
  })
}

const WHOLE = [-1, 0, 1].flatMap((a) => [-1, 0, 1].flatMap((b) => [-1, 0, 1].map((c): Fraction => [a, b, c])))

/** Rotations and reflections that bring a lattice onto itself, as rows of whole numbers. */
function latticeTurns(metric: Metric): readonly (readonly Fraction[])[] {
  const alike = [0, 1, 2].map((axis) =>
    WHOLE.filter((vector) => isClose(product(vector, vector, metric), metric[axis]?.[axis] ?? 0)),
  )
  const fits = (one: Fraction, other: Fraction, at: readonly [number, number]) =>
    isClose(product(one, other, metric), metric[at[0]]?.[at[1]] ?? 0)
  return (alike[0] ?? []).flatMap((a) =>
    (alike[1] ?? [])
      .filter((b) => fits(a, b, [0, 1]))
      .flatMap((b) => (alike[2] ?? []).filter((c) => fits(a, c, [0, 2]) && fits(b, c, [1, 2])).map((c) => [a, b, c])),
  )
}

function turned(point: Fraction, turn: readonly Fraction[]): Fraction {
  return [0, 1, 2].map((axis) => point.reduce((sum, part, row) => sum + part * (turn[row]?.[axis] ?? 0), 0))
}

/** Lengths and angles of a cell. */
export interface CellLengths {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
}

/** Products of the reciprocal vectors of a cell, with 2π. */
export function reciprocalMetric({ a, b, c, alpha, beta, gamma }: CellLengths): Metric {
  const [ca, cb, cg] = [alpha, beta, gamma].map((angle) => Math.cos((angle * Math.PI) / 180)) as [
    number,
    number,
    number,
  ]
  const g = [
    [a * a, a * b * cg, a * c * cb],
    [a * b * cg, b * b, b * c * ca],
    [a * c * cb, b * c * ca, c * c],
  ]
  const at = (row: number, column: number) => g[row % 3]?.[column % 3] ?? 0
  const cofactor = (row: number, column: number) =>
    at(row + 1, column + 1) * at(row + 2, column + 2) - at(row + 1, column + 2) * at(row + 2, column + 1)
  const determinant = [0, 1, 2].reduce((sum, column) => sum + at(0, column) * cofactor(0, column), 0)
  return [0, 1, 2].map((row) => [0, 1, 2].map((column) => (4 * Math.PI ** 2 * cofactor(row, column)) / determinant))
}

/** Whether two cells are of one form, so that fractions mean the same in both. */
export function isSameMetric(one: Metric, other: Metric): boolean {
  return one.every((row, at) => row.every((value, column) => isClose(value, other[at]?.[column] ?? Number.NaN)))
}

function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= 0.02 * Math.max(Math.abs(one), Math.abs(other)) + 1e-6
}

function difference(one: Fraction, other: Fraction): Fraction {
  return one.map((part, axis) => part - (other[axis] ?? 0))
}

function lengthOf(vector: Fraction, metric: Metric): number {
  return Math.sqrt(Math.max(0, product(vector, vector, metric)))
}

function product(one: Fraction, other: Fraction, metric: Metric): number {
  return one.reduce(
    (sum, part, row) =>
      sum + other.reduce((inner, value, column) => inner + part * value * (metric[row]?.[column] ?? 0), 0),
    0,
  )
}
