import { describe, expect, it } from 'vitest'
import { entriesFormat } from '../../src/calculations/readers/entries.ts'
import { expectSameAtEveryCut, readOne, readText, rockSalt, TEN_UNKNOWN } from './support/read-records.ts'

const ENTRY = {
  '@module': 'pymatgen.entries.computed_entries',
  '@class': 'ComputedStructureEntry',
  energy: -17.25,
  composition: { Mn: 1, O: 1 },
  correction: -2.5,
  entry_id: 'mp-1',
  parameters: {
    run_type: 'GGA+U',
    is_hubbard: true,
    hubbards: { Mn: 3.9, O: 0 },
    potcar_symbols: ['PBE Mn_pv', 'PBE O'],
  },
  data: { oxide_type: 'oxide', formation_energy_per_atom: -1.75, e_above_hull: 0.125, band_gap: 1.5 },
  structure: rockSalt('Mn', 'O'),
}

describe('a computed entry', () => {
  it('gives its structure, energy, functional and potentials', () => {
    const entry = readOne(entriesFormat, ENTRY)
    expect(entry).toMatchObject({
      code: { name: 'vasp', version: null },
      id: 'mp-1',
      initial: null,
      model: { type: 'dft', subtype: 'gga', functional: 'pbe+u' },
      method: {
        type: 'pseudopotential',
        subtype: 'paw',
        potentials: [
          { element: 'Mn', title: 'PBE Mn_pv' },
          { element: 'O', title: 'PBE O' },
        ],
      },
      inputs: { hubbards: { Mn: 3.9, O: 0 } },
      isWhole: true,
      isConverged: null,
    })
    expect(entry.final?.sites.map(({ element }) => element)).toEqual(['Mn', 'O'])
    expect(entry.results).toEqual([
      { name: 'total_energy', data: { value: -17.25, units: 'eV' } },
      { name: 'formation_energy', data: { value: -1.75, units: 'eV/atom' } },
      { name: 'energy_above_hull', data: { value: 0.125, units: 'eV/atom' } },
      { name: 'band_gap', data: { value: 1.5, units: 'eV' } },
    ])
  })

  it('has what was not used in the rest, and tells that its energy is not corrected', () => {
    const { rest, warnings } = readOne(entriesFormat, ENTRY)
    expect(rest).toEqual({
      values: {
        correction: -2.5,
        parameters: { is_hubbard: true },
        data: { oxide_type: 'oxide' },
      },
      leftOut: [],
    })
    expect(warnings).toEqual([
      {
        code: 'energy-not-corrected',
        message: 'The total energy is without the correction of -2.5 eV that the entry names.',
        severity: 'info',
      },
    ])
  })

  it('has a composition in place of a structure where it is a ComputedEntry', () => {
    const { structure: _, ...without } = ENTRY
    const entry = readOne(entriesFormat, { ...without, '@class': 'ComputedEntry' })
    expect(entry.final).toBeNull()
    expect(entry.rest.values.composition).toEqual({ Mn: 1, O: 1 })
  })

  it('has the potentials by their titles where it has them', () => {
    const potcar_spec = [
      { titel: 'PAW_PBE Mn_pv 02Aug2007', hash: 'f00' },
      { titel: 'PAW_PBE O 08Apr2002', hash: 'ba5' },
    ]
    const { potcar_symbols: _, ...others } = ENTRY.parameters
    const entry = readOne(entriesFormat, { ...ENTRY, parameters: { ...others, run_type: 'GGA', potcar_spec } })
    expect(entry.method?.potentials[0]).toEqual({ element: 'Mn', title: 'PAW_PBE Mn_pv 02Aug2007' })
    expect(entry.model).toEqual({ type: 'dft', subtype: 'gga', functional: 'pbe' })
    expect(entry.rest.leftOut).toEqual(['parameters.potcar_spec[].hash (2)'])
  })

  it('is of ultra-soft potentials where their titles say so', () => {
    const { method, model } = readOne(entriesFormat, {
      ...ENTRY,
      parameters: { run_type: 'GGA', potcar_symbols: ['US Mn', 'US O'] },
    })
    expect(method?.subtype).toBe('ultra-soft')
    expect(model).toBeNull()
  })

  it('has U in the rest where it is not of elements', () => {
    const hubbards = { Mn: 3.9, all: 'none' }
    const { inputs, rest } = readOne(entriesFormat, { ...ENTRY, parameters: { ...ENTRY.parameters, hubbards } })
    expect(inputs).toEqual({})
    expect(rest.values.parameters).toMatchObject({ hubbards })
  })

  it.each([
    [{}, 'The entry does not say by which functional it was computed.'],
    [{ run_type: 'GGA' }, 'The run type "GGA" stands for a functional of potentials that do not say theirs.'],
    [{ run_type: 'XYZ' }, 'The run type "XYZ" stands for a functional that is not known.'],
  ])('has no model where its functional is not known: %j', (parameters, message) => {
    const entry = readOne(entriesFormat, { ...ENTRY, correction: 0, parameters })
    expect(entry.model).toBeNull()
    expect(entry.code.name).toBe('unknown')
    expect(entry.warnings).toEqual([{ code: 'model-not-known', message }])
    expect(entry.rest.values.parameters).toEqual('run_type' in parameters ? parameters : undefined)
  })

  it.each([
    ['R2SCAN', 'meta-gga', 'r2scan'],
    ['PBEsol', 'gga', 'pbesol'],
    ['HSE06', 'hybrid', 'hse06'],
    ['r2SCAN_U', 'meta-gga', 'r2scan+u'],
  ])('is of %s', (run_type, subtype, functional) => {
    const { model } = readOne(entriesFormat, { ...ENTRY, parameters: { run_type } })
    expect(model).toEqual({ type: 'dft', subtype, functional })
  })

  it('has ten values that no reader knows in the rest', () => {
    expect(readOne(entriesFormat, { ...ENTRY, ...TEN_UNKNOWN }).rest.values).toMatchObject(TEN_UNKNOWN)
  })
})

