import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { diffractionAnswer } from '../../src/records/kinds/material/crystal-answers.ts'
import { readMaterial } from '../../src/records/kinds/material/structure-files.ts'
import type { Crystal } from '../../src/structure/crystal.ts'
import { scatteringFactorOf, scatteringLength } from '../../src/structure/diffraction/beam.ts'
import { assertDiffracts, type PatternTerms, powderPattern } from '../../src/structure/diffraction/powder-pattern.ts'
import { RADIATIONS, type RadiationName } from '../../src/structure/diffraction/radiation.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

/** Peaks as other programs have them: 2θ in degrees, intensity by pymatgen, intensity by gemmi. */
interface Reference {
  readonly sample: string
  readonly radiation: RadiationName
  readonly max: number
  readonly peaks: readonly (readonly [twoTheta: number, byPymatgen: number, byGemmi: number])[]
}

const { patterns } = JSON.parse(
  readFileSync(new URL('../fixtures/reference/diffraction.json', import.meta.url), 'utf8'),
) as { patterns: readonly Reference[] }

function sample(name: string): Crystal {
  const text = readFileSync(new URL(`../../samples/materials/${name}.json`, import.meta.url), 'utf8')
  return readMaterial({ text, format: 'material' }).crystal
}

function patternOf(crystal: Crystal, given: Partial<PatternTerms> = {}) {
  const terms: PatternTerms = {
    beam: 'xRay',
    wavelength: RADIATIONS.CuKa,
    min: 0,
    max: 90,
    cell: 'conventional',
    ...given,
  }
  assertDiffracts(crystal, terms, 0.01)
  return powderPattern(crystal, findSymmetry(crystal, 0.01), terms)
}

const near = (peaks: ReturnType<typeof patternOf>['peaks'], angle: number) =>
  peaks.filter(({ twoTheta }) => Math.abs(twoTheta - angle) < 0.01).reduce((sum, { intensity }) => sum + intensity, 0)

describe('a powder pattern', () => {
  it('is compared for thirty structures at least', () => {
    expect(patterns.length).toBeGreaterThanOrEqual(30)
  })

  it.each(patterns)('of $sample is what other programs compute', ({ sample: name, radiation, max, peaks }) => {
    for (const cell of ['conventional', 'given'] as const) {
      const pattern = patternOf(sample(name), { wavelength: RADIATIONS[radiation], max, cell })
      expect(pattern.cell).toBe(cell)
      for (const [angle, byPymatgen, byGemmi] of peaks) {
        const intensity = near(pattern.peaks, angle)
        expect(Math.abs(intensity - byPymatgen), `${name} at ${angle}: ${intensity}`).toBeLessThan(2)
        expect(Math.abs(intensity - byGemmi), `${name} at ${angle}: ${intensity}`).toBeLessThan(0.05 + 0.02 * byGemmi)
      }
      const others = pattern.peaks.filter(({ twoTheta }) =>
        peaks.every(([angle]) => Math.abs(twoTheta - angle) >= 0.01),
      )
      expect(others.filter(({ intensity }) => intensity > 0.1)).toEqual([])
    }
  })

  it('names the planes by the conventional cell, and counts those that are equal', () => {
    const { peaks } = patternOf(sample('nacl-rocksalt'), { max: 60 })
    expect(peaks.map(({ reflections }) => reflections)).toEqual([
      [{ hkl: [1, 1, 1], multiplicity: 8 }],
      [{ hkl: [2, 0, 0], multiplicity: 6 }],
      [{ hkl: [2, 2, 0], multiplicity: 12 }],
      [{ hkl: [3, 1, 1], multiplicity: 24 }],
      [{ hkl: [2, 2, 2], multiplicity: 8 }],
    ])
    expect(peaks.map(({ d }) => d.toFixed(3))).toEqual(['3.257', '2.820', '1.994', '1.701', '1.628'])
  })

  it('names the planes of a monoclinic crystal by the cell that tables have', () => {
    const { peaks } = patternOf(sample('cuo-tenorite'), { max: 50 })
    expect(
      peaks.map(({ d, reflections: [first] }) => [d.toFixed(3), first?.hkl.join(' '), first?.multiplicity]),
    ).toEqual([
      ['2.750', '1 1 0', 4],
      ['2.529', '0 0 2', 2],
      ['2.523', '1 1 -1', 4],
      ['2.322', '1 1 1', 4],
      ['2.309', '2 0 0', 2],
      ['1.960', '1 1 -2', 4],
      ['1.866', '2 0 -2', 2],
    ])
  })

  it('has families of different planes at one angle in one peak', () => {
    const peak = patternOf(sample('si-diamond'), { max: 120 }).peaks.find(
      ({ d }) => Math.abs(d - 5.431 / Math.sqrt(27)) < 0.001,
    )
    expect(peak?.reflections).toEqual([
      { hkl: [5, 1, 1], multiplicity: 24 },
      { hkl: [3, 3, 3], multiplicity: 8 },
    ])
  })

  it('is 100 at the strongest peak of the range', () => {
    const { peaks } = patternOf(sample('nacl-rocksalt'), { min: 40, max: 60 })
    expect(peaks[0]?.twoTheta).toBeGreaterThan(40)
    expect(Math.max(...peaks.map(({ intensity }) => intensity))).toBe(100)
  })

  it('is that of the cell as it is where the symmetry is not known', () => {
    const crystal = sample('nacl-rocksalt')
    const terms = { beam: 'xRay', wavelength: RADIATIONS.CuKa, min: 0, max: 40, cell: 'conventional' } as const
    const pattern = powderPattern(crystal, undefined, terms)
    expect(pattern.cell).toBe('given')
    expect(pattern.peaks.map(({ twoTheta }) => twoTheta.toFixed(2))).toEqual(['27.39', '31.73'])
  })

  it('is refused for a molecule, an element without factors, and more reflections than can be computed', () => {
    const crystal = sample('nacl-rocksalt')
    expect(() => patternOf({ ...crystal, periodic: [true, true, false] })).toThrow(/does not repeat/)
    const sites = crystal.sites.map((site) => ({ ...site, element: 'Og' }))
    expect(() => patternOf({ ...crystal, sites })).toThrow(/no scattering factor of Og/)
    expect(() => patternOf(crystal, { wavelength: 0.1, max: 150 })).toThrow(/at most 23°/)
    const lattice = crystal.lattice.map((vector) => vector.map((x) => x * 30)) as unknown as Crystal['lattice']
    expect(() => patternOf({ ...crystal, lattice }, { max: 150 })).toThrow(/about \d+ reflections.*Ask for at most/)
  })
})

