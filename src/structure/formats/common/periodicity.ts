import type { Crystal } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { invertAxes, isLeftHanded } from '../../lattice.ts'

const NAMES = ['a', 'b', 'c']

/** Tells whether a structure repeats along one or two of its lattice vectors only. */
export function repeatsInPart({ periodic }: Pick<Crystal, 'periodic'>): boolean {
  return periodic.includes(true) && periodic.includes(false)
}

/** Says along what a structure repeats: `along a and b only`, `along none`. */
export function describeDirections(periodic: Crystal['periodic']): string {
  const names = NAMES.filter((_, axis) => periodic[axis])
  if (names.length === NAMES.length) return 'along all three lattice vectors'
  return names.length === 0 ? 'along none' : `along ${names.join(' and ')} only`
}

/** Refuses, for a format that has no word for it, a structure that repeats along some of its lattice vectors. */
export function requireWritable(crystal: Pick<Crystal, 'periodic'>, title: string): void {
  if (!repeatsInPart(crystal)) return
  throw refusal(
    FORMAT_ERRORS.notWritable,
    `The structure repeats ${describeDirections(crystal.periodic)}, which ${title} cannot say.`,
    { hint: 'Formats that can: xyz, ase, pymatgen, optimade.' },
  )
}

/** Reverses vectors and fractions of a left-handed cell: of lengths and angles alone it would be read as its mirror image. */
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
