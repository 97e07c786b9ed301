import type { Mutant } from './mutant.ts'

const REFERENCE_TESTS = ['test/structure-building/reference.test.ts']

/** Mistakes where structures are built. */
export const BUILDING_MUTANTS: readonly Mutant[] = [
  {
    name: 'a crystal is cut within a layer and not in the middle of a gap',
    file: 'src/structure/building/slab.ts',
    find: 'gapBelow(surface, cut) / 2',
    replace: 'gapBelow(surface, cut) * 1.2',
    tests: REFERENCE_TESTS,
  },
  {
    name: 'shears of Voigt are those of the tensor',
    file: 'src/structure/building/strain.ts',
    find: '[1 + xx, xy / 2, xz / 2]',
    replace: '[1 + xx, xy, xz]',
    tests: REFERENCE_TESTS,
  },
  {
    name: 'cells of a supercell are taken twice',
    file: 'src/structure/building/supercell.ts',
    find: '[x + i, y + j, z + k]',
    replace: '[x + i, y + i, z + k]',
    tests: REFERENCE_TESTS,
  },
  {
    name: 'terminations are the same where their layers are',
    file: 'src/structure/building/terminations.ts',
    find: 'findIsometry(slab(), other.slab()) !== null',
    replace: 'slab() !== other.slab()',
    tests: REFERENCE_TESTS,
  },
  {
    name: 'all of the vacuum is below a slab in the middle',
    file: 'src/structure/building/slab.ts',
    find: 'terms.centred ? terms.vacuum / 2 : 0',
    replace: 'terms.centred ? terms.vacuum : 0',
    tests: ['test/structure-building/build.test.ts'],
  },
  {
    name: 'who may only read has what is kept for those who write',
    file: 'src/http/server/request-listener.ts',
    find: '(route.writesOnRequest !== true || hasKey(context))',
    replace: 'route.writesOnRequest !== true',
    tests: ['test/http/build-structure.test.ts'],
  },
]
