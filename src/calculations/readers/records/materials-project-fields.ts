import type { JsonObject } from '../../../kernel/json.ts'
import { ownField } from '../../../kernel/json.ts'
import { takeWhole } from '../../../structure/formats/json/json-fields.ts'
import type { Result } from '../../calculation.ts'
import { gapResult, type ScalarField, takeNumber } from './database-results.ts'

/** Numbers of documents of the Materials Project, under their present and their earlier names. */
export const MATERIALS_PROJECT_SCALARS: readonly ScalarField[] = [
  ['formation_energy_per_atom', 'formation_energy'],
  ['energy_above_hull', 'energy_above_hull'],
  ['e_above_hull', 'energy_above_hull'],
  ['efermi', 'fermi_energy'],
  ['total_magnetization', 'total_magnetization'],
]

/** The band gap of a document, with its edges where they are numbers. */
export function takeGap(document: JsonObject): Result | undefined {
  const value = takeNumber(document, 'band_gap')
  if (value === undefined) return undefined
  const isDirect = ownField(document, 'is_gap_direct')
  if (typeof isDirect !== 'boolean') return gapResult({ value, isDirect: undefined })
  takeWhole(document, 'is_gap_direct')
  const [valence, conduction] = [takeNumber(document, 'vbm'), takeNumber(document, 'cbm')]
  return gapResult({ value, isDirect, valence, conduction })
}
