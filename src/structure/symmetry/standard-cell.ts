import { withinCell } from '../cell.ts'
import type { Cell } from '../crystal.ts'
import { mapVector } from '../linear-algebra.ts'
import { niggliCell } from '../niggli.ts'
import type { FoundSymmetry } from './symmetry-report.ts'

/** The standard cells that a crystal can be written in. */
export const STANDARD_CELLS = ['conventional', 'primitive', 'niggli'] as const
export type StandardCellName = (typeof STANDARD_CELLS)[number]

/** Writes a crystal whose symmetry is known in a standard cell, all atoms within it. */
export function standardCellOf(found: FoundSymmetry, name: StandardCellName): Cell {
  const { lattice, sites } = CELLS[name](found)
  return { lattice, sites: sites.map((site) => ({ ...site, fraction: mapVector(site.fraction, withinCell) })) }
}

const CELLS: Readonly<Record<StandardCellName, (found: FoundSymmetry) => Cell>> = {
  conventional: ({ conventionalCell }) => conventionalCell,
  primitive: ({ primitiveCell }) => primitiveCell,
  niggli: ({ primitiveCell }) => niggliCell(primitiveCell),
}
