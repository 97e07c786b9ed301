import { AXES, faceTolerances, type Structure } from './structure.ts'
import type { Unit } from './units.ts'
import type { Vector3 } from './vector.ts'

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
