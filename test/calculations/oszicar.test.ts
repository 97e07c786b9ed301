import { describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { oszicarFormat } from '../../src/calculations/readers/vasp/oszicar.ts'

function open(limits: Partial<OutputLimits> = {}) {
  const { source } = oszicarFormat
  if (source.kind !== 'text') throw new Error('Not a text.')
  return source.open({ ...DEFAULT_OUTPUT_LIMITS, ...limits })
}

function read(text: string, limits: Partial<OutputLimits> = {}): Calculation {
  const reader = open(limits)
  reader.write(text)
  return reader.end()[0] as Calculation
}

const result = ({ results }: Calculation, name: string): unknown => results.find((one) => one.name === name)?.data

const TITLES = '       N       E                     dE             d eps       ncg     rms          rms(c)\n'
const STEP = (energy: string): string =>
  `DAV:   1    -0.685330892437E+01   -0.68533E+01   -0.12371E+03   408   0.183E+02\nRMM:   2    ${energy}   -0.37177E+01   -0.36839E+01   531   0.353E+01    0.362E+00\n`
const FIRST = `${TITLES}${STEP('-0.105710238264E+02')}   1 F= -.10571024E+02 E0= -.10570000E+02  d E =-.105710E+02  mag=     2.0010\n`
const SECOND = `${TITLES}${STEP('-0.106710238264E+02')}   2 F= -.10671024E+02 E0= -.10670000E+02  d E =-.100000E+00  mag=     1.9990\n`

describe('an OSZICAR', () => {
  it('gives energies, moment and convergence', () => {
    const calculation = read(FIRST + SECOND)
    expect(result(calculation, 'total_energy')).toEqual({ value: -10.67, units: 'eV' })
    expect(result(calculation, 'total_energy_contributions')).toEqual({
      freeEnergy: { name: 'free_energy', value: -10.671024 },
      units: 'eV',
    })
    expect(result(calculation, 'total_magnetization')).toEqual({ value: 1.999, units: 'uB' })
    expect(result(calculation, 'convergence_electronic')).toEqual({
      data: [
        [-6.85330892437, -10.5710238264],
        [-6.85330892437, -10.6710238264],
      ],
      units: 'eV',
    })
    expect(result(calculation, 'convergence_ionic')).toEqual({
      data: [{ energy: -10.57 }, { energy: -10.67 }],
      units: 'eV',
    })
    expect([calculation.isWhole, calculation.isConverged, calculation.warnings]).toEqual([true, null, []])
    expect(calculation.rest).toEqual({
      values: { 'd E': -0.1 },
      leftOut: ['changes and residues of electronic steps (4)'],
    })
  })

  it('gives the energies of dynamics', () => {
    const line =
      '   1 T=   300. E= -.33006480E+03 F= -.33831614E+03 E0= -.33831554E+03  EK= 0.82514E+01 SP= 0.12E+00 SK= 0.34E-01\n'
    const calculation = read(TITLES + STEP('-0.3E+03') + line)
    expect(result(calculation, 'total_energy')).toEqual({ value: -338.31554, units: 'eV' })
    expect(result(calculation, 'total_energy_contributions')).toMatchObject({
      total: { value: -330.0648 },
      freeEnergy: { value: -338.31614 },
      kinetic: { value: 8.2514 },
      nosepot: { value: 0.12 },
      nosekinetic: { value: 0.034 },
    })
    expect(calculation.rest.values).toEqual({ T: 300 })
  })

  it('names a moment in three components', () => {
    const calculation = read(FIRST.replace('mag=     2.0010', 'mag=     0.1   -0.2  0.3'))
    expect(result(calculation, 'total_magnetization')).toBeUndefined()
    expect(calculation.rest.values).toMatchObject({ mag: [0.1, -0.2, 0.3] })
  })

  it('gives the same however its text is cut', () => {
    const text = FIRST + SECOND
    for (let cut = 0; cut <= text.length; cut++) {
      const reader = open()
      reader.write(text.slice(0, cut))
      reader.write(text.slice(cut))
      expect(reader.end()).toEqual([read(text)])
    }
  })

  it('that ends within a step is not whole', () => {
    const calculation = read(FIRST + TITLES + STEP('-0.1E+01'))
    expect([calculation.isWhole, calculation.warnings.map(({ code }) => code)]).toEqual([false, ['output-incomplete']])
    expect(calculation.rest.leftOut).toContain('electronic steps without an end (2)')
  })

  it('has ten values more than are known named', () => {
    const more = Array.from({ length: 10 }, (_, index) => `value ${String.fromCharCode(97 + index)} = ${index}`)
    const { rest } = read(`${FIRST}${more.join('\n')}\n`)
    for (const [index, line] of more.entries()) expect(rest.values[line.replace(/ = .*/, '')]).toBe(index)
  })

  it('is told by its beginning', () => {
    expect(oszicarFormat.recognizes(FIRST)).toBe(true)
    expect(oszicarFormat.recognizes(STEP('-1.0'))).toBe(true)
    expect(oszicarFormat.recognizes('vasp.6.4.2\n')).toBe(false)
    expect(oszicarFormat.fileNames.test('OSZICAR')).toBe(true)
  })

  it.each(['', 'some text\n', TITLES])('is refused where it has no step: "%s"', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 42225 }))
  })

  it('of more steps than are kept says how many there are', () => {
    const calculation = read(FIRST.repeat(40), { numbers: 50 })
    expect(result(calculation, 'convergence_ionic')).toBeUndefined()
    expect(calculation.rest.leftOut).toContain('energies of 40 ionic and 80 electronic steps')
  })
})
