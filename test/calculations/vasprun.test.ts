import { describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { vasprunFormat } from '../../src/calculations/readers/vasp/vasprun/vasprun.ts'
import {
  eigenvalues,
  electronicStep,
  firstStep,
  INITIAL,
  lastStep,
  PARAMETERS,
  pathPoints,
  STATES,
  structure,
  vasprunText,
} from './vasprun-text.ts'

function open(limits: Partial<OutputLimits> = {}) {
  const { source } = vasprunFormat
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

describe('a vasprun.xml', () => {
  const whole = read(vasprunText())

  it('says which program ran, when, and how', () => {
    expect(whole.code).toEqual({ name: 'vasp', version: '6.4.2' })
    expect(whole.times).toEqual({ startedAt: '2024-03-07T08:09:10' })
    expect(whole.model).toEqual({ type: 'dft', subtype: 'gga', functional: 'pbe' })
    expect(whole.method).toEqual({
      type: 'pseudopotential',
      subtype: 'paw',
      precision: { kgrid: [2, 2, 2], kpoints: 3, kppra: 24, cutoff: 520, smearing: 0.05 },
      potentials: [
        { element: 'Mg', title: 'PAW_PBE Mg 13Apr2007' },
        { element: 'Xe', title: 'PAW_PBE Xe 07Sep2000' },
      ],
    })
    expect([whole.isWhole, whole.isConverged, whole.warnings]).toEqual([true, true, []])
  })

  it('gives its input, and what the program made of it: of a name that is there twice, the first', () => {
    expect(whole.inputs).toMatchObject({
      INCAR: { PREC: 'accurate', ENCUT: 520, MAGMOM: [0.6, 0.6, 1], LWAVE: false },
      KPOINTS: { generation: 'Gamma', divisions: [2, 2, 2], usershift: [0, 0, 0] },
      POTCAR: ['PAW_PBE Mg 13Apr2007', 'PAW_PBE Xe 07Sep2000'],
      parameters: { SYSTEM: 'Magnesia', NELM: 60, CSHIFT: 0.1, 'response functions': { CSHIFT: -0.1 } },
    })
  })

  it('gives the structure before and after, with what may move, and the element that VASP cuts short', () => {
    expect(whole.initial).toMatchObject({
      title: 'Magnesia',
      lattice: [
        [4.2, 0, 0],
        [0, 4.2, 0],
        [0, 0, 4.2],
      ],
    })
    expect(whole.final).toMatchObject({
      lattice: [
        [4.1, 0, 0],
        [0, 4.1, 0],
        [0, 0, 4.1],
      ],
      sites: [
        { element: 'Mg', fraction: [0.01, 0, 0], movable: [false, false, false] },
        { element: 'Mg', fraction: [0.5, 0.5, 0], movable: [true, true, false] },
        { element: 'Xe', fraction: [0.5, 0.5, 0.49] },
      ],
    })
    expect(whole.final?.sites[2]).not.toHaveProperty('movable')
  })

  it('gives the energy by the last electronic step, where that at the end is another number', () => {
    expect(result(whole, 'total_energy')).toEqual({ value: -10.45, units: 'eV' })
    expect(result(whole, 'total_energy_contributions')).toMatchObject({
      alphaZ: { name: 'alpha_z', value: 3 },
      ewald: { name: 'ewald', value: -21 },
      hartree: { name: 'hartree', value: -5 },
      exchangeCorrelation: { name: 'exchange_correlation', value: 2 },
      smearing: { name: 'smearing', value: -0.1 },
      freeEnergy: { value: -10.5 },
      withoutEntropy: { value: -10.4 },
      units: 'eV',
    })
  })

  it('gives forces, stress with the sign of a pressure, and the pressure', () => {
    expect(result(whole, 'atomic_forces')).toEqual({
      values: [
        { id: 0, value: [0, 0, 0.02] },
        { id: 1, value: [0, 0, 0] },
        { id: 2, value: [0, 0, -0.02] },
      ],
      units: 'eV/angstrom',
    })
    expect(result(whole, 'total_force')).toEqual({ value: Math.sqrt(2 * 0.02 ** 2), units: 'eV/angstrom' })
    expect(result(whole, 'stress_tensor')).toEqual({
      value: [
        [1, 0.5, 0],
        [0.5, 2, 0],
        [0, 0, 6],
      ],
      units: 'kbar',
    })
    expect(result(whole, 'pressure')).toEqual({ value: 3, units: 'kbar' })
  })

  it('gives the gap over all spins and k-points, and the smallest direct one', () => {
    expect(result(whole, 'fermi_energy')).toEqual({ value: 1.5, units: 'eV' })
    const ofGap = { units: 'eV', spin: 0.5, kpointConduction: [0.5, 0.5, 0], eigenvalueConduction: 2 }
    expect(result(whole, 'band_gaps')).toEqual({
      values: [
        { ...ofGap, type: 'indirect', value: 3, kpointValence: [0.5, 0, 0], eigenvalueValence: -1 },
        {
          type: 'direct',
          value: 3.5,
          units: 'eV',
          spin: 0.5,
          kpointValence: [0.5, 0, 0],
          kpointConduction: [0.5, 0, 0],
          eigenvalueValence: -1,
          eigenvalueConduction: 2.5,
        },
      ],
    })
  })

  it('gives densities of states, in total and summed over the atoms of an element', () => {
    const data = result(whole, 'density_of_states') as {
      readonly xDataArray: readonly number[]
      readonly yDataSeries: readonly (readonly number[])[]
      readonly legend: readonly object[]
    }
    expect(data.xDataArray).toEqual([-1, 1])
    expect(data.legend).toEqual([
      { spin: 0.5 },
      { spin: -0.5 },
      { element: 'Mg', electronicState: 's', spin: 0.5 },
      { element: 'Mg', electronicState: 'dx2-y2', spin: 0.5 },
      { element: 'Mg', electronicState: 's', spin: -0.5 },
      { element: 'Mg', electronicState: 'dx2-y2', spin: -0.5 },
      { element: 'Xe', electronicState: 's', spin: 0.5 },
      { element: 'Xe', electronicState: 'dx2-y2', spin: 0.5 },
      { element: 'Xe', electronicState: 's', spin: -0.5 },
      { element: 'Xe', electronicState: 'dx2-y2', spin: -0.5 },
    ])
    expect(data.yDataSeries.slice(0, 3)).toEqual([
      [0.5, 2],
      [0.25, 1],
      [0.1 + 0.01, 0.3 + 0.03],
    ])
  })

  it('gives the convergence of electrons and ions', () => {
    expect(result(whole, 'convergence_electronic')).toEqual({ data: [[-9, -10], [-10.5]], units: 'eV' })
    expect(result(whole, 'convergence_ionic')).toEqual({
      data: [
        { energy: -9.9, maxForce: 0.5 },
        { energy: -10.45, maxForce: 0.02 },
      ],
      units: 'eV',
    })
  })

  it('names what is not used, by its name and size', () => {
    expect(whole.rest.values).toEqual({
      generator: { program: 'vasp' },
      atominfo: { atomtypes: { mass: [24.3, 131.3], valence: [2, 8] } },
      calculation: {
        scstep: {
          'time total': [
            [0.3, 0.4],
            [0.3, 0.4],
            [0.3, 0.4],
          ],
        },
        'time totalsc': [5.2, 5.5],
      },
    })
    expect(whole.rest.leftOut).toEqual([
      'kpoints.kpointlist (3 × 3)',
      'kpoints.weights (3)',
      'eigenvalues (12 × 2)',
      'dos.total.integrated (4)',
      'structures, forces and stresses of steps before the last (1)',
    ])
  })

  it('gives the same however its text is cut', () => {
    const text = vasprunText()
    const right = JSON.stringify([whole])
    const wrong: number[] = []
    for (let cut = 0; cut <= text.length; cut += 7) {
      const reader = open()
      reader.write(text.slice(0, cut))
      reader.write(text.slice(cut))
      if (JSON.stringify(reader.end()) !== right) wrong.push(cut)
    }
    expect(wrong).toEqual([])
    const reader = open()
    for (const character of text) reader.write(character)
    expect(reader.end()).toEqual([whole])
  })

  it('is told by its beginning', () => {
    expect(vasprunFormat.recognizes(vasprunText().slice(0, 200))).toBe(true)
    expect(vasprunFormat.recognizes('<modeling>\n <generator>')).toBe(true)
    expect(vasprunFormat.recognizes('<?xml version="1.0"?><espresso>')).toBe(false)
    expect(
      ['vasprun.xml', 'vasprun.relax2.xml', 'run/vasprun.xml'].every((name) => vasprunFormat.fileNames.test(name)),
    ).toBe(true)
  })
})

describe('ten values more than a reader of vasprun.xml knows', () => {
  it('are named', () => {
    const steps = firstStep.replace(
      '</calculation>',
      '<i name="one">1</i><v name="two">1 2 3</v><separator name="three"><i name="four" type="logical">T</i></separator><newdata kind="x"><inner><v>1 2</v><v>3 4</v></inner></newdata><varray name="epsilon"><v>1 0 0</v><v>0 1 0</v><v>0 0 1</v></varray></calculation>',
    )
    const rows = '<r>1 2 3 4 5</r>'.repeat(300)
    const { rest } = read(
      vasprunText({
        steps: `${steps}${lastStep()}<six>said</six><array name="seven"><set><set>${rows}</set></set></array>`,
        incar: '<i name="ENCUT"> 1</i><w name="eight">8</w>',
        end: '<i name="nine" type="string">nine lives</i><dynmat><v name="eigenvalues">-1.0 -2.0</v></dynmat></modeling>',
      }),
    )
    expect(rest.values).toMatchObject({
      calculation: {
        one: 1,
        two: [1, 2, 3],
        three: { four: true },
        newdata: {
          inner: [
            [1, 2],
            [3, 4],
          ],
        },
        epsilon: [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
      six: 'said',
      incar: { 'w eight': 8 },
      nine: 'nine lives',
      dynmat: { eigenvalues: [-1, -2] },
    })
    expect(rest.leftOut).toContain('seven (300 × 5)')
  })
})

describe('k-points of a vasprun.xml', () => {
  it.each([
    [
      'lines of the input',
      '<generation param="listgenerated"><i name="divisions" type="int"> 3 </i><v> 0 0 0 </v><v> 0.5 0 0 </v></generation>',
    ],
    ['a list of points along a line', ''],
  ])('give a band structure: %s', (_, way) => {
    const calculation = read(vasprunText({ kPoints: pathPoints(way) }))
    expect(result(calculation, 'band_structure')).toEqual({
      xAxis: { label: 'kpoints', units: 'crystal' },
      yAxis: { label: 'energy', units: 'eV' },
      xDataArray: [
        [0, 0, 0],
        [0.25, 0, 0],
        [0.5, 0, 0],
      ],
      yDataSeries: [
        [-2, -1, -1.5],
        [3, 2.5, 2],
        [-2.1, -1.1, -1.6],
        [3.1, 2.6, 2.1],
      ],
      spin: [0.5, 0.5, -0.5, -0.5],
    })
    expect(calculation.rest.leftOut.join()).not.toContain('eigenvalues')
  })

  it('on a grid give none', () => {
    expect(result(read(vasprunText()), 'band_structure')).toBeUndefined()
  })

  it('that are listed stay in the input', () => {
    expect(read(vasprunText({ kPoints: pathPoints('') })).inputs['KPOINTS']).toEqual({
      points: [
        [0, 0, 0],
        [0.25, 0, 0],
        [0.5, 0, 0],
      ],
      weights: [1, 1, 1],
    })
  })
})

describe('states of a vasprun.xml', () => {
  const gapsOf = (spins: readonly (readonly (readonly string[])[])[]): unknown =>
    result(read(vasprunText({ steps: firstStep + lastStep(eigenvalues(spins)) })), 'band_gaps')

  it('of a metal have a gap of 0', () => {
    expect(
      gapsOf([
        [
          ['-1 1.0', '2 0.5', '3 0.0'],
          ['-1 1.0', '1 0.0', '4 0.0'],
        ],
      ]),
    ).toMatchObject({
      values: [{ type: 'indirect', value: 0 }],
    })
  })

  it('with the edges at one k-point have one gap, which is direct', () => {
    expect(
      gapsOf([
        [
          ['-1 1.0', '2 0.0'],
          ['-2 1.0', '3 0.0'],
        ],
      ]),
    ).toMatchObject({ values: [{ type: 'direct', value: 3 }] })
  })

  it('that are all occupied have none', () => {
    expect(gapsOf([[['-1 1.0'], ['-2 1.0']]])).toBeUndefined()
  })

  it('that are no numbers are named, and give nothing', () => {
    const steps = firstStep + lastStep(eigenvalues(STATES).replace('-2.0 1.0', '******** 1.0'))
    const calculation = read(vasprunText({ steps }))
    expect(result(calculation, 'band_gaps')).toBeUndefined()
    expect(calculation.rest.leftOut).toContain('eigenvalues (not numbers)')
  })
})

it('gives a dielectric function as tensors, and names a second one', () => {
  const part = (name: string): string =>
    `<${name}><array><dimension dim="1">gridpoints</dimension><field>energy</field><set><r> 0.0 1 2 3 4 5 6 </r><r> 0.5 7 8 9 1 2 3 </r></set></array></${name}>`
  const dielectric = `<dielectricfunction>${part('imag')}${part('real')}</dielectricfunction>`
  const calculation = read(vasprunText({ steps: lastStep(dielectric + dielectric) }))
  expect(result(calculation, 'dielectric_tensor')).toEqual({
    values: ['real', 'imaginary'].map((name) => ({
      part: name,
      frequencies: [0, 0.5],
      components: [
        [1, 2, 3, 4, 5, 6],
        [7, 8, 9, 1, 2, 3],
      ],
    })),
  })
  expect(calculation.rest.values).toMatchObject({
    calculation: {
      dielectricfunction: {
        real: [
          [0, 1, 2, 3, 4, 5, 6],
          [0.5, 7, 8, 9, 1, 2, 3],
        ],
      },
    },
  })
})

describe('a vasprun.xml that is not whole', () => {
  it('gives what is there, and the results of the last step that is whole', () => {
    const text = vasprunText()
    const calculation = read(text.slice(0, text.lastIndexOf('<varray name="stress"')))
    expect([calculation.isWhole, calculation.isConverged, codes(calculation)]).toEqual([
      false,
      null,
      ['output-incomplete'],
    ])
    expect(result(calculation, 'total_energy')).toEqual({ value: -9.9, units: 'eV' })
    expect(calculation.final?.lattice[0]).toEqual([4.2, 0, 0])
    expect(calculation.rest.leftOut).toContain('calculation without an end')
  })

  it('gives no structure at the end before there is one', () => {
    const text = vasprunText()
    const calculation = read(text.slice(0, text.indexOf('<calculation>') + 40))
    expect([calculation.initial === null, calculation.final]).toEqual([false, null])
    expect(calculation.results).toEqual([])
  })

  it('is read to the place where it is no XML', () => {
    const calculation = read(vasprunText().replace('<time name="totalsc">', '<time name="totalsc"><'))
    expect(codes(calculation)).toEqual(['output-incomplete'])
    expect(calculation.warnings[0]).toMatchObject({ line: 9 })
    expect(result(calculation, 'total_energy')).toEqual({ value: -9.9, units: 'eV' })
  })

  it('may be cut anywhere behind the name of the program', () => {
    const text = vasprunText()
    for (let end = text.indexOf('<i name="version"'); end < text.lastIndexOf('</modeling>'); end += 7)
      expect(read(text.slice(0, end)).isWhole).toBe(false)
  })
})

describe('is refused as vasprun.xml', () => {
  it.each([
    ['nothing', ''],
    ['a text', 'vasp.6.4.2'],
    ['XML of another program', '<espresso></espresso>'],
    ['XML without the name of the program', '<modeling><incar></incar></modeling>'],
    ['elements within each other without end', `<modeling>${'<a>'.repeat(100_000)}`],
    ['a text without end', `<modeling><incar>${'a'.repeat(5_000_000)}`],
    ['a comment without end', `<modeling><!-- ${'<'.repeat(5_000_000)}`],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 42225 }))
  })

  it('another number of places than of atoms', () => {
    const text = vasprunText({ initial: structure('4.2', INITIAL.slice(1), 'initialpos') })
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 42232 }))
  })

  it('places that are no numbers, with the line', () => {
    const text = vasprunText({ initial: structure('4.2', ['0 0 0', '0 * 0', '0 0 0'], 'initialpos') })
    expect(() => read(text)).toThrow(/^Line 8: A structure has lattice vectors or positions that are no numbers/)
  })

  it.each([
    ['announced', vasprunText().replace('<c> 2</c><c>Mg', '<c> 999999999</c><c>Mg')],
    ['listed', vasprunText()],
  ])('more atoms than can be stored, %s', (_, text) => {
    expect(() => read(text, { atoms: 2 })).toThrow(expect.objectContaining({ code: 41311 }))
  })
})