/** Peaks of neutrons by pymatgen: 2θ in degrees, intensity. */
const neutrons = JSON.parse(
  readFileSync(new URL('../fixtures/reference/neutron-diffraction.json', import.meta.url), 'utf8'),
) as {
  madeBy: { wavelength: number; max: number }
  patterns: readonly {
    readonly sample: string
    readonly peaks: readonly (readonly [twoTheta: number, intensity: number])[]
  }[]
}

describe('a powder pattern of neutrons', () => {
  const { wavelength, max } = neutrons.madeBy
  const terms = { beam: 'neutron', wavelength, max } as const

  it('is compared for a hundred structures', () => {
    expect(neutrons.patterns.length).toBe(100)
  })

  it.each(neutrons.patterns)('of $sample is what pymatgen computes', ({ sample: name, peaks }) => {
    const pattern = patternOf(sample(name), { ...terms, cell: 'given' })
    const standard = patternOf(sample(name), terms)
    for (const [angle, intensity] of peaks) {
      expect(Math.abs(near(pattern.peaks, angle) - intensity), `${name} at ${angle}`).toBeLessThan(0.5)
      expect(Math.abs(near(standard.peaks, angle) - intensity), `${name} at ${angle}`).toBeLessThan(0.5)
    }
    const others = pattern.peaks.filter(({ twoTheta }) => peaks.every(([angle]) => Math.abs(twoTheta - angle) >= 0.01))
    expect(others.filter(({ intensity }) => intensity > 0.5)).toEqual([])
  })

  it('tells isotopes apart', () => {
    const crystal = sample('nacl-rocksalt')
    const heavy = crystal.sites.map((site) => (site.element === 'Cl' ? { ...site, isotope: 37 } : site))
    // Sodium scatters with 3.63 fm, chlorine with 9.58, its isotope 37 with 3.08: 111 is all but gone.
    const first = (one: Crystal) =>
      patternOf(one, terms).peaks.find(({ reflections }) => reflections[0]?.hkl.join() === '1,1,1')?.intensity
    expect(first(crystal)).toBeGreaterThan(10)
    expect(first({ ...crystal, sites: heavy })).toBeLessThan(1.5)
    // Two isotopes on sites of one orbit: the cell of the symmetry would have but one of them.
    const mixed = sample('si-diamond').sites.map((site, index) => (index === 0 ? { ...site, isotope: 28 } : site))
    expect(patternOf({ ...sample('si-diamond'), sites: mixed }, terms).cell).toBe('given')
    expect(scatteringLength('2H')).toBe(6.671)
  })

  it('is refused for an element of which no length is known', () => {
    const crystal = sample('nacl-rocksalt')
    const sites = crystal.sites.map((site) => ({ ...site, element: 'Rn' }))
    expect(() => patternOf({ ...crystal, sites }, terms)).toThrow(/no neutron scattering length of Rn/)
  })

  it('is not ended where scattering factors of X-rays are', () => {
    expect(() => patternOf(sample('cu3au-l12'), { ...terms, wavelength: 0.4, max: 120 })).not.toThrow()
  })
})

describe('a scattering factor', () => {
  it('is the number of electrons in forward direction', () => {
    expect(scatteringFactorOf('Si')?.(0)).toBeCloseTo(14, 1)
    expect(scatteringFactorOf('U')?.(0)).toBeCloseTo(92, 1)
  })

  it('is refused before the symmetry is sought where no symmetry makes it feasible', () => {
    const atoms = Array.from(
      { length: 9261 },
      (_, at) => `He ${(at * 0.618034) % 1} ${(at * 0.754878) % 1} ${at / 9261}`,
    )
    const text = ['many', '1', '80 0 0', '0 80 0', '0 0 80', 'He', String(atoms.length), 'Direct']
    const file = { text: [...text, ...atoms.map((line) => line.slice(3))].join('\n'), format: 'poscar' }
    const terms = { beam: 'xRay', wavelength: 1.54, min: 0, max: 90, cell: 'conventional', radiation: null } as const
    let sought = 0
    const finder = (crystal: Crystal) => {
      sought += 1
      return findSymmetry(crystal, 0.01)
    }
    expect(() => diffractionAnswer(file, terms, finder)).toThrow(/at most \d+ are computed/)
    expect(sought).toBe(0)
  })
})
