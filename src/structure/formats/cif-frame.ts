import type { CellParameters } from '../lattice.ts'
import { add, applyToColumn } from '../matrix-algebra.ts'
import { determinant, inverse, type Matrix3, type Vector3 } from '../vector.ts'
import { fractionsOf, vectorsAlongX } from './cell.ts'
import { type CifBlock, findItem } from './cif-document.ts'
import { readCifNumber } from './cif-number.ts'

/** Reads a matrix of which every element is an item of its own; nothing unless all nine are there. */
function readMatrix(block: CifBlock, prefixes: readonly string[]): Matrix3 | undefined {
  for (const prefix of prefixes) {
    const rows = [1, 2, 3].map((i) =>
      [1, 2, 3].map((j) => readEntry(block, [`${prefix}_${i}${j}`, `${prefix}[${i}][${j}]`])),
    )
    if (rows.flat().every((value) => value !== undefined)) return rows as unknown as Matrix3
  }
  return undefined
}

function readVector(block: CifBlock, prefixes: readonly string[]): Vector3 {
  const values = [1, 2, 3].map(
    (i) =>
      readEntry(
        block,
        prefixes.flatMap((prefix) => [`${prefix}_${i}`, `${prefix}[${i}]`]),
      ) ?? 0,
  )
  return values as unknown as Vector3
}

function readEntry(block: CifBlock, tags: readonly string[]): number | undefined {
  const item = findItem(block, tags)
  return item === undefined ? undefined : readCifNumber(item.text)
}

/**
 * How Cartesian places become fractions: by the matrix that the file gives, in either direction, else in the frame with a along
 * x and b in the xy plane.
 */
export function cartesianToFraction(block: CifBlock, parameters: CellParameters): (place: Vector3) => Vector3 {
  const direct = readMatrix(block, ['_atom_sites_fract_transf_matrix', '_atom_sites_fract_tran_matrix'])
  if (direct !== undefined && determinant(direct) !== 0) {
    const shift = readVector(block, ['_atom_sites_fract_transf_vector', '_atom_sites_fract_tran_vector'])
    return (place) => add(applyToColumn(direct, place), shift)
  }
  const reverse = readMatrix(block, ['_atom_sites_cartn_transf_matrix', '_atom_sites_cartn_tran_matrix'])
  if (reverse !== undefined && determinant(reverse) !== 0) {
    const [x, y, z] = readVector(block, ['_atom_sites_cartn_transf_vector', '_atom_sites_cartn_tran_vector'])
    const back = inverse(reverse)
    return (place) => applyToColumn(back, add(place, [-x, -y, -z]))
  }
  const lattice = vectorsAlongX(parameters)
  return (place) => fractionsOf([place], lattice)[0] as Vector3
}
