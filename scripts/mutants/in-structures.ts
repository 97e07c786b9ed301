import type { Mutant } from './mutant.ts'

/** Mistakes where structures are read. */
export const STRUCTURE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a site of a CIF that is never occupied is kept',
    file: 'src/structure/formats/cif/atoms.ts',
    find: 'if (occupancy === 0) return',
    replace: 'if (occupancy < 0) return',
    tests: ['test/structure-formats/cif.test.ts'],
  },
]
