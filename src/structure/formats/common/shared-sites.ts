import type { Crystal, CrystalSite } from '../../crystal.ts'
import { itemAt } from '../../linear-algebra.ts'
import { speciesByPlace } from '../../near-pairs.ts'
import { isPartial } from '../../occupancy.ts'

/** Sites as places in the list of entries. Entries that one list could not tell apart, as of disorder groups, stay sites of their own. */
export function sitesWithSpecies(
  crystal: Pick<Crystal, 'lattice' | 'periodic' | 'sites'>,
  canShare: (site: CrystalSite) => boolean = () => true,
): readonly (readonly number[])[] {
  const { sites } = crystal
  if (!sites.some(isPartial)) return sites.map((_, index) => [index])
  return speciesByPlace(crystal)
    .flatMap((members) => {
      const groups = new Map<string, number[]>()
      for (const index of members) {
        const site = itemAt(sites, index)
        const { disorder, movable, moment } = site
        const key = canShare(site) ? JSON.stringify([disorder?.assembly, disorder?.group, movable, moment]) : `${index}`
        const group = groups.get(key)
        if (group === undefined) groups.set(key, [index])
        else if (group.every((other) => speciesName(itemAt(sites, other)) !== speciesName(site))) group.push(index)
        else groups.set(`${index}`, [index])
      }
      return [...groups.values()]
    })
    .sort((one, other) => itemAt(one, 0) - itemAt(other, 0))
}

function speciesName({ element, oxidationState, isotope }: CrystalSite): string {
  return [element, oxidationState, isotope].join()
}
