import type { JsonObject } from '../../../kernel/json.ts'
import { findIsometry, type Isometry } from '../../../structure/matching/isometry.ts'
import { type PairDistances, pairDifference, pairDistances } from '../../../structure/matching/pair-distances.ts'
import { crystalOf, readStructure } from './read-structure.ts'

/** Mean distances between two species may differ by so much (Å) in crystals that are worth a mapping. */
const ALIKE_ANGSTROM = 0.02

/** Lays stored materials upon one, by their texts; null for one that is another crystal. */
export function matcherFor(text: string): (candidate: string) => Isometry | null {
  const crystal = crystalIn(text)
  let own: PairDistances | null | undefined
  return (candidate) => {
    const other = crystalIn(candidate)
    if (own === undefined) own = pairDistances(crystal)
    if (pairDifference(own, pairDistances(other)) > ALIKE_ANGSTROM) return null
    return findIsometry(crystal, other)
  }
}

function crystalIn(text: string) {
  return crystalOf(readStructure(JSON.parse(text) as JsonObject))
}
