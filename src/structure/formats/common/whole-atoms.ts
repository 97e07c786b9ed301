import type { Crystal } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { isPartial } from '../../occupancy.ts'

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
  throw refusal(FORMAT_ERRORS.notWritable, `The crystal is disordered${example}, which ${title} cannot say.`, {
    hint: 'Ask for an ordered one: ordered=majority, or ordered=supercell with maxAtoms and seed. Formats with occupancies: cif, pymatgen, ase, optimade, material.',
  })
}
