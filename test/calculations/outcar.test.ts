import { describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { outcarFormat } from '../../src/calculations/readers/vasp/outcar/outcar.ts'
import {
  BANDS,
  END,
  FIRST_PLACES,
  HEADER,
  iteration,
  moments,
  outcarText,
  PARAMETERS,
  REACHED,
  stepEnd,
} from './outcar-text.ts'

function open(limits: Partial<OutputLimits> = {}) {
  const { source } = outcarFormat
  if (source.kind !== 'text') throw new Error('Not a text.')
  return source.open({ ...DEFAULT_OUTPUT_LIMITS, ...limits })
}

function read(text: string, limits: Partial<OutputLimits> = {}): Calculation {
  const reader = open(limits)
  reader.write(text)
  return reader.end()[0] as Calculation
}

const result = ({ results }: Calculation, name: string): unknown => results.find((one) => one.name === name)?.data
const codes = ({ warnings }: Calculation): readonly string[] => warnings.map(({ code }) => code)
const ENERGIES = ['-9.20000000', '-9.00000000', '-9.10000000'] as const

describe('an OUTCAR', () => {
  const whole = read(outcarText())

  it('says which program ran, when, how long, and how', () => {
    expect(whole.code).toEqual({ name: 'vasp', version: '6.4.2' })
    expect(whole.times).toEqual({ startedAt: '2024-03-07T08:09:10', cpuSeconds: 124.312, wallSeconds: 130.5 })
    expect(whole.model).toEqual({ type: 'dft', subtype: 'gga', functional: 'pbe' })
    expect(whole.method).toEqual({
      type: 'pseudopotential',
      subtype: 'paw',
      precision: { kgrid: [2, 2, 2], kpoints: 2, kppra: 16, cutoff: 500, smearing: 0.05 },
      potentials: [
        { element: 'Mg', title: 'PAW_PBE Mg 13Apr2007' },
        { element: 'O', title: 'PAW_PBE O 08Apr2002' },
      ],
    })
    expect([whole.isWhole, whole.isConverged, whole.warnings]).toEqual([true, true, []])
  })

  it('gives the input that it repeats, and the tags that the program used', () => {
    expect(whole.inputs).toEqual({
      INCAR: { SYSTEM: 'Magnesia', ENCUT: 500, MAGMOM: [0.5, 0.5] },
      KPOINTS: { generation: 'automatic', divisions: [2, 2, 2] },
      POTCAR: ['PAW_PBE Mg 13Apr2007', 'PAW_PBE O 08Apr2002'],
      parameters: {
        SYSTEM: 'Magnesia and more',
        POSCAR: 'MgO',
        PREC: 'accura',
        ISPIN: 2,
        ENCUT: 500,
        NELM: 60,
        NELMIN: 2,
        NELMDL: -5,
        LREAL: false,
        NSW: 9,
        IBRION: 2,
        POMASS: [24.31, 16],
        ISMEAR: 0,
        SIGMA: 0.05,
        GGA: '--',
        LHFCALC: false,
      },
    })
  })

  it('keeps nothing of potentials but their titles', () => {
    const text = JSON.stringify(whole)
    expect(text).not.toMatch(/VRHFIN|EATOM|LULTRA|23\.0369/)
    expect(whole.rest.leftOut.join()).toMatch(/lines of potentials \(\d+\)/)
  })

  it('gives the structure before and after', () => {
    expect(whole.initial).toMatchObject({
      title: 'Magnesia and more',
      lattice: [
        [4.2, 0, 0],
        [0, 4.2, 0],
        [0, 0, -4.2],
      ],
      sites: [
        { element: 'Mg', fraction: [0, 0, 0] },
        { element: 'O', fraction: [0.500001, 0.5, 0.5] },
      ],
    })
    expect(whole.final).toMatchObject({
      lattice: [
        [4.1, 0, 0],
        [0, 4.1, 0],
        [0, 0, -4.1],
      ],
      sites: [
        { element: 'Mg', fraction: [0.01, 0, 0] },
        { element: 'O', fraction: [0.5, 0.5, 0.5] },
      ],
    })
  })

  it('gives the places of the beginning where atoms are where they were, since these have more decimals', () => {
    const steps = iteration(1, 1, '-9.20000000') + stepEnd('4.200000000', FIRST_PLACES, ENERGIES)
    const { initial, final } = read(outcarText({ steps }))
    expect(final).toBe(initial)
  })

  it('gives energies, forces, stress and pressure', () => {
    expect(result(whole, 'total_energy')).toEqual({ value: -9.4, units: 'eV' })
    expect(result(whole, 'total_energy_contributions')).toMatchObject({
      alphaZ: { value: 3.5 },
      ewald: { value: -120.25 },
      PAWDoubleCounting2: { value: 75.11358677 },
      PAWDoubleCounting3: { value: -40.10589356 },
      smearing: { value: -0.1 },
      EdielSol: { value: 0.25 },
      freeEnergy: { value: -9.5 },
      withoutEntropy: { value: -9.3 },
    })
    expect(result(whole, 'atomic_forces')).toMatchObject({
      values: [{ value: [0.02, 0, 0] }, { value: [-0.02, 0, 0] }],
    })
    expect(result(whole, 'stress_tensor')).toEqual({
      value: [
        [15, 0.5, -0.75],
        [0.5, 16, 0.25],
        [-0.75, 0.25, 17],
      ],
      units: 'kbar',
    })
    expect(result(whole, 'pressure')).toEqual({ value: 16, units: 'kbar' })
  })

  it('gives the Fermi energy and gaps over both spins', () => {
    expect(result(whole, 'fermi_energy')).toEqual({ value: 1.5, units: 'eV' })
    expect(result(whole, 'band_gaps')).toMatchObject({
      values: [
        { type: 'indirect', value: 3, kpointValence: [0.5, 0, 0], kpointConduction: [0, 0, 0] },
        { type: 'direct', value: 3.5, kpointValence: [0.5, 0, 0] },
      ],
    })
  })

  it('gives moments, also those behind the last step, and the moment of the cell', () => {
    expect(result(whole, 'magnetic_moments')).toEqual({
      values: [
        { id: 0, value: 1.25 },
        { id: 1, value: -0.75 },
      ],
      units: 'uB',
    })
    expect(result(whole, 'total_magnetization')).toEqual({ value: 2, units: 'uB' })
  })

  it('gives the convergence of electrons and ions', () => {
    expect(result(whole, 'convergence_electronic')).toEqual({ data: [[-8, -9.2], [-9.5]], units: 'eV' })
    expect(result(whole, 'convergence_ionic')).toEqual({
      data: [
        { energy: -9.1, maxForce: 0.5 },
        { energy: -9.4, maxForce: 0.02 },
      ],
      units: 'eV',
    })
  })

  it('gives the same however its text is cut', () => {
    const text = outcarText()
    const right = JSON.stringify([whole])
    const wrong: number[] = []
    for (let cut = 0; cut <= text.length; cut += 11) {
      const reader = open()
      reader.write(text.slice(0, cut))
      reader.write(text.slice(cut))
      if (JSON.stringify(reader.end()) !== right) wrong.push(cut)
    }
    expect(wrong).toEqual([])
    const reader = open()
    for (const character of text.replaceAll('\n', '\r\n')) reader.write(character)
    expect(reader.end()).toEqual([whole])
  })

  it('is told by its first line', () => {
    expect(outcarFormat.recognizes(outcarText().slice(0, 100))).toBe(true)
    expect(outcarFormat.recognizes('     Program PWSCF v.6.4.1')).toBe(false)
    expect(['OUTCAR', 'OUTCAR.relax1', 'run/outcar'].every((name) => outcarFormat.fileNames.test(name))).toBe(true)
  })
})

describe('moments of an OUTCAR with spins in any direction', () => {
  const steps =
    iteration(1, 1, '-9.20000000').replaceAll(' 2.0000000\n', ' 0.1 0.2 0.3\n') +
    stepEnd('4.200000000', FIRST_PLACES, ENERGIES) +
    moments('x', ['1.0', '0.0']) +
    moments('y', ['2.0', '0.0']) +
    moments('z', ['3.0', '0.5'])

  it('are vectors', () => {
    const calculation = read(outcarText({ steps }))
    expect(result(calculation, 'magnetic_moments')).toMatchObject({
      values: [{ value: [1, 2, 3] }, { value: [0, 0, 0.5] }],
    })
    expect(result(calculation, 'total_magnetization')).toBeUndefined()
    expect(calculation.rest.values['magnetization']).toEqual([0.1, 0.2, 0.3])
  })

  it('are turned from the frame of SAXIS', () => {
    const frame = `
 transformation matrix from SAXIS to cartesian coordinates
 ---------------------------------------------------------
     0.0000000 m_x     0.0000000 m_y     1.0000000 m_z
     0.0000000 m_x     1.0000000 m_y     0.0000000 m_z
    -1.0000000 m_x     0.0000000 m_y     0.0000000 m_z

`
    const calculation = read(outcarText({ header: frame + HEADER, steps }))
    expect(result(calculation, 'magnetic_moments')).toMatchObject({
      values: [{ value: [3, 2, -1] }, { value: [0.5, 0, 0] }],
    })
    expect(codes(calculation)).toEqual(['moments-turned'])
  })
})

it('gives an elastic tensor in the order of Voigt, in GPa', () => {
  const names = ['XX', 'YY', 'ZZ', 'XY', 'YZ', 'ZX']
  const rows = names.map(
    (name, row) => `${name}      ${names.map((_, column) => `${100 * row + 10 * column}.0000`).join('   ')}`,
  )
  const elastic = ` TOTAL ELASTIC MODULI (kBar)\n Direction    XX          YY          ZZ          XY          YZ          ZX\n ${'-'.repeat(80)}\n ${rows.join('\n ')}\n ${'-'.repeat(80)}\n`
  const calculation = read(outcarText({ end: elastic + END }))
  expect(result(calculation, 'elastic_tensor')).toMatchObject({
    value: { 0: [0, 1, 2, 4, 5, 3], 3: [40, 41, 42, 44, 45, 43] },
    units: 'GPa',
  })
})

it('gives a band structure of lines between points', () => {
  const header = HEADER.replace(
    'Automatic generation of k-mesh.\n generate k-points for:    2    2    2',
    ' interpolating k-points between supplied coordinates',
  )
  expect(result(read(outcarText({ header })), 'band_structure')).toMatchObject({
    xDataArray: [
      [0, 0, 0],
      [0.5, 0, 0],
    ],
    yDataSeries: [
      [-2, -1],
      [3, 2.5],
      [-2.1, -1.1],
      [2, 2.6],
    ],
    spin: [0.5, 0.5, -0.5, -0.5],
  })
})

describe('ten values more than a reader of OUTCAR knows', () => {
  it('are named', () => {
    const more = `
 first new value = 1.5
 second new value:  2.5 3.5
 third value   (unit) =  some words
 FOURTH TABLE (units)
 ------------------------
   1.0  2.0
   3.0  4.0
 ------------------------
 a fifth one has 5 in its text
 sixth = 6
 seventh = 7
 eighth = 8
 ninth = 9
 Tenth, the last = 10
`
    const { rest } = read(outcarText({ end: more + END }))
    expect(rest.values).toMatchObject({
      'first new value': 1.5,
      'second new value': [2.5, 3.5],
      'third value (unit)': 'some words',
      'FOURTH TABLE (units)': [
        [1, 2],
        [3, 4],
      ],
      sixth: 6,
      seventh: 7,
      eighth: 8,
      ninth: 9,
      'Tenth, the last': 10,
    })
    expect(rest.leftOut).toContain('a fifth one has # in its text (1)')
  })
})

describe('an OUTCAR that is not whole', () => {
  it('gives the results of the last step that is whole', () => {
    const text = outcarText()
    const calculation = read(text.slice(0, text.lastIndexOf('FREE ENERGIE')))
    expect([calculation.isWhole, calculation.isConverged, codes(calculation)]).toEqual([
      false,
      null,
      ['output-incomplete'],
    ])
    expect(result(calculation, 'total_energy')).toEqual({ value: -9.1, units: 'eV' })
    expect(calculation.final).toBe(calculation.initial)
    expect(calculation.rest.leftOut).toContain('ionic step without an end')
  })

  it('may be cut anywhere', () => {
    const text = outcarText()
    for (let end = 20; end < text.indexOf('Elapsed'); end += 11) expect(read(text.slice(0, end)).isWhole).toBe(false)
  })
})

describe('is refused as OUTCAR', () => {
  it.each([
    ['nothing', '', 42225],
    ['another text', 'Program PWSCF\n', 42225],
    [
      'more atoms than can be stored',
      outcarText({ header: HEADER.replace('NIONS =      2', 'NIONS =  99999') }),
      41311,
    ],
  ])('%s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }))
  })
})

