import type { LeafBound, LeafType, LeafValue, Narrowing } from './narrowing.ts'
import { allOf, EVERYTHING, inexact } from './narrowings.ts'

/** A value of one type. */
export interface TypedValue {
  readonly type: LeafType
  readonly value: LeafValue
}

/** A condition that a narrowing makes of every document: one of some values at a path. */
export interface EqualityCondition {
  readonly path: string
  readonly values: readonly TypedValue[]
  readonly exact: boolean
  /** The condition by itself. */
  readonly asked: Narrowing
  /** What the narrowing asks besides. */
  readonly rest: Narrowing
}

type Leaf = Extract<Narrowing, { kind: 'leaf' }>
type Equality = Leaf & { readonly lower: LeafBound }

/** Lists the conditions of a narrowing that ask for values as they are. */
export function equalityConditions(narrowing: Narrowing): readonly EqualityCondition[] {
  if (narrowing.kind !== 'and') {
    const condition = equalityOf(narrowing)
    return condition === null ? [] : [{ ...condition, rest: EVERYTHING }]
  }
  return narrowing.parts.flatMap((part, at) => {
    const condition = equalityOf(part)
    if (condition === null) return []
    const rest = allOf(narrowing.parts.filter((_, other) => other !== at))
    // Where the whole leaves something open, so does what is left of it.
    return [{ ...condition, rest: narrowing.exact ? rest : inexact(rest) }]
  })
}

function equalityOf(narrowing: Narrowing): Omit<EqualityCondition, 'rest'> | null {
  const leaves: readonly Narrowing[] = narrowing.kind === 'or' ? narrowing.parts : [narrowing]
  const [first] = leaves
  if (first === undefined || !leaves.every(isEquality) || !isEquality(first)) return null
  if (leaves.some((leaf) => leaf.path !== first.path)) return null
  const values = leaves.map(({ type, lower }) => ({ type, value: lower.value }))
  return { path: first.path, values, asked: narrowing, exact: narrowing.exact && leaves.every((leaf) => leaf.exact) }
}

/** Tells whether a narrowing asks for one value at one path. */
export function isEquality(node: Narrowing): node is Equality {
  if (node.kind !== 'leaf') return false
  const { lower, upper } = node
  return lower !== null && upper !== null && lower.inclusive && upper.inclusive && lower.value === upper.value
}
