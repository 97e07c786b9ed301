import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Calculation,
  type Conditions,
  DEFAULT_OUTPUT_LIMITS,
  type OutputFormat,
} from '../../src/calculations/calculation.ts'
import { withCaveats } from '../../src/calculations/caveats.ts'
import { pwOutputFormat } from '../../src/calculations/readers/espresso/pw-output.ts'
import { pwXmlFormat } from '../../src/calculations/readers/espresso/pw-xml.ts'
import { outcarFormat } from '../../src/calculations/readers/vasp/outcar/outcar.ts'
import { vasprunFormat } from '../../src/calculations/readers/vasp/vasprun/vasprun.ts'
import { mergeCalculations } from '../../src/calculations/runs/merge-calculations.ts'
import { documentsOf } from '../../src/calculations/runs/run-documents.ts'
import * as outcar from './outcar-text.ts'
import { eigenvalues, firstStep, lastStep, PARAMETERS, vasprunText } from './vasprun-text.ts'

const CUT = 'The output has no end.'
const LEFT = 'The electrons did not converge.'
const FIXED = 'The density of electrons was given and kept, so that it is not self-consistent.'
const MOVED = 'Atoms moved by dynamics: it is of one moment.'
const charged = (charge: string) => `The cell is charged: ${charge} e.`

