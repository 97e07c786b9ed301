import { describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { extendedXyzFormat } from '../../src/calculations/readers/extended-xyz.ts'
import { parseXyz } from '../../src/structure/formats/xyz.ts'

const EV_ANGSTROM3_IN_KBAR = 1602.176634

const FIRST = `2
Lattice="4 0 0 0 4 0 0 0 5" Properties=species:S:1:pos:R:3:forces:R:3:magmoms:R:1:tags:I:1 energy=-7.25 free_energy=-7.5 stress="0.01 0.004 0 0.004 0.02 0 0 0 0.03" magmom=0.5 pbc="T T T"
Fe 0.0 0.0 0.0 0.1 0.2 -0.3 2.25 1
O1 2.0 2.0 2.5 -0.1 -0.2 0.3 -1.75 2
`
const PLAIN = `1
just a title
H 0 0 0
`
const SECOND = `1
Lattice="4 0 0 0 4 0 0 0 5" Properties=species:S:1:pos:R:3:REF_forces:R:3 REF_energy=-3.5 virial="8 0 0 0 16 0 0 0 24"
Ar 0 0 0 0 0 1e-3
`
const FILE = FIRST + PLAIN + SECOND

function readAll(pieces: string | readonly string[], limits: OutputLimits = DEFAULT_OUTPUT_LIMITS) {
  if (extendedXyzFormat.source.kind !== 'text') throw new Error('not a text')
  const reader = extendedXyzFormat.source.open(limits)
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) reader.write(piece)
  return reader.end()
}

function namesOf({ results }: Calculation): readonly string[] {
  return results.map(({ name }) => name)
}

function dataOf(calculation: Calculation | undefined, name: string) {
  return calculation?.results.find((result) => result.name === name)?.data
}

