import type { JsonObject } from '../../../kernel/json.ts'
import { findIsometry, type Isometry } from '../../../structure/matching/isometry.ts'
import {
  mayBeNear,
  type Nearness,
  type PairDistances,
  pairDistances,
} from '../../../structure/matching/pair-distances.ts'
import { crystalOf, readStructure } from './read-structure.ts'

/** A material, others that may be the same crystal, by their texts, and how near they have to be. */
export interface MatchQuestion {
  readonly text: string
  /** Null for one that is gone. */
  readonly candidates: readonly (string | null)[]
  readonly within: Nearness
  /** Milliseconds on a processor; candidates for which there is none left are not compared. */
  readonly budgetMs: number
}

/** Isometries to the first candidates, null for another crystal, and the part of the budget that was spent. */
export interface MatchFound {
  readonly isometries: readonly (Isometry | null)[]
  readonly spentMs: number
}

/** Lays stored materials upon one, by their texts; null for one that is another crystal, or not so near. */
export function matcherFor(text: string, within: Nearness): (candidate: string) => Isometry | null {
  const crystal = crystalIn(text)
  let own: PairDistances | null | undefined
  return (candidate) => {
    const other = crystalIn(candidate)
    if (own === undefined) own = pairDistances(crystal)
    if (!mayBeNear(own, pairDistances(other), within)) return null
    return findIsometry(crystal, other, within)
  }
}

function crystalIn(text: string) {
  return crystalOf(readStructure(JSON.parse(text) as JsonObject))
}
