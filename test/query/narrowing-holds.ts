import type { JsonObject } from '../../src/kernel/json.ts'
import { type Leaf, leavesOf, partialPathsOf } from '../../src/query/narrow/leaves.ts'
import type { LeafBound, Narrowing } from '../../src/query/narrow/narrowing.ts'
import { compareBson } from '../../src/query/values/compare-bson.ts'

/** Answers a narrowing for one document from its leaves alone, as an index would. */
export function narrowingHolds(narrowing: Narrowing, document: JsonObject): boolean {
  const leaves = leavesOf(document)
  const partial = partialPathsOf(document)
  const holds = (part: Narrowing): boolean => {
    switch (part.kind) {
      case 'all':
        return true
      case 'none':
        return false
      case 'and':
        return part.parts.every(holds)
      case 'or':
        return part.parts.some(holds)
      case 'leaf':
        return partial.has(part.path) || leaves.some((leaf) => leafHolds(part, leaf))
    }
  }
  return holds(narrowing)
}

function leafHolds(part: Extract<Narrowing, { kind: 'leaf' }>, leaf: Leaf): boolean {
  if (leaf.path !== part.path || leaf.type !== part.type) return false
  return within(leaf, part.lower, 1) && within(leaf, part.upper, -1)
}

function within(leaf: Leaf, bound: LeafBound | null, direction: 1 | -1): boolean {
  if (bound === null) return true
  const order = compareBson(leaf.value, bound.value) * direction
  return order > 0 || (order === 0 && bound.inclusive)
}
