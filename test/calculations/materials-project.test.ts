import { describe, expect, it } from 'vitest'
import { materialsProjectFormat } from '../../src/calculations/readers/materials-project.ts'
import { expectSameAtEveryCut, readOne, readText, rockSalt, TEN_UNKNOWN } from './support/read-records.ts'

const SUMMARY = {
  material_id: 'mp-22862',
  formula_pretty: 'NaCl',
  nsites: 2,
  elements: ['Cl', 'Na'],
  volume: 18.522,
  structure: rockSalt('Na', 'Cl'),
  origins: [
    { name: 'structure', task_id: 'mp-100', last_updated: 'some day' },
    { name: 'energy', task_id: 'mp-200', last_updated: 'another day' },
    { name: 'dos', task_id: 'mp-100', last_updated: 'a third day' },
  ],
  uncorrected_energy_per_atom: -3.25,
  energy_per_atom: -3.5,
  formation_energy_per_atom: -2.125,
  energy_above_hull: 0,
  is_stable: true,
  band_gap: 5.0625,
  cbm: 4.5,
  vbm: -0.5625,
  efermi: -0.25,
  is_gap_direct: true,
  total_magnetization: 0.5,
  bulk_modulus: { voigt: 24, reuss: 22, vrh: 23 },
  shear_modulus: { voigt: 14, reuss: 12, vrh: null },
  builder_meta: { database_version: '2020.1' },
}

describe('a document of the Materials Project', () => {
  const summary = readOne(materialsProjectFormat, SUMMARY)

  it('gives its structure, its id, and the tasks that it was made from', () => {
    expect(summary).toMatchObject({ code: { name: 'vasp' }, id: 'mp-22862', madeFrom: ['mp-100', 'mp-200'] })
    expect(summary.final?.sites.map(({ element }) => element)).toEqual(['Na', 'Cl'])
    expect(summary.final).not.toHaveProperty('rest')
  })

  it('gives results under the names of properties, and the energy as it was computed', () => {
    expect(summary.results).toEqual([
      { name: 'total_energy', data: { value: -6.5, units: 'eV' } },
      { name: 'formation_energy', data: { value: -2.125, units: 'eV/atom' } },
      { name: 'energy_above_hull', data: { value: 0, units: 'eV/atom' } },
      { name: 'fermi_energy', data: { value: -0.25, units: 'eV' } },
      { name: 'total_magnetization', data: { value: 0.5, units: 'uB' } },
      {
        name: 'band_gaps',
        data: {
          values: [
            { type: 'direct', value: 5.0625, units: 'eV', eigenvalueValence: -0.5625, eigenvalueConduction: 4.5 },
          ],
        },
      },
      { name: 'bulk_modulus', data: { value: 23, units: 'GPa' } },
    ])
  })

  it('has the corrected energy, and all else, in the rest', () => {
    expect(summary.rest).toEqual({
      values: {
        energy_per_atom: -3.5,
        is_stable: true,
        bulk_modulus: { voigt: 24, reuss: 22 },
        shear_modulus: { voigt: 14, reuss: 12 },
        builder_meta: { database_version: '2020.1' },
      },
      leftOut: ['origins[].name (3)', 'origins[].last_updated (3)'],
    })
    expect(readOne(materialsProjectFormat, { ...SUMMARY, ...TEN_UNKNOWN }).rest.values).toMatchObject(TEN_UNKNOWN)
  })

  it('has a functional only where it says it', () => {
    expect(summary.model).toBeNull()
    expect(summary.warnings).toEqual([
      {
        code: 'model-not-known',
        message: 'The document does not say by which functional its values were computed.',
      },
    ])
    const of = (fields: object) => readOne(materialsProjectFormat, { ...SUMMARY, ...fields }).model?.functional
    expect(of({ thermo_type: 'R2SCAN' })).toBe('r2scan')
    expect(of({ run_type: 'GGA+U' })).toBe('pbe+u')
    expect(of({ entry_types: ['GGA'] })).toBe('pbe')
    expect(of({ entry_types: ['GGA', 'R2SCAN'] })).toBeUndefined()
    expect(of({ thermo_type: 'GGA_GGA+U' })).toBeUndefined()
  })

  it('has no energy of a cell without the structure', () => {
    const { structure: _, ...without } = SUMMARY
    const thermo = readOne(materialsProjectFormat, without)
    expect(thermo.final).toBeNull()
    expect(thermo.results.map(({ name }) => name)).not.toContain('total_energy')
    expect(thermo.rest.values).toMatchObject({ uncorrected_energy_per_atom: -3.25, formula_pretty: 'NaCl' })
  })

  it('has its gap as a number where nothing says whether it is direct', () => {
    const { is_gap_direct: _, ...without } = SUMMARY
    expect(readOne(materialsProjectFormat, without).results).toContainEqual({
      name: 'band_gap',
      data: { value: 5.0625, units: 'eV' },
    })
  })

  it('has the elastic tensor in the axes of the structure', () => {
    const matrix = Array.from({ length: 6 }, (_, row) => Array.from({ length: 6 }, (__, column) => row + column))
    const document = { ...SUMMARY, elastic_tensor: { raw: matrix, ieee_format: [[1, 2]] }, bulk_modulus: 25 }
    const { results, rest } = readOne(materialsProjectFormat, document)
    expect(results).toContainEqual({ name: 'elastic_tensor', data: { value: matrix, units: 'GPa' } })
    expect(results).toContainEqual({ name: 'bulk_modulus', data: { value: 25, units: 'GPa' } })
    expect(rest.values.elastic_tensor).toEqual({ ieee_format: [[1, 2]] })
  })

  it('may have its id as an object, or earlier names', () => {
    const read = readOne(materialsProjectFormat, { material_id: { string: 'mp-3' }, e_above_hull: 0.25 })
    expect(read).toMatchObject({ id: 'mp-3', results: [{ name: 'energy_above_hull', data: { value: 0.25 } }] })
  })
})

describe('documents of one file', () => {
  it('are those of a response', () => {
    const text = JSON.stringify({ data: [SUMMARY, { ...SUMMARY, material_id: 'mp-2' }], meta: { total_doc: 2 } })
    const read = readText(materialsProjectFormat, text)
    expect(read.map(({ id }) => id)).toEqual(['mp-22862', 'mp-2'])
    expect(read[0]?.rest.values.meta).toEqual({ total_doc: 2 })
    expectSameAtEveryCut(materialsProjectFormat, text)
  })

  it('are refused where one of them is no document', () => {
    expect(() => readText(materialsProjectFormat, '{"detail": "Invalid API key"}')).toThrow(/An object with detail/)
    expect(() => readText(materialsProjectFormat, '[{"material_id": "mp-1"}, {"a": 1}]')).toThrow(/An object with a /)
  })
})
