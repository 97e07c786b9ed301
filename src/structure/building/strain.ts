import type { Crystal } from '../crystal.ts'
import { applyToColumn, determinant, type Matrix3 } from '../linear-algebra.ts'
import type { StrainTerms } from './build-step.ts'
import { cannotBuild } from './refusals.ts'

/**
 * The matrix F by which a strain takes a place x (column, Å, in the Cartesian frame of the lattice vectors) to F·x. Of Voigt's six components F is 1 + ε without any rotation, shears being twice the tensor's
 * (J. F. Nye, Physical Properties of Crystals, chapter VI).
 */
export function deformationOf(terms: StrainTerms): Matrix3 {
  if ('deformation' in terms) return terms.deformation
  if ('percent' in terms) return isotropic(1 + terms.percent / 100)
  const [xx = 0, yy = 0, zz = 0, yz = 0, xz = 0, xy = 0] = terms.voigt
  return [
    [1 + xx, xy / 2, xz / 2],
    [xy / 2, 1 + yy, yz / 2],
    [xz / 2, yz / 2, 1 + zz],
  ]
}

function isotropic(factor: number): Matrix3 {
  return [
    [factor, 0, 0],
    [0, factor, 0],
    [0, 0, factor],
  ]
}

const LEAST_VOLUME = 0.1
const MOST_VOLUME = 10

/** Strains a crystal; fractions of the atoms stay, and so do moments. Refuses what turns it into its mirror image, or its volume into less than a tenth or more than ten times. */
export function strainOf(crystal: Crystal, terms: StrainTerms): Crystal {
  const matrix = deformationOf(terms)
  const change = determinant(matrix)
  if (!(change >= LEAST_VOLUME && change <= MOST_VOLUME)) {
    const message = `The volume would be ${Number(change.toFixed(4))} times what it is.`
    const hint = `It may become ${LEAST_VOLUME} to ${MOST_VOLUME} times as large. Strains are parts of 1 (0.01 is 1 %), and a deformation is near the unit matrix.`
    throw cannotBuild(message, hint, 'strain')
  }
  const [a, b, c] = crystal.lattice
  return { ...crystal, lattice: [applyToColumn(matrix, a), applyToColumn(matrix, b), applyToColumn(matrix, c)] }
}
