import type { Crystal, StructureWarning } from '../crystal.ts'

const MIXED: StructureWarning = {
  code: 'constraints-dropped',
  message:
    'Atoms that are fixed in some directions are free now: the lattice vectors, to which the directions refer, are others.',
}

/** Drops, and tells of, fixed directions where the lattice vectors have others; an atom that is fixed in all three stays so. */
export function withoutMixedFlags(crystal: Crystal, keepsDirections = false): Crystal {
  const isMixed = ({ movable }: Crystal['sites'][number]): boolean =>
    movable?.includes(true) === true && movable.includes(false)
  if (keepsDirections || !crystal.sites.some(isMixed)) return crystal
  const sites = crystal.sites.map((site) => {
    if (!isMixed(site)) return site
    const { movable: _directions, ...free } = site
    return free
  })
  return { ...crystal, sites, warnings: [...crystal.warnings, MIXED] }
}
