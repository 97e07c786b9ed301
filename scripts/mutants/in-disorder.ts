import type { Mutant } from './mutant.ts'

const EXPAND = 'src/structure/formats/cif/expand.ts'
const OCCUPANCY = 'src/structure/occupancy.ts'
const ATOMS = 'src/structure/formats/cif/atoms.ts'
const PLACES = 'src/structure/formats/cif/special-positions.ts'

const SHARED = { tests: ['test/structure-formats/shared-sites.test.ts'] }
const FILES = {
  tests: ['test/structure-formats/shared-sites.test.ts', 'test/structure-formats/disordered-cif.test.ts'],
}

/** Mistakes in atoms that share a place, are there in part, or are never there together. */
export const DISORDER_MUTANTS: readonly Mutant[] = [
  {
    name: 'scaled occupancies of one site are rounded up: they may add up to 1.0001',
    file: EXPAND,
    find: 'return Math.floor(share * 1e4) / 1e4',
    replace: 'return Math.round(share * 1e4) / 1e4',
    ...SHARED,
  },
  {
    name: 'whole atoms of a negative disorder group are refused as overlapping',
    file: EXPAND,
    find: ' || isAboutSymmetry(one, other)) {',
    replace: ') {',
    ...SHARED,
  },
  {
    name: 'shares of one place that make one and a half atoms are scaled',
    file: EXPAND,
    find: 'if (total > MOST_TAKEN) {',
    replace: 'if (total > 2 * MOST_TAKEN) {',
    ...SHARED,
  },
  {
    name: 'an occupancy of 1.1 is refused',
    file: EXPAND,
    find: 'occupancy > MOST_OCCUPANCY && occupancy <= MOST_TAKEN',
    replace: 'occupancy > MOST_OCCUPANCY && occupancy < MOST_TAKEN',
    ...SHARED,
  },
  {
    name: 'the smallest share of an atom is none',
    file: EXPAND,
    find: 'Math.max(1, Math.round(share * 1e4)) / 1e4',
    replace: 'Math.round(share * 1e4) / 1e4',
    ...SHARED,
  },
  {
    name: 'whole atoms of two groups at one place are one that is listed twice',
    file: EXPAND,
    find: ' || new Set(members.map(({ disorderGroup }) => disorderGroup)).size > 1) return false',
    replace: ') return false',
    ...SHARED,
  },
  {
    name: 'two charges of one element that share a place are added up',
    file: EXPAND,
    find: "return `${element} ${oxidationState ?? ''} ${isotope ?? ''}`",
    replace: "return `${element} ${isotope ?? ''}`",
    ...SHARED,
  },
  {
    name: 'groups of different assemblies are never there together',
    file: OCCUPANCY,
    find: 'one.assembly === other.assembly && one.group !== other.group',
    replace: 'one.group !== other.group',
    ...SHARED,
  },
  {
    name: 'alternatives at one place are added up',
    file: OCCUPANCY,
    find: 'total += Math.max(...assembly.values())',
    replace: 'for (const share of assembly.values()) total += share',
    ...SHARED,
  },
  {
    name: 'a share of a site of several species is that of the site',
    file: ATOMS,
    find: 'occupancy: occupancy * share',
    replace: 'occupancy: share',
    ...SHARED,
  },
  {
    name: 'the group 0 is a group of disorder',
    file: ATOMS,
    find: "return text === '0' ? '' : text",
    replace: 'return text',
    ...SHARED,
  },
  {
    name: 'half an atom beside a special position becomes a whole one upon it',
    file: PLACES,
    find: ' || isSplit(wide)) return place',
    replace: ') return place',
    ...FILES,
  },
]
