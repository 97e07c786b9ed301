import { isEquality } from './equality-conditions.ts'
import type { LeafBound, Narrowing } from './narrowing.ts'

/** Tells in words which conditions the index answers: `lattice.a >= 5.4`, `tags = "a" or tags = "b"`. */
export function describeNarrowing(narrowing: Narrowing): readonly string[] {
  switch (narrowing.kind) {
    case 'all':
      return []
    case 'none':
      return ['nothing can match']
    case 'leaf':
      return [describeLeaf(narrowing)]
    case 'and':
      return narrowing.parts.flatMap(describeNarrowing)
    case 'or':
      return [narrowing.parts.map((part) => describeNarrowing(part).join(' and ')).join(' or ')]
  }
}

function describeLeaf(leaf: Extract<Narrowing, { kind: 'leaf' }>): string {
  const { path, type, lower, upper } = leaf
  if (isEquality(leaf)) return `${path} = ${JSON.stringify(leaf.lower.value)}`
  const bounds = [describeBound(path, '>', lower), describeBound(path, '<', upper)].filter((bound) => bound !== null)
  return bounds.length === 0 ? `${path} is a ${type}` : bounds.join(' and ')
}

function describeBound(path: string, sign: '<' | '>', bound: LeafBound | null): string | null {
  return bound === null ? null : `${path} ${sign}${bound.inclusive ? '=' : ''} ${JSON.stringify(bound.value)}`
}
