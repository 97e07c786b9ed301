import type { Crystal } from '../crystal.ts'
import { spaceGroupWithin } from './find-symmetry.ts'
import type { FoundSymmetry, GroupWithin } from './symmetry-report.ts'

/** From what only exact crystals have to what relaxed and measured ones have nearly, in ångström. */
const RUNGS = [0.001, 0.01, 0.03, 0.1] as const

/** Groups within several tolerances, without those between two of one group. Blocks, and throws, as `spaceGroupWithin` does. */
export function groupsByTolerance(crystal: Crystal, known: FoundSymmetry): readonly GroupWithin[] {
  const { least: from, most: to } = known.certain
  const certain = RUNGS.filter((rung) => rung >= from && rung <= to).map(
    (rung) => [rung, groupOf(known, rung)] as const,
  )
  const found = new Map<number, GroupWithin>([...certain, [known.tolerance, groupOf(known, known.tolerance)]])
  const groupAt = (tolerance: number): GroupWithin | undefined => {
    const group = found.get(tolerance) ?? spaceGroupWithin(crystal, tolerance) ?? undefined
    if (group !== undefined) found.set(tolerance, group)
    return group
  }
  const [least, middle, wide, most] = RUNGS
  const [first, second, last] = [groupAt(least), groupAt(middle), groupAt(most)]
  const isFlat = second !== undefined && second.number === last?.number
  const third = isFlat ? { ...second, tolerance: wide } : groupAt(wide)
  return [first, second, third, last].filter((group) => group !== undefined)
}

function groupOf({ number, symbol }: FoundSymmetry, tolerance: number): GroupWithin {
  return { tolerance, number, symbol }
}

/** Tells whether a crystal nearly has another symmetry than it has; undefined where that is not known. */
export function isPseudosymmetric(groups: readonly GroupWithin[]): boolean | undefined {
  const numberAt = (rung: number) => groups.find(({ tolerance }) => tolerance === rung)?.number
  const [usual, loose] = [numberAt(RUNGS[1]), numberAt(RUNGS[3])]
  return usual === undefined || loose === undefined ? undefined : usual !== loose
}
