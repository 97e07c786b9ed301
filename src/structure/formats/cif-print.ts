import { countElements } from '../formula.ts'
import { type CellParameters, vectorsVolume } from '../lattice.ts'
import { parametersOf } from './cell.ts'
import { printCounts } from './composition.ts'
import type { Crystal } from './crystal.ts'
import { rightHanded } from './right-handed.ts'
import { decimal, oneLine } from './text.ts'

/** Writes the whole cell without symmetry, so that nothing depends on the choice of a setting. */
export function printCif(given: Crystal): string {
  const crystal = rightHanded(given)
  const cell: CellParameters = parametersOf(crystal.lattice)
  const title = oneLine(crystal.title, printCounts(countElements(crystal.sites.map((site) => site.element))))
  const seen = new Map<string, number>()
  const rows = crystal.sites.map((site) => {
    const number = (seen.get(site.element) ?? 0) + 1
    seen.set(site.element, number)
    return `${site.element} ${site.element}${number} ${site.fraction.map(decimal).join(' ')} 1`
  })
  return `${[
    `data_${title.replace(/[^A-Za-z0-9_.()-]+/g, '_').slice(0, 60)}`,
    `_chemical_name_common ${quoteCif(title)}`,
    ...(['a', 'b', 'c'] as const).map((edge) => `_cell_length_${edge} ${decimal(cell[edge])}`),
    ...(['alpha', 'beta', 'gamma'] as const).map((angle) => `_cell_angle_${angle} ${decimal(cell[angle])}`),
    `_cell_volume ${decimal(Number(vectorsVolume(crystal.lattice).toFixed(6)))}`,
    "_space_group_name_H-M_alt 'P 1'",
    '_space_group_IT_number 1',
    'loop_',
    '_space_group_symop_id',
    '_space_group_symop_operation_xyz',
    "1 'x, y, z'",
    'loop_',
    '_atom_site_type_symbol',
    '_atom_site_label',
    '_atom_site_fract_x',
    '_atom_site_fract_y',
    '_atom_site_fract_z',
    '_atom_site_occupancy',
    ...rows,
  ].join('\n')}\n`
}

/** Quotes a text so that it ends where it should. */
function quoteCif(text: string): string {
  if (!/'(?=\s|$)/.test(text)) return `'${text}'`
  if (!/"(?=\s|$)/.test(text)) return `"${text}"`
  return `\n;${text}\n;`
}
