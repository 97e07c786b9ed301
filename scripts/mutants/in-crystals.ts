import type { Mutant } from './mutant.ts'

const PATTERN = 'test/structure/powder-pattern.test.ts'
const COORDINATION = 'test/structure/coordination.test.ts'
const PATH = 'test/structure/k-path.test.ts'
const ORBITS = 'test/structure-symmetry/orbits.test.ts'
const FURTHER = 'test/structure-symmetry/further-operators.test.ts'
const LADDER = 'test/structure-symmetry/symmetry-ladder.test.ts'
const STANDARD = 'test/structure-symmetry/standard-cell.test.ts'

/** Mistakes where diffraction, reciprocal space and orbits are computed. */
export const CRYSTAL_MUTANTS: readonly Mutant[] = [
  {
    name: 'neutrons are polarised as X-rays are',
    file: 'src/structure/diffraction/beam.ts',
    find: 'angleFactor: lorentz,',
    replace: 'angleFactor: (theta) => (1 + Math.cos(2 * theta) ** 2) * lorentz(theta),',
    tests: [PATTERN],
  },
  {
    name: 'a face of a Voronoi cell counts by its solid angle alone',
    file: 'src/structure/coordination/coordination.ts',
    find: '((solidAngle * solidAngle) / area) * polarity',
    replace: 'solidAngle * polarity',
    tests: [COORDINATION],
  },
  {
    name: 'a neighbour is in a cell that forgets where the atom itself was',
    file: 'src/structure/coordination/surroundings.ts',
    find: 'add(shift, add(home, negative(homes[site] as Vector3)))',
    replace: 'shift',
    tests: [COORDINATION],
  },
  {
    name: 'a powder pattern has another polarisation factor',
    file: 'src/structure/diffraction/beam.ts',
    find: 'Math.cos(2 * theta) ** 2',
    replace: 'Math.cos(theta) ** 2',
    tests: [PATTERN],
  },
  {
    name: 'a plane of a family is named with as many minus signs as may be',
    file: 'src/structure/diffraction/reflections.ts',
    find: 'if (fewer !== 0) return fewer < 0',
    replace: 'if (fewer !== 0) return fewer > 0',
    tests: [PATTERN],
  },
  {
    name: 'the centred face of an orthorhombic cell is always that of a and b',
    file: 'src/structure/reciprocal/standard-lattice.ts',
    find: "centring === 'A' ? [b, c, a]",
    replace: "centring === 'A' ? [a, b, c]",
    tests: [PATH],
  },
  {
    name: 'an orbit counts the sites of the primitive cell',
    file: 'src/structure/symmetry/sites.ts',
    find: 'multiplicity: places.length',
    replace: 'multiplicity: sites.length',
    tests: [ORBITS],
  },
  {
    name: 'the standard cell is the one that the finder gives',
    file: 'src/structure/symmetry/shortest-cell.ts',
    find: 'if (vectors === lattice) return found',
    replace: 'if (vectors !== undefined) return found',
    tests: [STANDARD],
  },
  {
    name: 'other axes keep the origin',
    file: 'src/structure/symmetry/change-of-cell.ts',
    find: 'const QUARTERS = [0, 1 / 4, 1 / 2, 3 / 4]',
    replace: 'const QUARTERS = [0]',
    tests: [STANDARD],
  },
  {
    name: 'Wyckoff letters stay where the cell changes',
    file: 'src/structure/symmetry/shortest-cell.ts',
    find: "wyckoffLetters: ofSites.map((position) => position?.letter ?? ''),",
    replace: '',
    tests: [STANDARD],
  },
  {
    name: 'equal lengths leave the order of the reduced vectors open',
    file: 'src/structure/niggli.ts',
    find: 'isMore(aa, bb, same) || (isSame(aa, bb, same) && isMore(Math.abs(bc), Math.abs(ac), same))',
    replace: 'isMore(aa, bb, same)',
    tests: [STANDARD],
  },
  {
    name: 'a group is certain where one atom may be taken for another',
    file: 'src/structure/symmetry/further-operators.ts',
    find: '  if (species.some((places) => places.areNear(off * off))) return true\n',
    replace: '',
    tests: [FURTHER],
  },
  {
    name: 'a group is certain where other translations are near',
    file: 'src/structure/symmetry/further-operators.ts',
    find: '(at > 0 || rotation !== IDENTITY) && ',
    replace: 'rotation !== IDENTITY && ',
    tests: [FURTHER],
  },
  {
    name: 'a group is certain where the lattice nearly has other rotations',
    file: 'src/structure/symmetry/further-operators.ts',
    find: 'MOST_OFF * upTo',
    replace: '0',
    tests: [FURTHER],
  },
  {
    name: 'a group is certain downwards whatever repeats are off by',
    file: 'src/structure/symmetry/certain-tolerances.ts',
    find: 'Math.max(repeatDeviation(crystal, primitive), ',
    replace: 'Math.max(0, ',
    tests: [LADDER],
  },
]
