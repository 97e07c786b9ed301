import { describe, expect, it } from 'vitest'
import { propertyField } from '../../src/page/property-fields.ts'
import { PROPERTY_NAMES } from '../../src/page/property-names.ts'
import { groupWords, propertyTitle, unitText } from '../../src/page/property-words.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { guideOf } from '../../src/records/warnings/field-guide.ts'
import { columnAt, MATERIALS } from '../../web/pages/materials/collections.ts'
import { wordsOf } from '../../web/pages/materials/condition-words.ts'
import { KNOWN_FIELDS, ownFields } from '../../web/properties/own-fields.ts'
import { quantityText } from '../../web/properties/quantity.ts'
import { precisionOf, remarkText, shownProperties, summaryText } from '../../web/properties/shown-properties.ts'
import { contributionsIn, gapsIn, sitesIn } from '../../web/properties/tables-of-data.ts'

describe('words of properties', () => {
  it.each([
    ['vasp:dft:gga:pbe', 'PBE (GGA), DFT with VASP'],
    ['vasp:dft:meta-gga:r2scan', 'r²SCAN (meta-GGA), DFT with VASP'],
    ['espresso:dft:gga:pbe+u', 'PBE+U (GGA), DFT with Quantum ESPRESSO'],
    ['measured in Oslo', 'measured in Oslo'],
    ['a:b:c:d:e', 'a:b:c:d:e'],
  ])('of the group %s are %s', (group, words) => expect(groupWords(group)).toBe(words))

  it.each([
    [0.6233000000000004, 'eV', '0.623 eV'],
    [-10.84908126, 'eV', '−10.849 eV'],
    [0, 'eV/angstrom', '0 eV/Å'],
    [0.00031, 'eV', '0.00031 eV'],
    [3.2e-7, 'eV', '3.2 × 10⁻⁷ eV'],
    [97.84, 'GPa', '97.8 GPa'],
    [3.14159265, '', '3.1416'],
    [12345678, 'counts', '1.2 × 10⁷ counts'],
    [0.0123, 'eV/A^2', '0.0123 eV/Å²'],
  ])('of %d %s are "%s"', (value, units, text) => expect(quantityText(value, units)).toBe(text))

  it('of units are those of print', () => {
    const units = ['eV/angstrom', 'eV/A^2', 'uB', 'cm-1', 'states/unitcell', 'angstrom^-1', 'GPa']
    expect(units.map(unitText)).toEqual(['eV/Å', 'eV/Å²', 'μB', 'cm⁻¹', 'states/cell', 'Å⁻¹', 'GPa'])
  })

  it('of names are titles, also of those that nobody knows', () => {
    const names = ['band_gap', 'my_hardness', 'bandGap', 'refractiveIndexAt500nm', '__']
    expect(names.map(propertyTitle)).toEqual(['Band gap', 'My hardness', 'Band gap', 'Refractive index at500nm', '__'])
    for (const name of Object.keys(PROPERTY_NAMES)) expect(propertyTitle(name)).not.toContain('_')
  })
})

describe('a field of properties', () => {
  it.each([
    ['properties.band_gap.value', 'Band gap', 'eV', true],
    ['properties.band_gap.direct', 'Band gap, direct', 'eV', true],
    ['properties.band_gap.type', 'Band gap, kind', undefined, true],
    ['properties.band_gap.group', 'Band gap, method', undefined, true],
    ['properties.band_gap.jobId', 'Band gap, job', undefined, false],
    ['properties.atomic_forces.max', 'Atomic forces, largest', 'eV/Å', true],
    ['properties.total_energy.vasp:dft:gga:pbe.value', 'Total energy: PBE (GGA), DFT with VASP', 'eV', false],
    ['properties.total_energy.vasp:dft:gga:pbe', 'Total energy: PBE (GGA), DFT with VASP', undefined, true],
    ['properties.total_energy.potentials.Si', 'Total energy, potential of Si', undefined, false],
    [
      'properties.total_energy.vasp:dft:gga:pbe.potentials.Si',
      'Total energy, potential of Si: PBE (GGA), DFT with VASP',
      undefined,
      false,
    ],
    ['properties.my_hardness.value', 'My hardness', undefined, true],
  ])('at %s is called %s', (path, title, unit, isMain) => {
    expect(propertyField(path)).toEqual({ title, isMain, ...(unit === undefined ? {} : { unit }) })
  })

  it('is none elsewhere', () => {
    for (const path of ['volume', 'properties', 'properties.', 'properties.a.b.c.d', 'my.properties.band_gap'])
      expect(propertyField(path)).toBeNull()
  })

  it('has its title and unit as a column, before and after it is a filter', () => {
    const path = 'properties.band_gap.value'
    expect(columnAt(MATERIALS, path)).toEqual({ path, title: 'Band gap', unit: 'eV' })
    const unfiltered = { ...MATERIALS, facets: [] }
    expect(columnAt(unfiltered, path)).toEqual({ path, title: 'Band gap', unit: 'eV' })
    expect(columnAt(MATERIALS, 'volume')).toEqual({ path: 'volume', title: 'Volume', unit: 'Å³' })
    expect(columnAt(MATERIALS, 'my.field')).toEqual({ path: 'my.field', title: 'My field' })
    expect(wordsOf({ kind: 'range', path, min: 1, max: null }, unfiltered)).toBe('Band gap ≥ 1 eV')
  })
})

