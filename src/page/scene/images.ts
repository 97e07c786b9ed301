import { AXES, faceTolerances, type Structure } from './structure.ts'
import type { Unit } from './units.ts'
import { add, combine, length, scale, subtract, type Vector3 } from './vector.ts'

/** Counts of cells along a, b and c. */
export type Supercell = readonly [number, number, number]

/** An atom of the structure in one of the cells. */
export interface AtomImage {
  /** Index of its atom in the structure. */
  readonly site: number
  /** In which cell it is. */
  readonly cell: Vector3
}

/** Atoms that are drawn, each once. */
export class Images {
  readonly list: AtomImage[] = []
  readonly #indexes = new Map<number, number>()

  /** The index of an image, if it is there. */
  find(site: number, cell: Vector3): number | undefined {
    return this.#indexes.get(keyOf(site, cell))
  }

  /** Adds an image where it is not there yet, and says its index. */
  add(site: number, cell: Vector3): number {
    const key = keyOf(site, cell)
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    this.#indexes.set(key, this.list.length)
    return this.list.push({ site, cell }) - 1
  }
}

const KEY_BASE = 2 ** 10

/** One number for an atom and a cell; no drawing has as many cells as the base. */
function keyOf(site: number, [a, b, c]: Vector3): number {
  const half = KEY_BASE / 2
  return a + half + KEY_BASE * (b + half + KEY_BASE * (c + half + KEY_BASE * site))
}

/** Repeats units over a supercell; with `boundary`, those on its lower faces are on the upper ones too. */
export function repeated(
  structure: Structure,
  units: readonly Unit[],
  { supercell, boundary }: { readonly supercell: Supercell; readonly boundary: boolean },
): Images {
  const images = new Images()
  const tolerances = faceTolerances(structure)
  for (const { atoms, shifts, anchor } of units) {
    const [alongA, alongB, alongC] = AXES.map((axis) => {
      if (!structure.periodic[axis]) return [0]
      const home = -Math.floor(anchor[axis] + tolerances[axis])
      const isOnFace = boundary && anchor[axis] + home <= tolerances[axis]
      return Array.from({ length: supercell[axis] + (isOnFace ? 1 : 0) }, (_, cell) => home + cell)
    }) as [number[], number[], number[]]
    for (const a of alongA)
      for (const b of alongB)
        for (const c of alongC)
          for (const [i, atom] of atoms.entries()) {
            const [x, y, z] = shifts[i] as Vector3
            images.add(atom, [x + a, y + b, z + c])
          }
  }
  return images
}

/** From one end to the other. */
export type Segment = readonly [Vector3, Vector3]

/** Above this, only the edges of the whole are drawn. */
const MOST_CELLS = 64

/** The edges of each cell of a supercell. */
export function edgesOf({ lattice }: Structure, supercell: Supercell): Segment[] {
  const isMany = supercell[0] * supercell[1] * supercell[2] > MOST_CELLS
  const [counts, steps]: [Supercell, Supercell] = isMany ? [[1, 1, 1], supercell] : [supercell, [1, 1, 1]]
  const corner = (a: number, b: number, c: number): Vector3 =>
    combine([a * steps[0], b * steps[1], c * steps[2]], lattice)
  const edges: Segment[] = []
  for (let a = 0; a <= counts[0]; a++)
    for (let b = 0; b <= counts[1]; b++)
      for (let c = 0; c <= counts[2]; c++) {
        const from = corner(a, b, c)
        if (a < counts[0]) edges.push([from, corner(a + 1, b, c)])
        if (b < counts[1]) edges.push([from, corner(a, b + 1, c)])
        if (c < counts[2]) edges.push([from, corner(a, b, c + 1)])
      }
  return edges
}

/** A sphere around all points, its middle that of their box. */
export function enclosing(points: readonly Vector3[], margin: number): { center: Vector3; radius: number } {
  let [low, high] = [points[0] ?? [0, 0, 0], points[0] ?? [0, 0, 0]] as [Vector3, Vector3]
  for (const [x, y, z] of points) {
    low = [Math.min(low[0], x), Math.min(low[1], y), Math.min(low[2], z)]
    high = [Math.max(high[0], x), Math.max(high[1], y), Math.max(high[2], z)]
  }
  const center = scale(add(low, high), 0.5)
  const radius = points.reduce((most, point) => Math.max(most, length(subtract(point, center))), 0)
  return { center, radius: radius + margin }
}
