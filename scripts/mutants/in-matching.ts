import type { Mutant } from './mutant.ts'

const ISOMETRY = 'test/structure-matching/isometry.test.ts'
const PROTOTYPE = 'test/structure-matching/prototype.test.ts'
const SAME = 'test/records/same-materials.test.ts'
const LIKE = 'test/http/like-materials.test.ts'
const OPTIMADE = 'test/optimade/same-as.test.ts'
const APPROXIMANT = 'test/structure-chemistry/ordered-approximant.test.ts'
const DISORDER = 'test/records/disorder.test.ts'

const ISOTYPES = 'test/structure-matching/isotypes.test.ts'

/** Mistakes in what is the same crystal, which prototype it is of, and how it is disordered. */
export const MATCHING_MUTANTS: readonly Mutant[] = [
  {
    name: 'the group of a crystal is taken for that of a larger one that nearly has it',
    file: 'src/structure/matching/isotypes.ts',
    find: 'return least * size + SHAPE_ANGSTROM <= from && to <= most * size',
    replace: 'return least > 0 && most > 0 && from <= to && size > 0',
    tests: [ISOTYPES],
  },
  {
    name: 'the order of the elements does not matter to what is known of isotypes',
    file: 'src/structure/matching/isotypes.ts',
    find: 'numbers.push(ranks.get(element) ?? -1, ...fraction)',
    replace: 'numbers.push(ranks.size, element === undefined ? 0 : 1, ...fraction)',
    tests: [ISOTYPES],
  },
  {
    name: 'a fingerprint has all neighbours where those of the own species should be',
    file: 'src/structure/matching/fingerprint.ts',
    find: 'addRanks(alike, ',
    replace: 'addRanks(all, ',
    tests: [ISOMETRY],
  },
  {
    name: 'candidates are sought as if atoms stayed where they are',
    file: 'src/structure/matching/fingerprint.ts',
    find: '2 * largest + strain * distance',
    replace: 'strain * distance',
    tests: [ISOMETRY],
  },
  {
    name: 'candidates are sought within a volume that isotropic strain leaves',
    file: 'src/structure/matching/fingerprint.ts',
    find: '4 * strain',
    replace: '2 * strain',
    tests: [ISOMETRY],
  },
  {
    name: 'distances of species pairs forget the species of the neighbour',
    file: 'src/structure/matching/fingerprint.ts',
    find: 'meanNearest(lattice, from, to, PAIR_NEIGHBOURS)',
    replace: 'meanNearest(lattice, from, from, PAIR_NEIGHBOURS)',
    tests: [ISOMETRY],
  },
  {
    name: 'an atom of a supercell is off by what the average of its repeats is off',
    file: 'src/structure/matching/isometry.ts',
    find: 'Math.min(farthestOurs + theirsAlone, farthestTheirs + oursAlone)',
    replace: 'size(difference)',
    tests: [ISOMETRY],
  },
  {
    name: 'a mirror image is laid upon a crystal as its like',
    file: 'src/structure/matching/isometry.ts',
    find: "keepsHand === (handedness === 'same')",
    replace: 'keepsHand || true',
    tests: [ISOMETRY],
  },
  {
    name: 'the strain of a lattice is that where it is least',
    file: 'src/structure/matching/lattice-maps.ts',
    find: 'Math.max(...stretches',
    replace: 'Math.min(...stretches',
    tests: [ISOMETRY],
  },
  {
    name: 'a lattice is laid upon a part of another',
    file: 'src/structure/matching/lattice-maps.ts',
    find: 'if (Math.abs(Math.round(determinant(change))) !== 1) return null',
    replace: '',
    tests: [ISOMETRY],
  },
  {
    name: 'a crystal is of the nearest prototype, however far that is',
    file: 'src/structure/matching/prototype.ts',
    find: '[null, FARTHEST]',
    replace: '[null, 1000]',
    tests: [PROTOTYPE],
  },
  {
    name: 'the two hands of a crystal are two prototypes',
    file: 'src/structure/matching/prototype.ts',
    find: 'LOWER_TWIN.get(number) ?? number',
    replace: 'number',
    tests: [PROTOTYPE],
  },
  {
    name: 'a prototype has another label where another axis is the longest',
    file: 'src/structure/matching/prototype.ts',
    find: "if (crystalSystem !== 'orthorhombic') return [IDENTITY]",
    replace: 'return [IDENTITY]',
    tests: [PROTOTYPE],
  },
  {
    name: 'an import skips what others have made public',
    file: 'src/records/use-cases/same-materials.ts',
    find: 'limit: MOST_CANDIDATES, owner: accountId',
    replace: 'limit: MOST_CANDIDATES',
    tests: [LIKE],
    named: 'skips the same',
  },
  {
    name: 'the same crystal behind ten others is not looked for',
    file: 'src/records/use-cases/same-materials.ts',
    find: "if (isEnough && isometries.some((isometry) => isometry?.handedness === 'same')) break",
    replace: 'if (isEnough) break',
    tests: [SAME],
  },
  {
    name: 'a mirror image is told to the writer as the same crystal',
    file: 'src/records/use-cases/same-materials.ts',
    find: "same.filter(({ handedness }) => handedness === 'same')",
    replace: 'same.filter(() => true)',
    tests: [LIKE],
    named: 'mirror',
  },
  {
    name: 'a search that ran out of time says that it was complete',
    file: 'src/records/use-cases/same-materials.ts',
    find: 'isWhole: isometries.length === others.length',
    replace: 'isWhole: true',
    tests: [SAME],
  },
  {
    name: 'a search among more candidates than are compared says that it was complete',
    file: 'src/records/use-cases/same-materials.ts',
    find: 'exact && isWhole && others.length <= limit',
    replace: 'exact && isWhole',
    tests: [LIKE],
    named: 'no more candidates',
  },
  {
    name: 'an import says nothing of a record that was not compared with those before it',
    file: 'src/records/use-cases/write-checks.ts',
    find: 'stored.exact && found.exact ?',
    replace: 'stored.exact ?',
    tests: [SAME],
  },
  {
    name: 'OPTIMADE says nothing of structures that were not compared',
    file: 'src/optimade/structures.ts',
    find: 'found?.exact === false',
    replace: 'found?.exact === undefined',
    tests: [OPTIMADE],
  },
  {
    name: 'the majority of a site that is mostly empty is an atom',
    file: 'src/structure/chemistry/ordered-approximant.ts',
    find: 'total < 0.5 - 1e-9',
    replace: 'total < 0',
    tests: [APPROXIMANT],
  },
  {
    name: 'an ordered crystal has images of one atom that cannot all be there',
    file: 'src/structure/chemistry/ordered-approximant.ts',
    find: 'entries: withoutOverlaps(crystal, entries)',
    replace: 'entries',
    tests: [APPROXIMANT],
  },
  {
    name: 'a vacancy is a substitution',
    file: 'src/structure/chemistry/consistency-checks.ts',
    find: 'members.length > 1 && species.some(isPartial)',
    replace: 'species.some(isPartial)',
    tests: [DISORDER],
  },
  {
    name: 'atoms that fill their places may be nearer to each other than atoms are',
    file: 'src/structure/occupancy.ts',
    find: 'occupancyOf(one) + occupancyOf(other) <= 1 + WHOLE_TOLERANCE',
    replace: 'occupancyOf(one) > 0',
    tests: [DISORDER, 'test/structure-formats/disordered-cif.test.ts'],
  },
]