describe('whether an OUTCAR has converged', () => {
  it('is what it says of electrons', () => {
    const steps = iteration(1, 1, '-9.20000000') + stepEnd('4.200000000', FIRST_PLACES, ENERGIES)
    expect(read(outcarText({ steps })).isConverged).toBe(false)
    expect(
      read(outcarText({ steps: iteration(1, 1, '-9.2') + REACHED + stepEnd('4.200000000', FIRST_PLACES, ENERGIES) }))
        .isConverged,
    ).toBe(true)
  })

  it('is what it says of ions, where these are to come to rest', () => {
    const end = END.replace('reached required accuracy', 'did not reach accuracy')
    expect(read(outcarText({ end })).isConverged).toBe(false)
    expect(
      read(outcarText({ end, parameters: PARAMETERS.replace('IBRION =      2', 'IBRION =      0') })).isConverged,
    ).toBe(true)
    expect(
      read(outcarText({ end, parameters: PARAMETERS.replace('NSW    =      9', 'NSW    =      0') })).isConverged,
    ).toBe(true)
  })
})

describe('the model of an OUTCAR', () => {
  it.each([
    ['a tag', PARAMETERS.replace('GGA     =    --', 'GGA     =    PS'), '', 'pbesol'],
    [
      'a Hubbard U',
      `${PARAMETERS} LDA+U is selected, type is set to LDAUTYPE =  2\n   U (eV)           for each species LDAUU =   5.0  0.0\n`,
      '',
      'pbe+u',
    ],
    [
      'a correction for dispersion that a step says',
      PARAMETERS,
      ' IVDW         = 12\n Edisp (eV)   -0.30000\n',
      'pbe+d3bj',
    ],
    [
      'a hybrid',
      PARAMETERS.replace('LHFCALC =     F', 'LHFCALC =     T') +
        '   AEXX    =    0.2500 exact exchange contribution\n   HFSCREEN=    0.2000 screening\n',
      '',
      'hse06',
    ],
  ])('is told by %s', (_, parameters, more, functional) => {
    const steps = iteration(1, 1, '-9.20000000') + more + stepEnd('4.200000000', FIRST_PLACES, ENERGIES)
    const calculation = read(outcarText({ parameters, steps }))
    expect(calculation.model).toMatchObject({ functional })
    if (more !== '')
      expect(result(calculation, 'total_energy_contributions')).toMatchObject({ dispersion: { value: -0.3 } })
  })

  it('is not told where the energy has a part that nothing names', () => {
    const steps = iteration(1, 1, '-9.00000000') + stepEnd('4.200000000', FIRST_PLACES, ENERGIES)
    const calculation = read(outcarText({ steps }))
    expect([calculation.model, codes(calculation)]).toEqual([null, ['model-unknown']])
  })

  it('is that of the potentials by their own word', () => {
    expect(read(outcarText({ header: HEADER.replaceAll('LEXCH  = PE', 'LEXCH  = CA') })).model).toMatchObject({
      functional: 'pz',
    })
  })
})

