import { describe, expect, it } from 'vitest'
import { jarvisFormat } from '../../src/calculations/readers/jarvis.ts'
import { expectSameAtEveryCut, readOne, readText, TEN_UNKNOWN } from './support/read-records.ts'

const RECORD = {
  jid: 'JVASP-23862',
  spg_number: 225,
  formula: 'NaCl',
  func: 'OptB88vdW',
  atoms: {
    lattice_mat: [
      [0, 2.1, 2.1],
      [2.1, 0, 2.1],
      [2.1, 2.1, 0],
    ],
    coords: [
      [0, 0, 0],
      [0.5, 0.5, 0.5],
    ],
    elements: ['Na', 'Cl'],
    abc: [2.97, 2.97, 2.97],
    angles: [60, 60, 60],
    cartesian: false,
    props: ['', ''],
  },
  formation_energy_peratom: -1.875,
  optb88vdw_total_energy: -2.25,
  ehull: 0.0625,
  optb88vdw_bandgap: 5.25,
  mbj_bandgap: 8.5,
  hse_gap: 'na',
  magmom_outcar: 0.5,
  magmom_oszicar: 0.25,
  bulk_modulus_kv: 26.5,
  shear_modulus_gv: 'na',
  elastic_tensor: 'na',
  spillage: 0.125,
  encut: 650,
  kpoint_length_unit: 50,
  slme: 'na',
}

describe('a record of JARVIS', () => {
  const read = readText(jarvisFormat, JSON.stringify(RECORD))

  it('gives its structure and the results of its functional', () => {
    expect(read[0]).toMatchObject({
      code: { name: 'vasp', version: null },
      id: 'JVASP-23862',
      model: { type: 'dft', subtype: 'gga', functional: 'optb88-vdw' },
      method: { type: 'pseudopotential', subtype: 'paw', precision: { cutoff: 650 } },
      warnings: [],
    })
    expect(read[0]?.final?.sites.map(({ element }) => element)).toEqual(['Na', 'Cl'])
    expect(read[0]?.results).toEqual([
      { name: 'total_energy', data: { value: -4.5, units: 'eV' } },
      { name: 'formation_energy', data: { value: -1.875, units: 'eV/atom' } },
      { name: 'energy_above_hull', data: { value: 0.0625, units: 'eV/atom' } },
      { name: 'total_magnetization', data: { value: 0.5, units: 'uB' } },
      { name: 'bulk_modulus', data: { value: 26.5, units: 'GPa' } },
      { name: 'band_gap', data: { value: 5.25, units: 'eV' } },
    ])
  })

  it('gives the gap of another functional as a calculation of its own', () => {
    expect(read).toHaveLength(2)
    expect(read[1]).toMatchObject({
      madeFrom: ['JVASP-23862'],
      model: { type: 'dft', subtype: 'meta-gga', functional: 'tb-mbj' },
      results: [{ name: 'band_gap', data: { value: 8.5, units: 'eV' } }],
      rest: { values: {}, leftOut: [] },
    })
    expect(read[1]?.final).toEqual(read[0]?.final)
    const hybrid = readText(jarvisFormat, JSON.stringify({ ...RECORD, hse_gap: 9 }))
    expect(hybrid.map(({ model }) => model?.functional)).toEqual(['optb88-vdw', 'tb-mbj', 'hse06'])
  })

  it('has what was not used in the rest, but for values that are missing', () => {
    expect(read[0]?.rest.values).toEqual({
      spg_number: 225,
      formula: 'NaCl',
      magmom_oszicar: 0.25,
      spillage: 0.125,
      kpoint_length_unit: 50,
    })
    const { mbj_bandgap: _, ...plain } = RECORD
    expect(readOne(jarvisFormat, { ...plain, ...TEN_UNKNOWN }).rest.values).toMatchObject(TEN_UNKNOWN)
  })

  it('is of the functional that its fields are named after where it does not say another', () => {
    const functional = (fields: object) =>
      readText(jarvisFormat, JSON.stringify({ ...RECORD, mbj_bandgap: 'na', ...fields }))[0]
    expect(functional({ func: undefined })?.model?.functional).toBe('optb88-vdw')
    expect(functional({ func: 'R2SCAN' })?.model?.functional).toBe('r2scan')
    expect(functional({ func: 'Unheard' })?.warnings[0]?.code).toBe('model-not-known')
  })

  it('has an elastic tensor', () => {
    const elastic_tensor = Array.from({ length: 6 }, () => [1, 2, 3, 4, 5, 6])
    const [first] = readText(jarvisFormat, JSON.stringify({ ...RECORD, elastic_tensor }))
    expect(first?.results).toContainEqual({ name: 'elastic_tensor', data: { value: elastic_tensor, units: 'GPa' } })
  })
})

it('is read the same wherever the text is cut, in a list', () => {
  expectSameAtEveryCut(jarvisFormat, JSON.stringify([RECORD, RECORD]))
})

it('is refused where it is no record', () => {
  expect(() => readText(jarvisFormat, '[{"id": 1}]')).toThrow(/An object with id is no record of JARVIS/)
  expect(jarvisFormat.recognizes('{"jid": "x", "other": 1}')).toBe(false)
})
