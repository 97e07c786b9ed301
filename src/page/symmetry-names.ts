/** From the least symmetry to the most. */
export const CRYSTAL_SYSTEMS: readonly string[] = [
  'triclinic',
  'monoclinic',
  'orthorhombic',
  'tetragonal',
  'trigonal',
  'hexagonal',
  'cubic',
]

/** Symbols of Hermann and Mauguin, short. */
export const POINT_GROUPS: readonly string[] =
  '1 -1 2 m 2/m 222 mm2 mmm 4 -4 4/m 422 4mm -42m 4/mmm 3 -3 32 3m -3m 6 -6 6/m 622 6mm -6m2 6/mmm 23 m-3 432 -43m m-3m'.split(
    ' ',
  )
