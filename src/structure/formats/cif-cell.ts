import type { CellParameters } from '../lattice.ts'
import { type CifBlock, findItem } from './cif-document.ts'
import { readCifNumber, requireCifNumber } from './cif-number.ts'
import type { StructureWarning } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'

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
  warnings.push({
    code: 'volume-differs',
    message: `_cell_volume is ${stated} but the cell has ${volume.toFixed(2)} cubic ångström.`,
    line: item.line,
  })
}
