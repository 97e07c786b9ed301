import { describe, expect, it } from 'vitest'
import { DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { aseJsonFormat } from '../../src/calculations/readers/ase-json.ts'
import { parseAse } from '../../src/structure/formats/json/ase.ts'

const KBAR = 1602.176634

function array(shape: readonly number[], type: string, values: readonly unknown[]) {
  return { __ndarray__: [shape, type, values] }
}

const STRUCTURE = {
  numbers: array([2], 'int64', [26, 8]),
  positions: array([2, 3], 'float64', [0, 0, 0, 2, 2, 2.5]),
  cell: { array: array([3, 3], 'float64', [4, 0, 0, 0, 4, 0, 0, 0, 5]), __ase_objtype__: 'cell' },
  pbc: array([3], 'bool', [true, true, true]),
}

const ROW = {
  ...STRUCTURE,
  unique_id: '0123456789abcdef',
  ctime: 24.5,
  user: 'nobody',
  calculator: 'gpaw',
  calculator_parameters: { xc: 'PBE', kpts: [2, 2, 1], mode: { name: 'pw', ecut: 340 } },
  energy: -7.25,
  free_energy: -7.5,
  forces: array([2, 3], 'float64', [0.1, 0.2, -0.3, -0.1, -0.2, 0.3]),
  stress: array([6], 'float64', [0.01, 0.02, 0.03, 0, 0, 0.004]),
  magmom: 0.5,
  magmoms: array([2], 'float64', [2.25, -1.75]),
  dipole: array([3], 'float64', [0, 0, 0.5]),
  charges: array([2], 'float64', [0.25, -0.25]),
  key_value_pairs: { phase: 'rocksalt', gap: 1.5, relaxed: true },
  data: { notes: ['a', 'b'], spectrum: array([3], 'float64', [1, 2, 3]) },
}

function fileOf(...rows: readonly object[]): string {
  const entries = rows.map((row, index) => `"${index + 1}": ${JSON.stringify(row, null, 1)}`)
  const ids = rows.map((_, index) => index + 1)
  return `{${entries.join(',\n')},\n"ids": [${ids.join(', ')}],\n"nextid": ${rows.length + 1}}\n`
}

function readAll(pieces: string | readonly string[], limits: OutputLimits = DEFAULT_OUTPUT_LIMITS) {
  if (aseJsonFormat.source.kind !== 'text') throw new Error('not a text')
  const reader = aseJsonFormat.source.open(limits)
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) reader.write(piece)
  return reader.end()
}

const FILE = fileOf(ROW, STRUCTURE, { ...STRUCTURE, energy: -1 })

