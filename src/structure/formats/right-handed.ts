import { invertAxes, isLeftHanded } from '../lattice.ts'
import type { Crystal } from './crystal.ts'

/**
 * The same crystal on right-handed axes. Lengths and angles know no handedness, so a format that keeps only these would turn a
 * left-handed cell into its mirror image; reversing all vectors and all fractions leaves every atom where it is.
 */
export function rightHanded(crystal: Crystal): Crystal {
  if (!isLeftHanded(crystal.lattice)) return crystal
  return {
    ...crystal,
    lattice: invertAxes(crystal.lattice),
    sites: crystal.sites.map((site) => {
      const [x, y, z] = site.fraction
      return { ...site, fraction: [0 - x, 0 - y, 0 - z] }
    }),
  }
}
