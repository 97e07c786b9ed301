import type { Cell } from '../crystal.ts'
import { itemAt } from '../linear-algebra.ts'
import { findIsometry } from '../matching/isometry.ts'
import { type AtomicLayer, LAYER_GAP_ANGSTROM } from './atomic-layers.ts'

/** A way to cut a crystal at a plane: below which atomic layer the slab begins. */
export interface Cut {
  /** The lowest layer of the slab, and the highest, by their places among those of a repeat. */
  readonly lowest: number
  readonly highest: number
}

/** Cuts that give the same slab, perhaps turned over or as its mirror image. */
export interface Termination extends Cut {
  /** The first of them. */
  readonly cuts: number
}

/**
 * Finds the distinct terminations of a surface, in the order of their lowest layers. Cuts are the same where the slabs of two repeats can be laid upon each other as whole crystals can; what layers they have
 * from either side is compared first. `slabOf` makes the slab of a cut.
 */
export function distinctTerminations(
  layers: readonly AtomicLayer[],
  spacing: number,
  slabOf: (cut: Cut) => Cell,
): readonly Termination[] {
  const found: { termination: Termination; readonly profiles: readonly Profile[]; readonly slab: () => Cell }[] = []
  for (const lowest of layers.keys()) {
    const cut = { lowest, highest: (lowest + layers.length - 1) % layers.length }
    const profiles = profilesOf(layers, spacing, lowest)
    const slab = once(() => slabOf(cut))
    const [upward] = profiles
    const same = found.find(
      (other) =>
        other.profiles.some((profile) => isAlike(profile, upward)) && findIsometry(slab(), other.slab()) !== null,
    )
    if (same === undefined) found.push({ termination: { ...cut, cuts: 1 }, profiles, slab })
    else same.termination = { ...same.termination, cuts: same.termination.cuts + 1 }
  }
  return found.map(({ termination }) => termination)
}

/** Layers as one meets them on the way through a slab: what each is made of, and how far the next one is. */
type Profile = readonly { readonly formula: string; readonly count: number; readonly gap: number }[]

/** From below, and from above. */
function profilesOf(layers: readonly AtomicLayer[], spacing: number, lowest: number): readonly [Profile, Profile] {
  const upward = layers.map((_, at) => itemAt(layers, (lowest + at) % layers.length))
  const gapAbove = (at: number): number => {
    const [one, next] = [itemAt(upward, at), itemAt(upward, (at + 1) % upward.length)]
    const gap = next.low - one.high
    return gap - spacing * Math.floor(gap / spacing)
  }
  const told = upward.map(({ formula, sites }) => ({ formula, count: sites.length }))
  const last = told.length - 1
  return [
    told.map((layer, at) => ({ ...layer, gap: at === last ? 0 : gapAbove(at) })),
    told.map((_, at) => ({ ...itemAt(told, last - at), gap: at === last ? 0 : gapAbove(last - at - 1) })),
  ]
}

function isAlike(one: Profile, other: Profile): boolean {
  return one.every((layer, at) => {
    const { formula, count, gap } = itemAt(other, at)
    return layer.formula === formula && layer.count === count && Math.abs(layer.gap - gap) <= 2 * LAYER_GAP_ANGSTROM
  })
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