function read({ source }: OutputFormat, text: string): Calculation {
  if (source.kind !== 'text') throw new Error('Not a text.')
  const reader = source.open(DEFAULT_OUTPUT_LIMITS)
  reader.write(text)
  return reader.end()[0] as Calculation
}

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/calculations/espresso/${name}`, import.meta.url), 'utf8')
const vasprun = (more: string, from = '', to = '') =>
  read(vasprunFormat, vasprunText({ parameters: PARAMETERS.replace(from, to) + more }))
const report = (more: string, from = '', to = '') =>
  read(outcarFormat, outcar.outcarText({ parameters: `${outcar.PARAMETERS.replace(from, to)}${more}\n` }))
const output = (from = '', to = '') => read(pwOutputFormat, fixture('relax.out').replaceAll(from, to))
const xml = (from: string, to: string) => read(pwXmlFormat, fixture('relax.xml').replaceAll(from, to))

const caveatOf = (calculation: Calculation, name: string) =>
  withCaveats(calculation).find((result) => result.name === name)?.caveat ?? null
const energyCaveat = (calculation: Calculation) => caveatOf(calculation, 'total_energy')

describe('the energy of an output', () => {
  it.each<[string, Calculation, string | null]>([
    ['vasprun.xml, of a relaxation', vasprun(''), null],
    ['vasprun.xml, as many electrons as the atoms bring', vasprun('<i name="NELECT"> 12.0</i>'), null],
    ['vasprun.xml, an electron less', vasprun('<i name="NELECT"> 11.0</i>'), charged('+1')],
    ['vasprun.xml, half an electron more', vasprun('<i name="NELECT"> 12.5</i>'), charged('-0.5')],
    ['vasprun.xml, a kept density', vasprun('<i type="int" name="ICHARG"> 11</i>'), FIXED],
    ['vasprun.xml, a density of atoms to begin with', vasprun('<i type="int" name="ICHARG"> 2</i>'), null],
    ['vasprun.xml, dynamics', vasprun('', 'name="IBRION"> 2', 'name="IBRION"> 0'), MOVED],
    ['vasprun.xml, all steps used', vasprun('', 'name="NELM"> 60', 'name="NELM"> 1'), LEFT],
    ['vasprun.xml, cut', read(vasprunFormat, vasprunText({ end: '' })), CUT],
    ['OUTCAR, of a relaxation', report(''), null],
    ['OUTCAR, neutral', report('   NELECT =       8.0000\n   ZVAL   =   2.00  6.00'), null],
    ['OUTCAR, an electron more', report('   NELECT =       9.0000\n   ZVAL   =   2.00  6.00'), charged('-1')],
    ['OUTCAR, of valences that it does not say', report('   NELECT =       9.0000'), null],
    ['OUTCAR, a kept density', report('   ICHARG =     11    charge: 1-file 2-atom 10-const'), FIXED],
    ['OUTCAR, dynamics', report('', 'IBRION =      2', 'IBRION =      0'), MOVED],
    ['output of pw.x, of a relaxation', output(), null],
    [
      'output of pw.x, an electron less',
      output('electrons       =        18.00', 'electrons       =        17.00'),
      charged('+1'),
    ],
    [
      'output of pw.x, not converged',
      output('convergence has been achieved in   2', 'convergence NOT achieved after   2'),
      LEFT,
    ],
    ['output of pw.x, cut', output('JOB DONE.', ''), CUT],
    ['data-file-schema.xml, of a relaxation', xml('', ''), null],
    ['data-file-schema.xml, dynamics', xml('<calculation>relax', '<calculation>md'), MOVED],
    [
      'data-file-schema.xml, charged',
      xml(
        '<nstep>50</nstep></control_variables>',
        '<nstep>50</nstep></control_variables><bands><tot_charge>1.0</tot_charge></bands>',
      ),
      charged('+1'),
    ],
    ['data-file-schema.xml, not converged', xml('<convergence_achieved>true', '<convergence_achieved>false'), LEFT],
  ])('%s', (_, calculation, expected) => {
    expect(calculation.results.map(({ name }) => name)).toContain('total_energy')
    expect(energyCaveat(calculation)).toBe(expected)
  })

  it.each<[Conditions, boolean, string | null]>([
    [{}, true, null],
    [{ charge: 1e-6, isDynamics: false }, true, null],
    [
      { isDynamics: true, isDensityFixed: true, areElectronsLeft: true, charge: 2 },
      false,
      [CUT, LEFT, charged('+2'), MOVED, FIXED].join(' '),
    ],
  ])('under %j, with its end: %s', (conditions, isWhole, expected) => {
    expect(energyCaveat({ ...vasprun(''), conditions, isWhole })).toBe(expected)
  })

  it.each<[Conditions, string, string | null]>([
    [{ isDensityFixed: true }, 'atomic_forces', FIXED],
    [{ isDensityFixed: true }, 'pressure', FIXED],
    [{ isDensityFixed: true }, 'band_gaps', null],
    [{ charge: 1 }, 'band_gaps', charged('+1')],
    [{ isDynamics: true }, 'fermi_energy', MOVED],
    [{ isDynamics: true }, 'convergence_electronic', null],
  ])('under %j has %s with the caveat %s', (conditions, name, expected) => {
    const calculation = { ...vasprun(''), conditions }
    expect(calculation.results.map((result) => result.name)).toContain(name)
    expect(caveatOf(calculation, name)).toBe(expected)
  })

  it('has the caveat that any of its files tells of', () => {
    const [first, other] = [vasprun(''), vasprun('<i type="int" name="ICHARG"> 11</i>')]
    const without = { ...first, conditions: {} }
    expect(energyCaveat(mergeCalculations(without, [other]))).toBe(FIXED)
  })
})

it('a record has its caveat, and the report says which are not shown', () => {
  const { properties, warnings } = documentsOf(vasprun('<i type="int" name="ICHARG"> 11</i>'))
  const caveats = properties.flatMap(({ data, caveat }) =>
    caveat === undefined ? [] : [[(data as { name: string }).name, caveat]],
  )
  const doubted = [
    'total_energy',
    'total_energy_contributions',
    'atomic_forces',
    'total_force',
    'stress_tensor',
    'pressure',
  ]
  expect(caveats).toEqual(doubted.map((name) => [name, FIXED]))
  expect(warnings).toEqual([`Kept with a caveat, and not shown by the material: ${doubted.join(', ')}. ${FIXED}`])
  const { how, warnings: ofAll } = documentsOf(vasprun('', 'name="IBRION"> 2', 'name="IBRION"> 0'))
  expect([how, ofAll]).toEqual([
    'dynamics',
    [`Kept with a caveat, and not shown by the material: all results but the way to them. ${MOVED}`],
  ])
})

describe('the gap of states', () => {
  /** Results that are gaps, of states by spins and k-points. */
  const gaps = (states: readonly (readonly (readonly string[])[])[]) =>
    read(vasprunFormat, vasprunText({ steps: firstStep + lastStep(eigenvalues(states)) })).results.filter(({ name }) =>
      name.startsWith('band_gap'),
    )

  it.each<[filled: readonly string[], isPartly: boolean]>([
    [['-2 1.0', '1 0.75', '9 0.0'], true],
    [['-2 1.0', '1 0.99', '9 0.001'], false],
    [['-2 2.0', '1 1.0', '9 0.0'], true],
    [['-2 2.0', '1 1.98', '9 0.0'], false],
    [['-2 1.0', '1 0.5', '0.5 0.0'], false],
  ])('of %j has the caveat that they are partly filled, where there is one: %s', (filled, isPartly) => {
    expect(gaps([[filled]])[0]?.caveat?.startsWith('Levels are partly filled')).toBe(isPartly ? true : undefined)
  })

  const FULL = ['-2 1.0', '1 1.0', '9 0.0']
  const EMPTY = ['-2 1.0', '1.5 0.0', '9 0.0']
  it.each<[string, readonly (readonly (readonly string[])[])[], gap: number | undefined, isDoubted: boolean]>([
    ['a band that is full at one k-point and empty at another', [[FULL, EMPTY]], 0, true],
    ['a band that is mostly full and mostly empty', [[['1 0.9'], ['1.5 0.1']]], undefined, false],
    [
      'such a band that leaves a gap',
      [
        [
          ['-2 1.0', '1 0.6', '9 0.0'],
          ['-2 1.0', '2 0.3', '9 0.0'],
        ],
      ],
      0,
      true,
    ],
    [
      'two electrons of a state',
      [
        [
          ['1 2.0', '3 0.0'],
          ['1.5 0.0', '2 0.0'],
        ],
      ],
      0,
      true,
    ],
    ['full bands', [[FULL, FULL]], undefined, false],
    ['another number of full bands for each spin', [[FULL], [EMPTY]], undefined, false],
  ])('of %s is that of a metal, or not', (_case, states, gap, isDoubted) => {
    const [ofLevels, own] = gaps(states)
    expect(own?.data['value']).toBe(gap)
    expect(ofLevels?.caveat?.startsWith('A band crosses the Fermi level')).toBe(isDoubted ? true : undefined)
  })
})