describe('extended XYZ with results', () => {
  const [first, second, ...more] = readAll(FILE)

  it('tells itself by results in the comment', () => {
    expect(extendedXyzFormat.recognizes(FILE)).toBe(true)
    expect(extendedXyzFormat.recognizes(SECOND)).toBe(true)
    expect(extendedXyzFormat.recognizes(PLAIN)).toBe(false)
    expect(
      extendedXyzFormat.recognizes(
        FIRST.replace(/ forces.*pbc/, ' pbc').replace(
          /energy=\S+|:forces:R:3|:magmoms:R:1|stress="[^"]*"|magmom=\S+/g,
          '',
        ),
      ),
    ).toBe(false)
    expect(['a.xyz', 'a.extxyz'].every((name) => extendedXyzFormat.fileNames.test(name))).toBe(true)
  })

  it('makes a calculation of each frame that has results, with the structure that it would be alone', () => {
    expect(more).toEqual([])
    const { rest: _, ...structure } = parseXyz(FIRST)
    expect(first?.final).toEqual(structure)
    expect(first?.initial).toBe(first?.final)
    expect(second?.rest.leftOut).toEqual(['frames without results (1)'])
    expect(first?.code).toEqual({ name: 'unknown', version: null })
  })

  it('reads energies, forces, moments and the stress with the sign of the pressure', () => {
    expect(dataOf(first, 'total_energy')).toEqual({ value: -7.25, units: 'eV' })
    expect(dataOf(first, 'atomic_forces')).toEqual({
      values: [
        { id: 0, value: [0.1, 0.2, -0.3] },
        { id: 1, value: [-0.1, -0.2, 0.3] },
      ],
      units: 'eV/angstrom',
    })
    expect(dataOf(first, 'stress_tensor')?.value).toEqual(
      [
        [-0.01, -0.004, 0],
        [-0.004, -0.02, 0],
        [0, 0, -0.03],
      ].map((row) => row.map((entry) => expect.closeTo(entry * EV_ANGSTROM3_IN_KBAR, 10))),
    )
    expect(dataOf(first, 'pressure')?.value).toBeCloseTo(-0.02 * EV_ANGSTROM3_IN_KBAR, 10)
    expect(dataOf(first, 'total_magnetization')).toEqual({ value: 0.5, units: 'uB' })
    expect(dataOf(first, 'magnetic_moments')).toMatchObject({ values: [{ value: 2.25 }, { value: -1.75 }] })
  })

  it('reads the names that data sets have, and the virial as a stress', () => {
    expect(dataOf(second, 'total_energy')).toEqual({ value: -3.5, units: 'eV' })
    expect(dataOf(second, 'atomic_forces')).toMatchObject({ values: [{ value: [0, 0, 1e-3] }] })
    expect(dataOf(second, 'pressure')?.value).toBeCloseTo((16 / 80) * EV_ANGSTROM3_IN_KBAR, 9)
  })

  it('reads six numbers of a stress in the order of Voigt', () => {
    const [voigt] = readAll(SECOND.replace(/virial="[^"]*"/, 'stress="1 2 3 4 5 6"'))
    expect(dataOf(voigt, 'stress_tensor')?.value).toEqual(
      [
        [1, 6, 5],
        [6, 2, 4],
        [5, 4, 3],
      ].map((row) => row.map((entry) => expect.closeTo(-entry * EV_ANGSTROM3_IN_KBAR, 8))),
    )
  })

  it('says which units it takes', () => {
    expect(first?.warnings).toEqual([
      {
        code: 'unit-assumed',
        message: expect.stringMatching(/those of ASE .* for energy, magmom, stress, forces, magmoms\.$/),
        severity: 'info',
      },
    ])
  })

  it('keeps what it does not use by its name, and nothing that it uses', () => {
    expect(first?.rest).toEqual({ values: { free_energy: -7.5 }, leftOut: ['tags (2)'] })
    const keys = Array.from({ length: 10 }, (_, index) => `odd_${index}=${index}.5`).join(' ')
    const [odd] = readAll(FIRST.replace('energy=', `${keys} energy=`))
    expect(Object.keys(odd?.rest.values ?? {})).toHaveLength(11)
    expect(odd?.rest.values).toMatchObject({ odd_0: 0.5, odd_9: 9.5 })
  })

  it('leaves out columns without numbers, and tells which', () => {
    const [broken] = readAll(FIRST.replace('-0.1 -0.2 0.3', '-0.1 nan 0.3'))
    expect(namesOf(broken as Calculation)).not.toContain('atomic_forces')
    expect(broken?.warnings.map(({ code }) => code)).toEqual(['unit-assumed', 'column-not-read'])
    expect(broken?.rest.leftOut).toContain('forces (2 × 3)')
    const [short] = readAll(FIRST.replace('-0.1 -0.2 0.3 -1.75 2', '-0.1'))
    expect(namesOf(short as Calculation)).not.toContain('atomic_forces')
  })

  it('reads the same in pieces of any sizes, and with other ends of lines', () => {
    const whole = readAll(FILE)
    for (let cut = 1; cut < FILE.length; cut++) expect(readAll([FILE.slice(0, cut), FILE.slice(cut)])).toEqual(whole)
    expect(readAll([...FILE])).toEqual(whole)
    expect(readAll(`\ufeff${FILE.replaceAll('\n', '\r\n')}`)).toEqual(whole)
  })

  it('leaves out a last frame that is cut', () => {
    const [cut, ...others] = readAll(FIRST + FIRST.slice(0, FIRST.indexOf('O1')))
    expect(others).toEqual([])
    expect(cut?.warnings.at(-1)).toEqual({
      code: 'output-truncated',
      message:
        'The last frame is left out: Line 8: 2 atoms announced, 1 found. The first line gives the number of atoms that follow.',
      line: 5,
    })
  })

  it.each([
    ['frames without results', PLAIN, /No frame has an energy/],
    ['an empty file', '', /empty/],
    ['text', 'hello\nworld\n', /Line 1: An XYZ file begins/],
    ['a frame that is cut, alone', FIRST.slice(0, FIRST.indexOf('O1')), /Line 4: 2 atoms announced, 1 found/],
    ['a broken frame before others', FILE.replace('Ar 0 0 0', 'Ar 0 x 0') + FIRST, /Line 10: .*"x" is not a number/],
    ['atoms that are none', FIRST.replace('Fe ', 'Qq '), /Line 3: .*"Qq" is no chemical element/],
  ])('refuses %s', (_, text, message) => {
    expect(() => readAll(text)).toThrow(message)
  })

  it('keeps within its limits', () => {
    expect(() => readAll(FILE, { ...DEFAULT_OUTPUT_LIMITS, atoms: 1 })).toThrow(/at most 1/)
    expect(() => readAll(FILE, { ...DEFAULT_OUTPUT_LIMITS, calculations: 1 })).toThrow(/more than 1 frames/)
    expect(() => readAll(FILE.repeat(3), { ...DEFAULT_OUTPUT_LIMITS, numbers: 6 })).toThrow(/6 atoms/)
    const [few] = readAll(FIRST, { ...DEFAULT_OUTPUT_LIMITS, numbers: 5 })
    expect(namesOf(few as Calculation)).toEqual(['total_energy', 'pressure', 'total_magnetization'])
    expect(few?.rest.leftOut).toEqual([
      'tags (2)',
      'atomic_forces (8 numbers)',
      'stress_tensor (9 numbers)',
      'magnetic_moments (4 numbers)',
    ])
  })
})
