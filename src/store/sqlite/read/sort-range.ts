import type { LeafBound, LeafType, Narrowing } from '../../../query/narrow/narrowing.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Reader } from './reader.ts'

/** Which values of the first sort key a match can have: a walk in that order need not leave them. */
export interface SortRange {
  readonly type: Exclude<LeafType, 'null'>
  readonly lower: LeafBound | null
  readonly upper: LeafBound | null
}

type Leaf = Extract<Narrowing, { kind: 'leaf' }>

/**
 * Reads from a narrowing what it asks of the path that a plan sorts by first; null when it asks nothing. Where some record
 * has values in an array, one of them may be asked for while another decides about the order.
 */
export function sortRangeOf(reader: Reader, plan: QueryPlan, collection: number): SortRange | null {
  const [first] = plan.sort
  if (first === undefined) return null
  const parts: readonly Narrowing[] = plan.narrowing.kind === 'and' ? plan.narrowing.parts : [plan.narrowing]
  const leaves = parts.filter((part): part is Leaf => part.kind === 'leaf' && part.path === first.path.text)
  const type = leaves[0]?.type
  if (type === undefined || type === 'null') return null
  const path = reader.names.path(collection, first.path.text)
  if (path === null || path.partial || path.several) return null
  const ofType = leaves.filter((leaf) => leaf.type === type)
  return {
    type,
    lower: ofType.map(({ lower }) => lower).reduce(higher, null),
    upper: ofType.map(({ upper }) => upper).reduce(lower, null),
  }
}

function higher(a: LeafBound | null, b: LeafBound | null): LeafBound | null {
  return a === null || (b !== null && isBelow(a, b)) ? b : a
}

function lower(a: LeafBound | null, b: LeafBound | null): LeafBound | null {
  return a === null || (b !== null && isBelow(b, a)) ? b : a
}

/** Texts are in the order of their UTF-8 bytes. */
function isBelow({ value: a }: LeafBound, { value: b }: LeafBound): boolean {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
  return Number(a) < Number(b)
}
