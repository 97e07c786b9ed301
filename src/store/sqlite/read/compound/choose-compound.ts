import type { QueryPlan } from '../../../../query/plan/query-plan.ts'
import { type CompoundIndex, sortText } from '../../compound/compound-index.ts'
import type { Reader } from '../reader.ts'
import type { Target } from '../target.ts'
import { type CompoundWalk, compoundWalk } from './compound-walk.ts'

/** An index that serves a plan. */
export interface FoundCompound {
  readonly index: CompoundIndex
  readonly walk: CompoundWalk
}

interface Remembered {
  readonly indexes: readonly CompoundIndex[]
  readonly found: readonly FoundCompound[]
}

/** What was found for a target, by sort; targets are made anew whenever something changes. */
const remembered = new WeakMap<Target, Map<string, Remembered>>()

/** The ready index that finds the page with the fewest steps; null when none serves the plan. */
export function compoundFor(reader: Reader, plan: QueryPlan, target: Target, probeLimit: number): FoundCompound | null {
  if (plan.sort.length === 0) return null
  const sort = sortText(plan.sort)
  const indexes = reader.compounds.over(target.collection, sort)
  if (indexes.length === 0) return null
  const bySort = remembered.get(target) ?? new Map<string, Remembered>()
  remembered.set(target, bySort)
  const known = bySort.get(sort)
  const found = known?.indexes === indexes ? known.found : serving(reader, plan, target, indexes, probeLimit)
  if (found !== known?.found) bySort.set(sort, { indexes, found })
  const [best] = found.toSorted((a, b) => compareWalks(reader, plan, target, a.walk, b.walk))
  return best ?? null
}

/** Orders walks by what they cost; of those that seem to cost the same, the one over fewer rows is first. */
export function compareWalks(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  a: CompoundWalk,
  b: CompoundWalk,
): number {
  const difference = walkCost(reader, plan, target, a) - walkCost(reader, plan, target, b)
  return difference !== 0 || a.size === b.size ? difference : a.size - b.size
}

function serving(
  reader: Reader,
  plan: QueryPlan,
  target: Target,
  indexes: readonly CompoundIndex[],
  probeLimit: number,
): FoundCompound[] {
  return indexes.flatMap((index) => {
    const walk = compoundWalk(reader, plan, target, index.path, probeLimit)
    return walk === null ? [] : [{ index, walk }]
  })
}

/** What it takes to visit a row of an index, to hold it against look-ups, and to read and check a document, in about microseconds. */
const VISIT_COST = 0.3
const TEST_COST = 1.5
const DOCUMENT_COST = 15

/**
 * How long the walk to a full page is expected to take. Of a condition that holds for many records, it is not known for how many: it
 * is taken to hold for all.
 */
export function walkCost(reader: Reader, plan: QueryPlan, target: Target, walk: CompoundWalk): number {
  const { rest, isWhole, exact } = walk
  const needed = plan.skip + plan.limit
  if (isWhole && rest.exact && exact) return needed * VISIT_COST
  const share = isWhole || rest.broad ? 1 : Math.min(1, rest.size / reader.names.recordCount(target.collection))
  const each = exact && rest.testExact ? TEST_COST : DOCUMENT_COST
  return (needed / share) * each
}