describe('entities of a vasprun.xml', () => {
  it('are the five of XML', () => {
    expect(
      read(vasprunText({ incar: '<i type="string" name="SYSTEM">a &lt; b &amp; c &#65;</i>' })).inputs['INCAR'],
    ).toEqual({
      SYSTEM: 'a < b & c A',
    })
  })

  it('are not declared: what does so is not read', () => {
    const bomb = `<!DOCTYPE modeling [<!ENTITY a "${'b'.repeat(1000)}"><!ENTITY c "&a;&a;&a;&a;">]>`
    const text = vasprunText({ incar: '<i type="string" name="SYSTEM">&c;</i>' })
    expect(() => read(text.replace('<modeling>', `${bomb}<modeling>`))).toThrow(
      expect.objectContaining({ code: 42225 }),
    )
    expect(read(text).inputs).toEqual({})
  })
})

describe('limits of a vasprun.xml', () => {
  it('leave out and name results of more numbers than are kept', () => {
    const calculation = read(vasprunText(), { numbers: 20 })
    expect(result(calculation, 'total_energy')).toBeDefined()
    expect(result(calculation, 'density_of_states')).toBeUndefined()
    expect(calculation.rest.leftOut).toEqual(expect.arrayContaining(['dos.total', 'dos.partial']))
  })

  it('keep a few of the steps that are many, and say how many there are', () => {
    const step = `<calculation>${electronicStep('-1', '-1')}</calculation>`
    const calculation = read(vasprunText({ steps: step.repeat(50) + lastStep() }), { numbers: 100 })
    expect(result(calculation, 'convergence_ionic')).toBeUndefined()
    expect(calculation.rest.leftOut).toContain('energies of 51 ionic and 51 electronic steps')
  })
})