describe('entries of one file', () => {
  const others = [ENTRY, { ...ENTRY, entry_id: 7 }]

  it('are a list, under their names, or in a document', () => {
    const ids = (document: unknown) => readText(entriesFormat, JSON.stringify(document)).map(({ id }) => id)
    expect(ids(others)).toEqual(['mp-1', '7'])
    expect(ids({ one: { ...ENTRY, entry_id: null }, two: ENTRY })).toEqual(['one', 'mp-1'])
    expect(ids({ entries: others, elements: ['Mn', 'O'] })).toEqual(['mp-1', '7'])
  })

  it('come with what the document says of all of them, in the rest of the first', () => {
    const [first, second] = readText(entriesFormat, JSON.stringify({ entries: others, version: 3 }))
    expect(first?.rest.values.version).toBe(3)
    expect(second?.rest.values.version).toBeUndefined()
    const [named] = readText(entriesFormat, JSON.stringify({ one: ENTRY, comment: 'slabs' }))
    expect(named?.rest.values.comment).toBe('slabs')
  })

  it('are the same wherever the text is cut', () => {
    expectSameAtEveryCut(entriesFormat, JSON.stringify({ entries: [ENTRY, ENTRY], note: 'a "[b]" {c' }))
    expectSameAtEveryCut(entriesFormat, `\uFEFF ${JSON.stringify([ENTRY], null, 1)}\r\n`)
  })

  it('that were read before the file was cut off are there, and the last says so', () => {
    const text = JSON.stringify([ENTRY, ENTRY, ENTRY])
    const read = readText(entriesFormat, text.slice(0, -100))
    expect(read.map(({ isWhole }) => isWhole)).toEqual([true, false])
    expect(read[1]?.warnings.at(-1)?.code).toBe('file-cut-off')
  })

  it('are refused beyond a number, and their results are named beyond another', () => {
    const text = JSON.stringify(others)
    expect(() => readText(entriesFormat, text, { limits: { calculations: 1 } })).toThrow(/more than 1 calculations/)
    const [first, second] = readText(entriesFormat, text, { limits: { numbers: 5 } })
    expect(first?.results).toHaveLength(4)
    expect(second?.results).toHaveLength(1)
    expect(second?.rest.leftOut).toEqual(['formation_energy (1)', 'energy_above_hull (1)', 'band_gap (1)'])
  })
})

describe('a text that is no entry', () => {
  it.each([
    ['', /not well-formed JSON/],
    ['[]', /has no computed entry/],
    ['{"entries": []}', /has no computed entry/],
    ['{"energy": 1}', /An object with energy is no computed entry/],
    ['[1]', /computed entry is 1; it must be an object/],
    ['3', /must be an object or a list/],
    [JSON.stringify(ENTRY).slice(0, 200), /not well-formed JSON/],
    [JSON.stringify([{ ...ENTRY, '@class': 'GibbsComputedStructureEntry' }]), /is no computed entry/],
    [`[${'['.repeat(200)}`, /More than 100 levels/],
  ])('is refused: %s', (text, message) => {
    expect(() => readText(entriesFormat, text)).toThrow(message)
  })

  it('is told by its beginning', () => {
    expect(entriesFormat.recognizes('{"@class": "Structure", "sites": []}')).toBe(false)
    expect(entriesFormat.recognizes('# "@class": "ComputedEntry"')).toBe(false)
  })

  it('is refused with what is wrong in its structure, and told where others are right', () => {
    const wrong = { ...ENTRY, structure: { ...ENTRY.structure, lattice: { matrix: 3 } } }
    expect(() => readText(entriesFormat, JSON.stringify(wrong))).toThrow(/lattice.matrix/)
    const [, second] = readText(entriesFormat, JSON.stringify([ENTRY, wrong]))
    expect(second?.final).toBeNull()
    expect(second?.warnings[0]).toMatchObject({ code: 'structure-not-read' })
    expect(second?.rest.values.structure).toMatchObject({ lattice: { matrix: 3 } })
    expect(() => readText(entriesFormat, JSON.stringify([ENTRY]), { limits: { atoms: 1 } })).toThrow(/2 atoms/)
  })
})
