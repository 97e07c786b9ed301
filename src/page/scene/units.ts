import type { Neighbours } from './bonds.ts'
import type { Structure } from './structure.ts'
import type { Vector3 } from './vector.ts'

/** A unit that is repeated as a whole: a molecule or an atom. */
export interface Unit {
  readonly atoms: readonly number[]
  /** In which cell each atom is, so that they are together. */
  readonly shifts: readonly Vector3[]
  /** The middle, in fractions of the cell: where the unit is counted to be. */
  readonly anchor: Vector3
}

/** A chain of bonds through this many cells is taken for an endless one. */
const FARTHEST_CELL = 100

/** Every atom by itself. */
export function atomUnits({ fractions }: Structure): Unit[] {
  return fractions.map((anchor, atom) => ({ atoms: [atom], shifts: [[0, 0, 0]], anchor }))
}

/** The molecules of a structure, put together over the faces of the cell; what is bonded without end stays atoms. */
export function moleculeUnits(structure: Structure, neighbours: Neighbours): Unit[] {
  const cells = new Array<Vector3 | undefined>(structure.species.length)
  return structure.species.flatMap((_, atom) => (cells[atom] === undefined ? unitsFrom(atom, cells) : []))

  function unitsFrom(root: number, known: (Vector3 | undefined)[]): Unit[] {
    const { atoms, isEndless } = follow(root, neighbours, known)
    const { fractions } = structure
    if (isEndless || atoms.length === 1)
      return atoms
        .sort((a, b) => a - b)
        .map((atom) => ({ atoms: [atom], shifts: [[0, 0, 0]], anchor: fractions[atom] as Vector3 }))
    const shifts = atoms.map((atom) => known[atom] as Vector3)
    const mean = (axis: 0 | 1 | 2): number =>
      atoms.reduce((sum, atom, i) => sum + (fractions[atom] as Vector3)[axis] + (shifts[i] as Vector3)[axis], 0) /
      atoms.length
    return [{ atoms, shifts, anchor: [mean(0), mean(1), mean(2)] }]
  }
}

/** Goes along bonds and notes the cell in which each atom is reached; one that is reached in two cells is bonded to its own image. */
function follow(root: number, neighbours: Neighbours, cells: (Vector3 | undefined)[]) {
  const atoms = [root]
  cells[root] = [0, 0, 0]
  let isEndless = false
  for (let done = 0; done < atoms.length; done++) {
    const atom = atoms[done] as number
    const [x, y, z] = cells[atom] as Vector3
    for (let at = neighbours.starts[atom] as number; at < (neighbours.starts[atom + 1] as number); at++) {
      const other = neighbours.atoms[at] as number
      const { shifts } = neighbours
      const cell: Vector3 = [
        x + (shifts[3 * at] as number),
        y + (shifts[3 * at + 1] as number),
        z + (shifts[3 * at + 2] as number),
      ]
      const known = cells[other]
      if (known === undefined) {
        cells[other] = cell
        atoms.push(other)
        if (cell.some((along) => Math.abs(along) > FARTHEST_CELL)) isEndless = true
      } else if (known.some((along, axis) => along !== cell[axis])) isEndless = true
    }
  }
  return { atoms, isEndless }
}
