import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { hasAtoms } from './atoms.ts'
import { type CifBlock, findItem } from './document.ts'

/** Blocks with atoms and a cell; if there are none, those with atoms. */
export function structuresOf(blocks: readonly CifBlock[]): readonly CifBlock[] {
  const withAtoms = blocks.filter(hasAtoms)
  const withCell = withAtoms.filter(hasCell)
  const structures = withCell.length === 0 ? withAtoms : withCell
  if (structures.length === 0) throw noStructures()
  return structures
}

export function hasCell(block: CifBlock): boolean {
  return findItem(block, ['_cell_length_a']) !== undefined
}

/** Refusal of a file without a structure. */
export function noStructures(): Error {
  return refusal(FORMAT_ERRORS.noStructure, 'The file lists no atoms with coordinates.', {
    hint: 'A CIF needs _atom_site_label and _atom_site_fract_x, _y, _z.',
  })
}