it('says where it cannot tell which atom is where', () => {
  const calculation = read(
    outcarText({ header: HEADER.replace('ions per type =               1   1', 'ions per type =              11') }),
  )
  expect([calculation.initial, codes(calculation)]).toEqual([null, ['atoms-unknown']])
  expect(result(calculation, 'total_energy')).toBeDefined()
})

describe('limits of an OUTCAR', () => {
  it('leave out and name results of more numbers than are kept', () => {
    const calculation = read(outcarText(), { numbers: 30 })
    expect(result(calculation, 'total_energy')).toBeDefined()
    expect(calculation.rest.leftOut.join()).toMatch(/stress_tensor|convergence/)
  })

  it('cut lines that are longer than any, and count them', () => {
    const calculation = read(outcarText({ end: `${'x'.repeat(1_000_000)}\n${END}` }))
    expect([calculation.isWhole, calculation.rest.leftOut.includes('ends of lines (1)')]).toEqual([true, true])
  })

  it('keep the names of a few of many values', () => {
    const names = Array.from(
      { length: 5000 },
      (_, index) => `${String.fromCharCode(97 + (index % 26))}${'q'.repeat(index % 71)}${'z'.repeat(index % 29)} = 1`,
    )
    const { rest } = read(outcarText({ end: `${names.join('\n')}\n${END}` }))
    expect(Object.keys(rest.values).length).toBeLessThanOrEqual(400)
    expect(rest.leftOut.at(-1)).toMatch(/^further lines \(\d+\)$/)
  })
})

it('takes a Fermi energy that is no number for none, and the states with it', () => {
  const steps =
    iteration(1, 1, '-9.2') + BANDS.replace('1.5000', '*****') + stepEnd('4.200000000', FIRST_PLACES, ENERGIES)
  const calculation = read(outcarText({ steps }))
  expect(result(calculation, 'fermi_energy')).toBeUndefined()
  expect(result(calculation, 'band_gaps')).toBeDefined()
})
