import { withinCell } from '../cell.ts'
import type { Crystal, CrystalSite } from '../crystal.ts'
import {
  AXES,
  combineRows,
  determinant,
  IDENTITY,
  inverse,
  itemAt,
  type Matrix3,
  mapVector,
  multiply,
  type Vector3,
} from '../linear-algebra.ts'
import { hermiteForm } from '../symmetry/primitive-cell.ts'
import type { SupercellTerms } from './build-step.ts'
import { cannotBuild, requireRoom } from './refusals.ts'
import { withoutMixedFlags } from './site-flags.ts'

/** The rows of a supercell: each new lattice vector as whole multiples of the old ones. */
export function supercellMatrix(terms: SupercellTerms): Matrix3 {
  if ('matrix' in terms) return terms.matrix
  const [na, nb, nc] = terms.size
  return [
    [na, 0, 0],
    [0, nb, 0],
    [0, 0, nc],
  ]
}

/**
 * Repeats a crystal: new lattice vectors (rows, Å) are the matrix times the old ones, and each site comes as often as its determinant says, its images one after the
 * other, the first of them that in the cell at the origin. Refuses a determinant that is not positive, more than `most` sites, and repeats along a direction in which the structure does not
 * repeat. As `make_supercell` of ASE and of pymatgen.
 */
export function supercellOf(crystal: Crystal, terms: SupercellTerms, most: number): Crystal {
  const matrix = supercellMatrix(terms)
  const count = Math.round(determinant(matrix))
  requireRightHanded(count)
  requireRepeats(crystal, matrix)
  const hint = `The supercell has ${count} times the ${crystal.sites.length} sites: ask for a smaller one, or begin with the primitive cell.`
  requireRoom(count * crystal.sites.length, most, hint)
  const toNew = inverse(matrix)
  const shifts = cellsWithin(matrix)
  const placed = (site: CrystalSite): readonly CrystalSite[] =>
    shifts.map(([i, j, k]) => {
      const [x, y, z] = site.fraction
      const fraction = combineRows([x + i, y + j, z + k], toNew)
      return { ...site, fraction: mapVector(fraction, (u, axis) => (crystal.periodic[axis] ? withinCell(u) : u)) }
    })
  const { sites, ...kept } = withoutMixedFlags(crystal, isDiagonal(matrix))
  return { ...kept, lattice: multiply(matrix, crystal.lattice), sites: sites.flatMap(placed) }
}

/** Cells of the old lattice, one for each image in the new one; the first is that at the origin. */
function cellsWithin(matrix: Matrix3): readonly Vector3[] {
  const [[na], [, nb], [, , nc]] = hermiteForm(matrix)
  const cells: Vector3[] = []
  for (let i = 0; i < na; i++) for (let j = 0; j < nb; j++) for (let k = 0; k < nc; k++) cells.push([i, j, k])
  return cells
}

function isDiagonal(matrix: Matrix3): boolean {
  return matrix.every((row, i) => row.every((entry, j) => i === j || entry === 0))
}

function requireRightHanded(count: number): void {
  if (count > 0) return
  const [message, hint] =
    count === 0
      ? [
          'The rows of the matrix lie in one plane: its determinant is 0.',
          'Write three rows that span space, such as 1 1 0, -1 1 0 and 0 0 1.',
        ]
      : [
          `The determinant of the matrix is ${count}: the vectors would be left-handed.`,
          'Exchange two rows, or reverse the signs of all three.',
        ]
  throw cannotBuild(message, hint, 'supercell.matrix')
}

/** Refuses changes along what does not repeat. */
function requireRepeats({ periodic }: Crystal, matrix: Matrix3): void {
  for (const axis of AXES) {
    if (periodic[axis]) continue
    const isAsItWas = AXES.every((other) => {
      const wanted = itemAt(itemAt(IDENTITY, axis), other)
      return itemAt(itemAt(matrix, axis), other) === wanted && itemAt(itemAt(matrix, other), axis) === wanted
    })
    if (isAsItWas) continue
    const name = 'abc'.charAt(axis)
    const message = `The structure does not repeat along ${name}, so it cannot be repeated there.`
    throw cannotBuild(message, `Write 1 for ${name}, as 2 2 1 of a slab.`, 'supercell')
  }
}
