import { combineRows, cross, determinant, length, type Matrix3, type Vector3 } from '../vector.ts'

/** The same place in the cell at the origin: from 0 up to, and without, 1. */
export function wrapFraction(x: number): number {
  const wrapped = x - Math.floor(x)
  return wrapped === 1 ? 0 : wrapped
}

/** Two atoms, by index, and the distance between the nearest of their images. */
export interface NearPair {
  readonly first: number
  readonly second: number
  readonly distance: number
}

/** Numbers the cells of a grid over the unit cell, and says how many to look at on each side. */
interface Grid {
  readonly counts: readonly number[]
  readonly reach: readonly number[]
}

const MOST_CELLS_PER_EDGE = 100_000
const SMALLEST_GRID_ANGSTROM = 1
/** A cell this thin would have to be searched through very many of its images. */
const MOST_IMAGES = 20

/**
 * Finds the pairs of atoms nearer than a distance, images included, in time proportional to their number: atoms are sorted
 * into a grid, and only neighbouring grid cells are compared. `limitOf` gives the distance for a pair, never more than
 * `largest`. An atom is not paired with its own images.
 */
export function* nearPairs(
  lattice: Matrix3,
  periodic: readonly boolean[],
  fractions: readonly Vector3[],
  limitOf: (first: number, second: number) => number,
  largest: number,
): Generator<NearPair> {
  const places = fractions.map((fraction) => fraction.map((x, axis) => (periodic[axis] ? wrapFraction(x) : x)))
  const grid = gridFor(lattice, largest)
  const occupants = new Map<number, number[]>()
  for (const [index, place] of places.entries()) {
    const key = keyOf(cellOf(place, grid))
    const list = occupants.get(key)
    if (list === undefined) occupants.set(key, [index])
    else list.push(index)
  }
  for (const [first, place] of places.entries()) {
    const home = cellOf(place, grid)
    const best = new Map<number, number>()
    for (const { key, shift } of neighbours(home, grid, periodic)) {
      for (const second of occupants.get(key) ?? []) {
        if (second <= first) continue
        const distance = distanceBetween(lattice, place, places[second] as number[], shift)
        if (distance < Math.min(limitOf(first, second), best.get(second) ?? Number.POSITIVE_INFINITY)) {
          best.set(second, distance)
        }
      }
    }
    for (const [second, distance] of best) yield { first, second, distance }
  }
}

/** Grid cells are at least as wide as the distance where the unit cell allows it, so that few of them need a look. */
function gridFor(lattice: Matrix3, largest: number): Grid {
  const volume = Math.abs(determinant(lattice))
  const heights = [0, 1, 2].map((axis) => {
    const [u, v] = [lattice[(axis + 1) % 3] as Vector3, lattice[(axis + 2) % 3] as Vector3]
    return volume / length(cross(u, v))
  })
  const counts = heights.map((height) =>
    Math.max(1, Math.min(MOST_CELLS_PER_EDGE, Math.floor(height / Math.max(largest, SMALLEST_GRID_ANGSTROM)))),
  )
  const reach = heights.map((height, axis) =>
    Math.min(MOST_IMAGES, Math.ceil((largest * (counts[axis] as number)) / height)),
  )
  return { counts, reach }
}

function cellOf(place: readonly number[], grid: Grid): number[] {
  return place.map((x, axis) => Math.floor(x * (grid.counts[axis] as number)))
}

const KEY_BASE = 2 ** 17

/** One number for three; two cells that share it are compared once more than needed, nothing worse. */
function keyOf(cell: readonly number[]): number {
  return (cell[0] as number) + KEY_BASE * ((cell[1] as number) + KEY_BASE * (cell[2] as number))
}

/** The grid cells around one, each with the whole lattice vectors to add to what lies in it. */
function* neighbours(home: readonly number[], grid: Grid, periodic: readonly boolean[]) {
  const [ra, rb, rc] = grid.reach as [number, number, number]
  for (let i = -ra; i <= ra; i++) {
    for (let j = -rb; j <= rb; j++) {
      for (let k = -rc; k <= rc; k++) {
        const shift = [0, 0, 0]
        const cell = [i, j, k].map((step, axis) => {
          const index = (home[axis] as number) + step
          if (!periodic[axis]) return index
          const count = grid.counts[axis] as number
          shift[axis] = Math.floor(index / count)
          return index - count * (shift[axis] as number)
        })
        yield { key: keyOf(cell), shift }
      }
    }
  }
}

function distanceBetween(lattice: Matrix3, from: readonly number[], to: readonly number[], shift: readonly number[]) {
  const u = (to[0] as number) + (shift[0] as number) - (from[0] as number)
  const v = (to[1] as number) + (shift[1] as number) - (from[1] as number)
  const w = (to[2] as number) + (shift[2] as number) - (from[2] as number)
  return length(combineRows([u, v, w], lattice))
}