describe('properties that a material shows', () => {
  const PBE = { value: 0.6233, units: 'eV', type: 'indirect', direct: 2.5568, propertyId: 'p1', jobId: 'j1' }
  const HSE = { value: 1.15, units: 'eV', type: 'indirect', propertyId: 'p2' }

  it('have the best first, and each group once', () => {
    const shown = shownProperties({
      my_own: { value: 'hard', propertyId: 'p4' },
      density_of_states: { points: 301, series: 1, propertyId: 'p3', group: 'g', g: { points: 301, propertyId: 'p3' } },
      band_gap: { ...PBE, group: 'vasp:dft:gga:pbe', 'vasp:dft:gga:pbe': PBE, 'vasp:dft:hybrid:hse06': HSE },
    })
    expect(shown.map(({ title, form, entries }) => [title, form, entries.map(({ group }) => group)])).toEqual([
      ['Band gap', 'gaps', ['vasp:dft:gga:pbe', 'vasp:dft:hybrid:hse06']],
      ['Density of states', 'curves', ['g']],
      ['My own', null, ['']],
    ])
    expect(shown.map(({ entries }) => summaryText(entries[0]))).toEqual([
      '0.623 eV indirect',
      '1 curve of 301 points',
      'hard',
    ])
    expect(shown.map(({ entries }) => remarkText(entries[0]))).toEqual(['direct gap 2.557 eV', null, null])
    expect(shown[0]?.entries[1]).toMatchObject({ propertyId: 'p2', jobId: null })
  })

  it('are none where there are none', () => {
    for (const nothing of [undefined, null, {}, [], { band_gap: 3 }]) expect(shownProperties(nothing)).toEqual([])
  })

  it('say how exact they are, as far as their records do', () => {
    expect(precisionOf({ kgrid: [6, 6, 4], kpoints: 30, cutoff: 520 })).toEqual({ kpoints: '6 × 6 × 4', cutoff: '520' })
    expect(precisionOf({ kpoints: 164 })).toEqual({ kpoints: '164 in all', cutoff: '' })
    expect(precisionOf(undefined)).toEqual({ kpoints: '', cutoff: '' })
  })
})

describe('fields that an owner invented', () => {
  it('are numbers, truth values and short texts, with the units that they say', () => {
    const record = {
      name: 'Si',
      bandGap: 1.1,
      isStable: true,
      note: 'x'.repeat(81),
      hardness: { value: 7, units: 'GPa' },
      list: [1],
      phase: 'diamond',
    }
    expect(ownFields(record).map(({ path, value, units }) => [path, value, units])).toEqual([
      ['bandGap', 1.1, ''],
      ['isStable', true, ''],
      ['hardness', 7, 'GPa'],
      ['phase', 'diamond', ''],
    ])
  })

  it('are none of those that the server describes', () => {
    const described = [...guideOf(materialKind).documented].map((path) => path.split('.')[0])
    expect(described.filter((field) => !KNOWN_FIELDS.has(field ?? ''))).toEqual([])
  })
})

describe('tables of data', () => {
  it('have parts of a sum by their titles', () => {
    const data = {
      name: 'total_energy_contributions',
      units: 'eV',
      freeEnergy: { name: 'free_energy', value: -2 },
      ewald: 3,
    }
    expect(contributionsIn(data)).toEqual([
      ['Free energy', -2],
      ['Ewald', 3],
    ])
  })

  it('have sites with numbers or vectors, and leave out what is neither', () => {
    const values = [{ id: 0, value: 2 }, { id: 1, value: [0, 0, 1] }, { id: 2, value: 'x' }, null]
    expect(sitesIn({ values })).toEqual([
      { id: 0, value: [2] },
      { id: 1, value: [0, 0, 1] },
    ])
  })

  it('have gaps with their points', () => {
    const gap = { type: 'direct', value: 2.5, kpointValence: [0, 0, 0.33333], eigenvalueValence: 5.6, spin: -0.5 }
    expect(gapsIn({ values: [gap, { type: 'indirect' }] })).toEqual([
      {
        type: 'direct',
        value: 2.5,
        spin: -0.5,
        valence: { point: '0, 0, 0.333', energy: '5.600' },
        conduction: { point: '', energy: '' },
      },
    ])
  })
})
