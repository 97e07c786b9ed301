import { fractionsOf, vectorsAlongX } from '../../cell.ts'
import type { StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { CellParameters } from '../../lattice.ts'
import { add, applyToColumn, determinant, inverse, type Matrix3, type Vector3 } from '../../linear-algebra.ts'
import { type CifBlock, findItem, readCifNumber, requireCifNumber } from './document.ts'

const RIGHT_ANGLE = 90
const HEXAGONAL_ANGLE = 120

/** The cell of a block; a missing angle is 90 degrees, or 120 where only that fits the space group, with a warning. */
export function readCell(block: CifBlock, warnings: StructureWarning[], hexagonal: boolean): CellParameters {
  const length = (name: string): number => {
    const value = findItem(block, [`_cell_length_${name}`])
    if (value !== undefined) return requireCifNumber(value, `_cell_length_${name}`)
    throw refusal(FORMAT_ERRORS.impossibleCell, `The data block "${block.name}" has no _cell_length_${name}.`, {
      hint: 'A crystal needs _cell_length_a, _cell_length_b and _cell_length_c in ångström.',
    })
  }
  const angle = (name: string): number => {
    const value = findItem(block, [`_cell_angle_${name}`])
    if (value !== undefined) return requireCifNumber(value, `_cell_angle_${name}`)
    const assumed = hexagonal && name === 'gamma' ? HEXAGONAL_ANGLE : RIGHT_ANGLE
    warnings.push({ code: 'angle-assumed', message: `_cell_angle_${name} is missing: ${assumed} degrees are assumed.` })
    return assumed
  }
  return {
    a: length('a'),
    b: length('b'),
    c: length('c'),
    alpha: angle('alpha'),
    beta: angle('beta'),
    gamma: angle('gamma'),
  }
}

/** Relative difference between the volume that the file states and that of its cell, above which it is worth a warning. */
const VOLUME_TOLERANCE = 0.01

/** Warns when the file's own volume is not that of its cell: one of the two is wrong. */
export function checkVolume(block: CifBlock, volume: number, warnings: StructureWarning[]): void {
  const item = findItem(block, ['_cell_volume'])
  const stated = item === undefined ? undefined : readCifNumber(item.text)
  if (item === undefined || stated === undefined || stated === 0) return
  if (Math.abs(stated - volume) <= VOLUME_TOLERANCE * volume) return
  const message = `_cell_volume is ${stated} but the cell has ${volume.toFixed(2)} cubic ångström.`
  warnings.push({ code: 'volume-differs', message, line: item.line })
}

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

/** Makes fractions of Cartesian places by the matrix of the file, in either direction, else with a along x and b in the xy plane. */
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
