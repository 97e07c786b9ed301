import type { JsonObject } from '../../kernel/json.ts'
import { nearPairs } from '../../structure/near-pairs.ts'
import { crystalOf, readStructure } from '../kinds/material/read-structure.ts'

/** Distances in Å below which two atoms are bonded, as the corrections of the Materials Project were fitted with. */
const HYDROXIDE = 1.023
const SUPEROXIDE = 1.485
const PEROXIDE = 1.639

/** Kind of oxide of a material, by its distances; null without oxygen, and where nothing is known of its structure. */
export function oxideTypeOf(material: JsonObject | undefined): string | null {
  if (material === undefined) return null
  const { lattice, periodic, sites } = crystalOf(readStructure(material))
  const own = sites.filter(({ element }) => element === 'O' || element === 'H')
  const oxygens = own.filter(({ element }) => element === 'O').length
  if (oxygens === 0 || oxygens === sites.length) return null
  const pairs = [
    ...nearPairs(
      lattice,
      periodic,
      own.map(({ fraction }) => fraction),
      PEROXIDE,
    ),
  ].map(({ first, second, distance }) => ({
    distance,
    between: [own[first]?.element, own[second]?.element].sort().join('-'),
    ends: [first, second],
  }))
  if (pairs.some(({ between, distance }) => between === 'H-O' && distance < HYDROXIDE)) return 'hydroxide'
  const bonds = pairs.filter(({ between }) => between === 'O-O')
  const short = bonds.filter(({ distance }) => distance < SUPEROXIDE).flatMap(({ ends }) => ends)
  if (short.length > new Set(short).size) return 'ozonide'
  if (short.length > 0) return 'superoxide'
  return bonds.length > 0 ? 'peroxide' : 'oxide'
}
