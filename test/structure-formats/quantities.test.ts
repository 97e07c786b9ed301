import { describe, expect, it } from 'vitest'
import { convertStructure } from '../../src/records/kinds/material/structure-files.ts'
import { type Crystal, type CrystalSite, NOT_PERIODIC, PERIODIC } from '../../src/structure/crystal.ts'
import { ALL_QUANTITIES, type Quantity, warningsOfWriting } from '../../src/structure/formats/common/quantities.ts'
import { printStructure, readStructure } from '../../src/structure/formats/read-structure.ts'
import { isWritten, STRUCTURE_FORMATS } from '../../src/structure/formats/registry.ts'
import { latticeVectors } from '../../src/structure/lattice.ts'

const WRITTEN = STRUCTURE_FORMATS.filter(isWritten)

const PLAIN: Crystal = {
  title: '',
  // In the frame that lengths and angles have: moments are told in it.
  lattice: latticeVectors({ a: 4, b: 5, c: 6, alpha: 95, beta: 85, gamma: 100 }),
  periodic: PERIODIC,
  sites: [
    { element: 'Fe', fraction: [0, 0, 0] },
    { element: 'Fe', fraction: [0.5, 0.5, 0.4] },
    { element: 'H', fraction: [0.5, 0, 0.25] },
  ],
  warnings: [],
}

function withSites(...details: readonly Partial<CrystalSite>[]): Crystal {
  return { ...PLAIN, sites: PLAIN.sites.map((site, index) => ({ ...site, ...details[index] })) }
}

/** A crystal that has one quantity, the words by which it is told, and what of a crystal it is. */
const CASES: Readonly<Record<Quantity, readonly [Crystal, string, (crystal: Crystal) => unknown]>> = {
  moments: [
    withSites({ moment: [0, 0, 2] }, { moment: [0, 0, -2] }),
    'magnetic moments (2)',
    ({ sites }) => sites.map(({ moment }) => moment?.map((x) => Math.round(x * 1e6) / 1e6 + 0)),
  ],
  crossMoments: [
    withSites({ moment: [1, 0, 2] }),
    'magnetic moments',
    ({ sites }) => sites.map(({ moment }) => moment?.map((x) => Math.round(x * 1e4) / 1e4 + 0)),
  ],
  isotopes: [withSites({ isotope: 57 }, {}, { isotope: 2 }), 'isotopes (2)', ({ sites }) => of(sites, 'isotope')],
  oxidationStates: [
    withSites({ oxidationState: 3 }, { oxidationState: 2 }),
    'oxidation states (2)',
    ({ sites }) => of(sites, 'oxidationState'),
  ],
  labels: [
    withSites({ speciesTag: 1 }, { speciesTag: 2 }),
    'labels of species (2)',
    ({ sites }) => of(sites, 'speciesTag'),
  ],
  fixedAtoms: [withSites({ movable: [false, false, false] }), 'fixed atoms (1)', ({ sites }) => of(sites, 'movable')],
  fixedDirections: [
    withSites({ movable: [false, true, true] }),
    'directions in which atoms are fixed (1)',
    ({ sites }) => of(sites, 'movable'),
  ],
  occupancies: [withSites({ occurrence: 0.5 }), 'occupancies (1)', ({ sites }) => of(sites, 'occurrence')],
  disorderGroups: [
    withSites({ disorder: { assembly: 'A', group: '1' } }),
    'disorder groups (1)',
    ({ sites }) => of(sites, 'disorder'),
  ],
  title: [{ ...PLAIN, title: 'hydride of iron' }, 'the title', ({ title }) => title],
  icsdId: [{ ...PLAIN, icsdId: 1234 }, 'icsdId', ({ icsdId }) => icsdId],
  molecules: [{ ...PLAIN, periodic: NOT_PERIODIC }, 'along none', ({ periodic }) => periodic],
  directions: [{ ...PLAIN, periodic: [true, true, false] }, 'along a and b only', ({ periodic }) => periodic],
}

function of(sites: readonly CrystalSite[], key: keyof CrystalSite): readonly unknown[] {
  return sites.map((site) => site[key] ?? null)
}

/** Tells whether a file gives a quantity back. */
function isBack(crystal: Crystal, name: string, what: (crystal: Crystal) => unknown): boolean {
  const { crystal: again } = readStructure(printStructure(crystal, name), { format: name })
  return JSON.stringify(what(again)) === JSON.stringify(what(crystal))
}

describe.each(WRITTEN.map((format) => [format.name, format] as const))('%s', (name, format) => {
  it.each(ALL_QUANTITIES)('gives %s back, or the warning names it', (quantity) => {
    const [crystal, words, what] = CASES[quantity]
    const isSaid = format.writes?.includes(quantity) === true
    const told = warningsOfWriting(crystal, format).map(({ message }) => message)
    if (quantity === 'occupancies' && !isSaid) {
      expect(() => printStructure(crystal, name)).toThrow(expect.objectContaining({ code: 42236 }))
      return
    }
    if (isSaid) expect(told).toEqual([])
    else expect(told).toEqual([expect.stringContaining(words)])
    expect(isBack(crystal, name, what)).toBe(isSaid)
  })

  it('has no warning of a crystal that has nothing beside its atoms', () => {
    expect(warningsOfWriting(PLAIN, format)).toEqual([])
  })
})

it('names what of a file is not written beside what of its structure is not', () => {
  const { elements, coordinates } = {
    elements: [{ id: 0, value: 'Fe', oxidationState: 3 }],
    coordinates: [{ id: 0, value: [0, 0, 0] }],
  }
  const lattice = { a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 }
  const labels = [{ id: 0, value: 1 }]
  const basis = { elements, coordinates, labels, magneticMoments: [{ id: 0, value: [1, 0, 2] }] }
  const text = JSON.stringify({ name: 'iron', basis, lattice, source: { energy: -1.5 }, tags: ['x'] })
  const { warnings } = convertStructure({ text, format: 'material' }, { format: 'aims' }, undefined)
  expect(warnings).toEqual([
    {
      code: 'not-written',
      message:
        'Not written: components of magnetic moments along x and y (1), oxidation states (1), labels of species (1), source.energy, tags.',
    },
  ])
})

describe('an input of Quantum ESPRESSO', () => {
  it('has the masses of isotopes, and labels that tell isotopes of one species apart', () => {
    const crystal = withSites({ speciesTag: 1 }, { speciesTag: 1, isotope: 57 }, { isotope: 2 })
    const text = printStructure(crystal, 'espresso')
    expect(text).toContain('\nFe1   55.845 Fe.upf\nFea   57 Fe.upf\nH     2.014102 H.upf\n')
    const { crystal: again } = readStructure(text, { format: 'espresso' })
    expect(of(again.sites, 'isotope')).toEqual([null, 57, 2])
    expect(again.warnings).toEqual([])
  })
})