describe('JSON databases of ASE', () => {
  const [first, second, ...more] = readAll(FILE)

  it('tells itself by results beside atoms', () => {
    expect(aseJsonFormat.recognizes(FILE)).toBe(true)
    expect(aseJsonFormat.recognizes(fileOf(STRUCTURE))).toBe(false)
    expect(aseJsonFormat.recognizes('[{"energy": 1}]')).toBe(false)
  })

  it('makes a calculation of each row that has results, with the structure that it would be alone', () => {
    expect(more).toEqual([])
    const { rest: _, ...structure } = parseAse(JSON.stringify({ ...STRUCTURE, magmoms: ROW.magmoms }))
    expect(first?.final).toEqual(structure)
    expect(first?.initial).toBe(first?.final)
    expect([first?.id, first?.code]).toEqual(['0123456789abcdef', { name: 'gpaw', version: null }])
    expect([second?.id, second?.code]).toEqual([undefined, { name: 'ase', version: null }])
    expect(second?.rest).toEqual({ values: { id: 3 }, leftOut: ['rows without results (1)'] })
  })

  it('reads the results in the units of ASE, and the stress with the sign of the pressure', () => {
    expect(first?.results).toEqual([
      { name: 'total_energy', data: { value: -7.25, units: 'eV' } },
      {
        name: 'atomic_forces',
        data: {
          values: [
            { id: 0, value: [0.1, 0.2, -0.3] },
            { id: 1, value: [-0.1, -0.2, 0.3] },
          ],
          units: 'eV/angstrom',
        },
      },
      { name: 'pressure', data: { value: expect.closeTo(-0.02 * KBAR, 10), units: 'kbar' } },
      {
        name: 'stress_tensor',
        data: {
          value: [
            [-0.01, -0.004, 0],
            [-0.004, -0.02, 0],
            [0, 0, -0.03],
          ].map((row) => row.map((entry) => expect.closeTo(entry * KBAR, 10))),
          units: 'kbar',
        },
      },
      { name: 'total_magnetization', data: { value: 0.5, units: 'uB' } },
      {
        name: 'magnetic_moments',
        data: {
          values: [
            { id: 0, value: 2.25 },
            { id: 1, value: -1.75 },
          ],
          units: 'uB',
        },
      },
    ])
  })

  it('says the functional and the parameters of the calculator', () => {
    expect(first?.model).toEqual({ type: 'dft', subtype: 'gga', functional: 'pbe' })
    expect(first?.inputs).toEqual({ calculator_parameters: ROW.calculator_parameters })
    const texts = { ...ROW, calculator_parameters: JSON.stringify(JSON.stringify({ xc: 'odd' })) }
    const [odd] = readAll(fileOf(texts))
    expect([odd?.inputs, odd?.model]).toEqual([{ calculator_parameters: { xc: 'odd' } }, null])
    expect(odd?.warnings.map(({ code }) => code)).toEqual(['functional-unknown'])
  })

  it('keeps what it does not use by its name, and nothing that it uses', () => {
    expect(first?.rest).toEqual({
      values: {
        ctime: 24.5,
        user: 'nobody',
        free_energy: -7.5,
        dipole: [0, 0, 0.5],
        key_value_pairs: ROW.key_value_pairs,
        data: { notes: ['a', 'b'], spectrum: [1, 2, 3] },
        id: 1,
      },
      leftOut: ['charges (2)'],
    })
    const odd = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`odd_${index}`, { egg: index }]))
    const [more] = readAll(fileOf({ ...ROW, ...odd }))
    expect(more?.rest.values).toMatchObject(odd)
  })

  it('leaves out arrays with something else than numbers, also those that Python writes as NaN', () => {
    const text = fileOf(ROW)
      .replace(/-0\.3(?=,)/, 'NaN')
      .replace('"nobody"', '"NaN \\" -Infinity"')
    const [row] = readAll(text)
    expect(row?.results.map(({ name }) => name)).not.toContain('atomic_forces')
    expect(row?.warnings).toEqual([
      { code: 'array-not-read', message: 'forces is left out: it has something else than numbers.' },
    ])
    expect(row?.rest.values.user).toBe('NaN " -Infinity')
    expect(row?.rest.leftOut).toContain('forces (2 × 3)')
  })

  it('reads a row that is not within a database', () => {
    const [row, ...others] = readAll(JSON.stringify(ROW))
    expect(others).toEqual([])
    expect(row?.results).toEqual(first?.results)
  })

  it('reads the same in pieces of any sizes', () => {
    const whole = readAll(FILE)
    for (let cut = 1; cut < FILE.length; cut++) expect(readAll([FILE.slice(0, cut), FILE.slice(cut)])).toEqual(whole)
    expect(readAll([...FILE])).toEqual(whole)
    expect(readAll(`\ufeff${FILE.replaceAll('\n', '\r\n')}`)).toEqual(whole)
  })

  it('gives the whole rows of a file that is cut, and tells', () => {
    const cut = readAll(FILE.slice(0, FILE.lastIndexOf('"energy"')))
    expect(cut.map(({ id }) => id)).toEqual(['0123456789abcdef'])
    expect(cut[0]?.results).toEqual(first?.results)
    expect(cut[0]?.warnings).toEqual([{ code: 'output-truncated', message: expect.stringMatching(/cut off/) }])
  })

  it.each([
    ['rows without results', fileOf(STRUCTURE), /No row has an energy/],
    ['a file that is cut in its first row', FILE.slice(0, 300), /not well-formed|cut off/],
    ['a row that is no JSON', FILE.replace('"energy": -7.25', '"energy": -7.25.5'), /not well-formed JSON/],
    [
      'atoms that do not fit their places',
      fileOf({ ...ROW, numbers: array([1], 'int64', [26]) }),
      /1 numbers but 2 positions/,
    ],
    ['no rows', '{"ids": []}', /No row has an energy/],
  ])('refuses %s', (_, text, message) => {
    expect(() => readAll(text)).toThrow(message)
  })

  it('keeps within its limits', () => {
    expect(() => readAll(FILE, { ...DEFAULT_OUTPUT_LIMITS, atoms: 1 })).toThrow(/at most 1/)
    expect(() => readAll(FILE, { ...DEFAULT_OUTPUT_LIMITS, calculations: 1 })).toThrow(/more than 1 rows/)
    const [few] = readAll(FILE, { ...DEFAULT_OUTPUT_LIMITS, numbers: 5 })
    expect(few?.results.map(({ name }) => name)).toEqual(['total_energy', 'pressure', 'total_magnetization'])
    expect(few?.rest.leftOut).toContain('atomic_forces (8 numbers)')
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const [row] = readAll(fileOf(ROW).replace('"nobody"', deep))
    expect(row?.results).toHaveLength(6)
  })
})
