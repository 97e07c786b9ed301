import { fractionsOf } from '../../../src/structure/cell.ts'
import type { Crystal, CrystalSite } from '../../../src/structure/crystal.ts'
import { latticeVectors } from '../../../src/structure/lattice.ts'
import { add, type Matrix3, mapVector, scale, type Vector3 } from '../../../src/structure/linear-algebra.ts'

export type Cell = Pick<Crystal, 'lattice' | 'sites'>

/** A cubic crystal by its edge in Å and the places of its atoms. */
function cubic(edge: number, atoms: readonly (readonly [string, ...Vector3])[]): Cell {
  const lattice = latticeVectors({ a: edge, b: edge, c: edge, alpha: 90, beta: 90, gamma: 90 })
  return { lattice, sites: atoms.map(([element, x, y, z]): CrystalSite => ({ element, fraction: [x, y, z] })) }
}

const FACES: readonly Vector3[] = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
]

function onFaces(element: string, shift: number): (readonly [string, ...Vector3])[] {
  return FACES.map(([x, y, z]) => [element, x + shift, y + shift, z + shift] as const)
}

/** Conventional cells, each with its space group. */
export const CUBIC_CRYSTALS = {
  aluminium: { number: 225, cell: cubic(4.046, onFaces('Al', 0)) },
  silicon: { number: 227, cell: cubic(5.431, [...onFaces('Si', 0), ...onFaces('Si', 0.25)]) },
  'rock salt': { number: 225, cell: cubic(5.64, [...onFaces('Na', 0), ...onFaces('Cl', 0.5)]) },
} as const

/** So many cells along each edge. */
export function supercellOf({ lattice: [a, b, c], sites }: Cell, times: number): Cell {
  const steps = Array.from({ length: times }, (_, step) => step)
  const cells = steps.flatMap((i) => steps.flatMap((j) => steps.map((k): Vector3 => [i, j, k])))
  return {
    lattice: [scale(a, times), scale(b, times), scale(c, times)],
    sites: cells.flatMap((origin) =>
      sites.map((site) => ({ ...site, fraction: scale(add(site.fraction, origin), 1 / times) })),
    ),
  }
}

/** The crystal with every atom off its place, by so many Å in the root mean square, at random. */
export function withNoise(cell: Cell, rms: number, random: () => number): Cell {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const off = (): Vector3 => mapVector([0, 0, 0], () => (normal() * rms) / Math.sqrt(3))
  return {
    ...cell,
    sites: cell.sites.map((site) => ({ ...site, fraction: moved(site.fraction, off(), cell.lattice) })),
  }
}

function moved(fraction: Vector3, by: Vector3, lattice: Matrix3): Vector3 {
  const [difference = by] = fractionsOf([by], lattice)
  return add(fraction, difference)
}
