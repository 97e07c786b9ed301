import { describe, expect, it } from 'vitest'
import { optimadeResultsFormat } from '../../src/calculations/readers/optimade.ts'
import { expectSameAtEveryCut, readOne, readText, TEN_UNKNOWN } from './support/read-records.ts'

const STRUCTURE = {
  lattice_vectors: [
    [0, 2.1, 2.1],
    [2.1, 0, 2.1],
    [2.1, 2.1, 0],
  ],
  cartesian_site_positions: [
    [0, 0, 0],
    [2.1, 2.1, 2.1],
  ],
  species_at_sites: ['Na', 'Cl'],
  species: [
    { name: 'Na', chemical_symbols: ['Na'], concentration: [1] },
    { name: 'Cl', chemical_symbols: ['Cl'], concentration: [1] },
  ],
  dimension_types: [1, 1, 1],
}

function entry(attributes: object): { id: string; type: string; attributes: object } {
  return { id: 'x-1', type: 'structures', attributes: { ...STRUCTURE, ...attributes } }
}

function valuesOf({ results }: { readonly results: readonly { name: string; data: { value?: unknown } }[] }) {
  return Object.fromEntries(results.map(({ name, data }) => [name, data.value]))
}

describe('fields of providers', () => {
  it('of OQMD are formation energies, gaps and distances to the hull', () => {
    const read = readOne(
      optimadeResultsFormat,
      entry({ _oqmd_delta_e: -1.5, _oqmd_band_gap: 5, _oqmd_stability: 0.25, _oqmd_entry_id: 7 }),
    )
    expect(read).toMatchObject({ id: 'x-1', code: { name: 'vasp' }, model: null })
    expect(read.final?.sites).toHaveLength(2)
    expect(valuesOf(read)).toEqual({ formation_energy: -1.5, band_gap: 5, energy_above_hull: 0.25 })
    expect(read.rest.values).toEqual({ attributes: { _oqmd_entry_id: 7 } })
    expect(read.warnings[0]?.code).toBe('model-not-known')
  })

  it('of OQMD have a distance below 0 on the hull, which stays in the rest', () => {
    const read = readOne(optimadeResultsFormat, entry({ _oqmd_stability: -0.5 }))
    expect(valuesOf(read)).toEqual({ energy_above_hull: 0 })
    expect(read.rest.values).toEqual({ attributes: { _oqmd_stability: -0.5 } })
  })

  it('of Alexandria are of their functional', () => {
    const read = readOne(
      optimadeResultsFormat,
      entry({
        _alexandria_xc_functional: 'PBEsol',
        _alexandria_energy: -7,
        _alexandria_formation_energy_per_atom: -2,
        _alexandria_hull_distance: 0.5,
        _alexandria_band_gap: 3,
        _alexandria_band_gap_direct: 4,
      }),
    )
    expect(read.model?.functional).toBe('pbesol')
    expect(valuesOf(read)).toMatchObject({ total_energy: -7, formation_energy: -2, energy_above_hull: 0.5 })
    expect(read.results.at(-1)).toEqual({
      name: 'band_gaps',
      data: {
        values: [
          { type: 'indirect', value: 3, units: 'eV' },
          { type: 'direct', value: 4, units: 'eV' },
        ],
      },
    })
    expect(read.rest).toEqual({ values: {}, leftOut: [] })
  })

  it.each([
    [{ _alexandria_band_gap: 3, _alexandria_band_gap_direct: 3 }, 'band_gaps', 'direct'],
    [{ _alexandria_band_gap_direct: 3 }, 'band_gaps', 'direct'],
    [{ _alexandria_band_gap: 3 }, 'band_gap', undefined],
  ])('of Alexandria have a gap: %j', (fields, name, type) => {
    const [gap] = readOne(optimadeResultsFormat, entry(fields)).results
    expect(gap?.name).toBe(name)
    if (type !== undefined) expect(gap?.data).toEqual({ values: [{ type, value: 3, units: 'eV' }] })
  })

  it('of JARVIS are those of its records, by all their functionals', () => {
    const text = JSON.stringify(
      entry({ _jarvis_jid: 'JVASP-1', _jarvis_ehull: 0.5, _jarvis_optb88vdw_bandgap: 1, _jarvis_mbj_bandgap: 2 }),
    )
    const read = readText(optimadeResultsFormat, text)
    expect(read.map(({ model }) => model?.functional)).toEqual(['optb88-vdw', 'tb-mbj'])
    expect(read.map(valuesOf)).toEqual([{ energy_above_hull: 0.5, band_gap: 1 }, { band_gap: 2 }])
    expect(read[0]?.id).toBe('x-1')
  })

  it('of the Materials Project are of a calculation for each of its data', () => {
    const stability = (above: number) => ({ energy_above_hull: above, formation_energy_per_atom: -1, thermo_id: 't' })
    const text = JSON.stringify(entry({ _mp_stability: { r2scan: stability(0.5), 'gga_gga+u': stability(0.25) } }))
    const [main, other, ...more] = readText(optimadeResultsFormat, text)
    expect(more).toEqual([])
    expect(main).toMatchObject({ id: 'x-1', model: null })
    expect(main?.warnings[0]?.message).toContain('"gga_gga+u"')
    expect(other).toMatchObject({ madeFrom: ['x-1'], model: { functional: 'r2scan' }, warnings: [] })
    expect([main, other].map((one) => one?.results[1]?.data.value)).toEqual([0.25, 0.5])
    expect(main?.rest.values).toEqual({
      attributes: { _mp_stability: { r2scan: { thermo_id: 't' }, 'gga_gga+u': { thermo_id: 't' } } },
    })
  })

  it('of others, and of units that are not known, stay in the rest', () => {
    const fields = { _other_band_gap: 2, _nmd_results_gap: 3e-19, _mp_chemical_system: 'Cl-Na' }
    const read = readOne(optimadeResultsFormat, entry(fields))
    expect(read.results).toEqual([])
    expect(read.rest.values).toEqual({ attributes: fields })
    const tenMore = { _other_id: 1, ...TEN_UNKNOWN }
    const unknown = readOne(optimadeResultsFormat, entry(tenMore))
    expect(unknown.code.name).toBe('unknown')
    expect(unknown.rest.values).toEqual({ attributes: tenMore })
  })
})

describe('a response', () => {
  const response = {
    data: [entry({ _oqmd_delta_e: -1 }), entry({})],
    meta: { data_returned: 2 },
    links: { next: null },
  }

  it('gives its entries', () => {
    const read = readText(optimadeResultsFormat, JSON.stringify(response))
    expect(read).toHaveLength(2)
    expect(read[0]?.rest.values).toEqual({ meta: { data_returned: 2 } })
  })

  it('is read the same wherever it is cut', () => {
    expectSameAtEveryCut(optimadeResultsFormat, JSON.stringify(response))
  })

  it('is refused where it has none', () => {
    expect(() => readText(optimadeResultsFormat, '{"data": [], "meta": {}}')).toThrow(/has no structures entry/)
    expect(() => readText(optimadeResultsFormat, '{"errors": []}')).toThrow(/An object with errors/)
    expect(optimadeResultsFormat.recognizes('{"data": [], "meta": {}}')).toBe(false)
  })

  it('is one of structures where no provider says anything of them', () => {
    const ofFields = (fields: object) => optimadeResultsFormat.recognizes(JSON.stringify({ data: [entry(fields)] }))
    expect([ofFields({ _oqmd_delta_e: -1 }), ofFields({}), ofFields({ _quarry_name: 'NaCl' })]).toEqual([
      true,
      false,
      false,
    ])
  })
})