describe('the model of a vasprun.xml', () => {
  const modelOf = (tags: string): unknown => {
    const { model, warnings } = read(
      vasprunText({ parameters: `${PARAMETERS.replace('<i type="string" name="GGA">--</i>', '')}${tags}` }),
    )
    return model === null ? warnings.map(({ code }) => code) : `${model.subtype} ${model.functional}`
  }
  const logical = (name: string): string => `<i type="logical" name="${name}"> T </i>`
  const text = (name: string, value: string): string => `<i type="string" name="${name}">${value}</i>`
  const number = (name: string, value: number): string => `<i name="${name}"> ${value}</i>`
  const hybrid = (share: number, screening: number): string =>
    logical('LHFCALC') + number('AEXX', share) + number('HFSCREEN', screening)

  it.each([
    ['the potentials', '', 'gga pbe'],
    ['GGA', text('GGA', ' Ps'), 'gga pbesol'],
    ['a number as GGA', text('GGA', '91'), 'gga pw91'],
    ['GGA of the local density', text('GGA', 'CA'), 'lda pz'],
    ['METAGGA', text('METAGGA', 'R2scan') + text('GGA', '--'), 'meta-gga r2scan'],
    ['METAGGA by another name', text('METAGGA', 'RTPSS'), 'meta-gga revtpss'],
    ['Hubbard U', logical('LDAU'), 'gga pbe+u'],
    ['dispersion', number('IVDW', 12), 'gga pbe+d3bj'],
    ['dispersion of an older kind', logical('LVDW'), 'gga pbe+d2'],
    ['dispersion of a kind that is not known', number('IVDW', 77), 'gga pbe+ivdw77'],
    ['van der Waals correlation', text('GGA', 'MK') + logical('LUSE_VDW'), 'gga optb86b-vdw'],
    ['HSE06', hybrid(0.25, 0.2), 'hybrid hse06'],
    ['HSE06 with the screening of its authors', hybrid(0.25, 0.207), 'hybrid hse06'],
    ['HSE03', hybrid(0.25, 0.3), 'hybrid hse03'],
    ['PBE0', hybrid(0.25, 0), 'hybrid pbe0'],
    ['B3LYP', hybrid(0.2, 0) + text('GGA', 'B3'), 'hybrid b3lyp'],
    ['a hybrid without a name', hybrid(0.31, 0.2), ['model-unknown']],
    ['Hartree-Fock', hybrid(1, 0), ['model-unknown']],
    ['an algorithm beyond', text('ALGO', 'G0W0'), ['model-unknown']],
    ['a GGA that is not known', text('GGA', 'ZZ'), ['model-unknown']],
  ])('is told by %s', (_, tags, model) => {
    expect(modelOf(tags)).toEqual(model)
  })

  it.each([
    ['of different kinds', vasprunText().replace('PAW_PBE Mg', 'PAW Mg')],
    ['of a kind that is called like what objects have', vasprunText().replaceAll('PAW_PBE', 'constructor')],
  ])('is not told by potentials %s', (_, file) => {
    const calculation = read(file)
    expect([calculation.model, codes(calculation)]).toEqual([null, ['model-unknown']])
  })
})

describe('whether a vasprun.xml has converged', () => {
  const converged = (parameters: string): boolean | null => read(vasprunText({ parameters })).isConverged

  it('follows from the numbers of steps', () => {
    expect(converged(PARAMETERS.replace('"NSW"> 9', '"NSW"> 2'))).toBe(false)
    expect(converged(PARAMETERS.replace('"NELM"> 60', '"NELM"> 1'))).toBe(false)
  })

  it('does not ask dynamics for rest', () => {
    expect(converged(PARAMETERS.replace('"NSW"> 9', '"NSW"> 2').replace('"IBRION"> 2', '"IBRION"> 0'))).toBe(true)
  })
})

it('takes the structure of the energies where the file ends with other places, and says so', () => {
  const calculation = read(vasprunText({ end: `${structure('4.1', INITIAL, 'finalpos')}</modeling>` }))
  expect(calculation.final?.sites[0]?.fraction).toEqual([0.01, 0, 0])
  expect(codes(calculation)).toEqual(['moved-after-energies'])
  expect(calculation.rest.leftOut).toContain('finalpos.positions (3 × 3)')
})
