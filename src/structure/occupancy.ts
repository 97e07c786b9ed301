import { remedied } from '../page/remedies.ts'
import { exactShare } from '../page/shares.ts'
import type { Crystal, Occupancy } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'

/** Shares this near to 1 are written by programs that cannot write 1. */
const WHOLE_TOLERANCE = 1.1e-3
/** Share of an atom that is there: 0.333 stands for a third. */
export function occupancyOf({ occurrence = 1 }: Occupancy): number {
  return occurrence >= 1 - WHOLE_TOLERANCE ? 1 : exactShare(occurrence)
}

/** Tells whether an atom is there in some of the cells only. */
export function isPartial({ occurrence = 1 }: Occupancy): boolean {
  return occurrence < 1 - WHOLE_TOLERANCE
}

/** Tells whether two atoms are never there at the same time: two groups of one assembly. */
export function excludeEachOther({ disorder: one }: Occupancy, { disorder: other }: Occupancy): boolean {
  if (one === undefined || other === undefined) return false
  return one.assembly === other.assembly && one.group !== other.group
}

/** Tells whether two atoms can be nearer than atoms are: alternatives, or shares that fill one place together. */
export function mayOverlap(one: Occupancy, other: Occupancy): boolean {
  if (excludeEachOther(one, other)) return true
  return isPartial(one) && isPartial(other) && occupancyOf(one) + occupancyOf(other) <= 1 + WHOLE_TOLERANCE
}

/** Total at one place when the fullest group of each assembly is there. */
export function totalAt(members: readonly Occupancy[]): number {
  let total = 0
  const groups = new Map<string, Map<string, number>>()
  for (const member of members) {
    const { disorder } = member
    if (disorder === undefined) total += occupancyOf(member)
    else {
      const assembly = groups.get(disorder.assembly) ?? new Map<string, number>()
      assembly.set(disorder.group, (assembly.get(disorder.group) ?? 0) + occupancyOf(member))
      groups.set(disorder.assembly, assembly)
    }
  }
  for (const assembly of groups.values()) total += Math.max(...assembly.values())
  return total
}

/** Shares of one place may add up to this: three thirds of three decimals do. */
export const MOST_AT_ONE_PLACE = 1.001

/** Tells whether some of the atoms are not there in every cell, so that a list of whole atoms would be another crystal. */
export function isDisordered({ sites }: Pick<Crystal, 'sites'>): boolean {
  const groupOf = new Map<string, string>()
  for (const site of sites) {
    if (isPartial(site)) return true
    if (site.disorder === undefined) continue
    const { assembly, group } = site.disorder
    if ((groupOf.get(assembly) ?? group) !== group) return true
    groupOf.set(assembly, group)
  }
  return false
}

/** Refuses, for a format of whole atoms, a disordered crystal. */
export function requireOrdered(crystal: Pick<Crystal, 'sites'>, title: string): void {
  if (!isDisordered(crystal)) return
  const index = crystal.sites.findIndex(isPartial)
  const site = crystal.sites[Math.max(0, index)]
  const example =
    index === -1 ? '' : ` (${site?.element} at position ${index + 1} is there in ${site?.occurrence} of the cells)`
  throw refusal(
    FORMAT_ERRORS.notWritable,
    `The crystal is disordered${example}, which ${title} cannot say.`,
    remedied('order'),
  )
}
