import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { pwXmlFormat } from '../../src/calculations/readers/espresso/pw-xml.ts'

const RELAX = readFileSync(new URL('../fixtures/calculations/espresso/relax.xml', import.meta.url), 'utf8')
const HARTREE = 27.211386245988
const BOHR = 0.529177210903

function read(pieces: string | readonly string[], limits: OutputLimits = DEFAULT_OUTPUT_LIMITS): Calculation {
  if (pwXmlFormat.source.kind !== 'text') throw new Error('not a text')
  const reader = pwXmlFormat.source.open(limits)
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) reader.write(piece)
  const [calculation] = reader.end()
  if (calculation === undefined) throw new Error('no calculation')
  return calculation
}

function dataOf(calculation: Calculation, name: string) {
  return calculation.results.find((result) => result.name === name)?.data
}

describe('data-file-schema.xml of pw.x', () => {
  const relax = read(RELAX)

  it('tells itself by its root', () => {
    expect(pwXmlFormat.recognizes(RELAX)).toBe(true)
    expect(pwXmlFormat.recognizes('<modeling><generator/></modeling>')).toBe(false)
    expect(pwXmlFormat.fileNames.test('data-file-schema.xml')).toBe(true)
  })

  it('says the code, its version, times and that it has converged', () => {
    expect(relax.code).toEqual({ name: 'espresso', version: '7.9' })
    expect(relax.times).toEqual({ wallSeconds: 13.25, cpuSeconds: 12.5 })
    expect([relax.isWhole, relax.isConverged, relax.warnings]).toEqual([true, true, []])
  })

  it('takes the last structure that has results, and names the places of the next step', () => {
    expect(relax.initial?.title).toBe('zinc & sulphur')
    expect(relax.initial?.sites[1]?.fraction[0]).toBeCloseTo(0.24, 12)
    expect(relax.final?.sites[1]?.fraction[0]).toBeCloseTo(0.249, 12)
    expect(relax.final?.sites.map(({ element, speciesTag }) => [element, speciesTag])).toEqual([
      ['Zn', undefined],
      ['S', 1],
    ])
    expect(relax.final?.sites.map(({ movable }) => movable)).toEqual([[false, false, false], undefined])
    expect(relax.rest.leftOut).toContain('places of the next step (2 × 3)')
  })

  it('leaves what is computed for the next step in the rest', () => {
    expect(relax.rest.values.output).toMatchObject({
      total_energy: { ehart: 10 },
      forces: { value: [0, 0, 0.001, 0, 0, -0.001] },
    })
    expect(relax.rest.leftOut).not.toContain('step.forces (2)')
  })

  it('gives energies in eV, with terms that it does not know by the names of the file', () => {
    expect(dataOf(relax, 'total_energy')).toEqual({ value: -70.75 * HARTREE, units: 'eV' })
    expect(dataOf(relax, 'total_energy_contributions')).toEqual({
      hartree: { name: 'hartree', value: 9.75 * HARTREE },
      ewald: { name: 'ewald', value: -20.1 * HARTREE },
      exchangeCorrelation: { name: 'exchangeCorrelation', value: -15 * HARTREE },
      smearing: { name: 'smearing', value: -0.01 * HARTREE },
      newTerm: { name: 'newTerm', value: 0.5 * HARTREE },
      units: 'eV',
    })
    expect(dataOf(relax, 'convergence_ionic')).toEqual({
      data: [
        { energy: -70.5 * HARTREE, maxForce: expect.closeTo((0.05 * HARTREE) / BOHR, 10) },
        { energy: -70.75 * HARTREE, maxForce: expect.closeTo((0.001 * HARTREE) / BOHR, 10) },
      ],
      units: 'eV',
    })
  })

  it('gives forces in eV/angstrom, and the stress in kbar with the sign of the pressure', () => {
    expect(dataOf(relax, 'atomic_forces')).toMatchObject({
      values: [{ id: 0 }, { id: 1, value: [0, 0, expect.closeTo((-0.001 * HARTREE) / BOHR, 12)] }],
    })
    const kbar = (HARTREE / BOHR ** 3) * 1602.176634
    expect(dataOf(relax, 'stress_tensor')).toEqual({
      value: [
        [1e-5, 2e-6, 0],
        [4e-6, 2e-5, 0],
        [0, 0, 3e-5],
      ].map((row) => row.map((entry) => expect.closeTo(entry * kbar, 9))),
      units: 'kbar',
    })
    expect(dataOf(relax, 'pressure')).toEqual({ value: expect.closeTo(2e-5 * kbar, 9), units: 'kbar' })
  })

  it('gives moments, the Fermi energy and the gaps', () => {
    expect(dataOf(relax, 'total_magnetization')).toEqual({ value: 0.5, units: 'uB' })
    expect(dataOf(relax, 'magnetic_moments')).toEqual({
      values: [
        { id: 0, value: 0.4 },
        { id: 1, value: 0.1 },
      ],
      units: 'uB',
    })
    expect(dataOf(relax, 'fermi_energy')).toEqual({ value: 0.25 * HARTREE, units: 'eV' })
    expect(dataOf(relax, 'band_gaps')).toMatchObject({
      values: [
        {
          type: 'indirect',
          value: expect.closeTo(0.07 * HARTREE, 9),
          kpointValence: [0, 0, 0],
          kpointConduction: [0.25, 0.25, 0.5],
        },
        { type: 'direct', value: expect.closeTo(0.09 * HARTREE, 9), kpointValence: [0, 0, 0] },
      ],
    })
  })

  it('says the functional, the potentials and how exactly was computed', () => {
    expect(relax.model).toEqual({ type: 'dft', subtype: 'gga', functional: 'pbesol+u' })
    expect(relax.method).toEqual({
      type: 'pseudopotential',
      subtype: 'paw',
      precision: { kgrid: [2, 2, 1], kppra: 8, kpoints: 2, cutoff: 20 * HARTREE, smearing: 1e-3 * HARTREE },
      potentials: [
        { element: 'Zn', title: 'Zn.pbesol-dn-kjpaw.UPF' },
        { element: 'S', title: 'S.pbesol-n-kjpaw.UPF' },
      ],
    })
    expect(relax.inputs).toMatchObject({
      control_variables: { calculation: 'relax', nstep: 50 },
      basis: { ecutwfc: 20 },
    })
  })

  it('keeps what it does not use by its name, and nothing that it uses', () => {
    expect(relax.rest.values).toMatchObject({
      exit_status: 0,
      output: { basis_set: { ecutrho: 160 }, convergence_info: { scf_conv: { n_scf_steps: 5, scf_error: 1e-9 } } },
    })
    const rest = JSON.stringify(relax.rest)
    for (const used of ['etot', 'etxc', 'fermi_energy', '"total"', 'PWSCF', 'nk1']) expect(rest).not.toContain(used)
    expect(relax.rest.leftOut).toEqual(
      expect.arrayContaining([
        'step.total_energy.ewald (1)',
        'step.forces (1)',
        'eigenvalues (2 × 6)',
        'occupations (2 × 6)',
      ]),
    )
  })

  it('names ten values more than it knows', () => {
    const names = Array.from({ length: 10 }, (_, index) => `unheard_of_${index}`)
    const more = names.map((name, index) => `<${name} seed="${index}">${index}.5 eggs</${name}>`).join('')
    const { rest } = read(RELAX.replace('<dft>', `${more}<dft>`))
    for (const [index, name] of names.entries()) {
      expect(rest.values.output).toMatchObject({ [name]: { seed: index, value: `${index}.5 eggs` } })
    }
  })

  it('reads the same in pieces of any sizes', () => {
    const right = JSON.stringify(relax)
    const isWrong = (cut: number) => JSON.stringify(read([RELAX.slice(0, cut), RELAX.slice(cut)])) !== right
    const cuts = Array.from({ length: Math.floor(RELAX.length / 7) }, (_, at) => 7 * at + 1)
    expect(cuts.filter(isWrong)).toEqual([])
    expect(read([...RELAX])).toEqual(relax)
  }, 60_000)

  it('gives what is there of a file that was cut, wherever that was', () => {
    for (let cut = RELAX.indexOf('<input>'); cut < RELAX.length - 20; cut += 7) {
      const part = read(RELAX.slice(0, cut))
      expect([part.isWhole, part.warnings[0]?.code]).toEqual([false, 'output-truncated'])
      for (const { name, data } of part.results) {
        if (name !== 'convergence_ionic' && name !== 'total_energy_contributions' && name !== 'band_gaps') {
          if (cut > RELAX.indexOf('<output>')) expect([cut, name, data]).toEqual([cut, name, dataOf(relax, name)])
        }
      }
    }
    const half = read(RELAX.slice(0, RELAX.indexOf('<output>')))
    expect(half.final?.sites[1]?.fraction[0]).toBeCloseTo(0.249, 12)
    expect(half.results.map(({ name }) => name)).toEqual([
      'total_energy',
      'total_energy_contributions',
      'atomic_forces',
      'convergence_ionic',
    ])
  })

  it('gives no energies of calculations that compute none', () => {
    const bands = read(
      RELAX.replace('<calculation>relax', '<calculation>bands').replace(
        '<k_point weight="1.0">0.5',
        '<k_point weight="1.0">0.6',
      ),
    )
    expect(bands.isConverged).toBeNull()
    expect(dataOf(bands, 'total_energy')).toBeUndefined()
    expect(dataOf(bands, 'band_structure')).toMatchObject({
      xDataArray: [
        [0, 0, 0],
        [0.25, 0.3, 0.55],
      ],
      spin: [0.5, 0.5, 0.5, -0.5, -0.5, -0.5],
    })
  })

  it('takes no Fermi energy where occupations are fixed, and 0 for the gap of a metal', () => {
    const fixed = read(RELAX.replace('>smearing<', '>fixed<'))
    expect(dataOf(fixed, 'fermi_energy')).toBeUndefined()
    expect(dataOf(fixed, 'band_gaps')).toMatchObject({ values: [{ type: 'indirect' }, { type: 'direct' }] })
    const metal = read(RELAX.replace('<fermi_energy>0.25', '<fermi_energy>0.2'))
    expect(dataOf(metal, 'band_gaps')).toEqual({ values: [{ type: 'direct', value: 0, units: 'eV' }] })
  })

  it.each([
    ['another root', '<modeling/>', /begins with <modeling>/],
    ['no XML', 'Program PWSCF', /no XML/],
    ['nothing', '', /no XML/],
    ['units that it does not know', RELAX.replace('Hartree atomic units', 'SI'), /units "SI"/],
    [
      'tags that do not match',
      RELAX.replace('</input>', '</inputs>'),
      /Line \d+: The file is no XML: unexpected close tag\.$/,
    ],
    [
      'entities of its own',
      RELAX.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>').replace('&amp;', '&b;'),
      /undefined entity/,
    ],
    ['elements within each other without end', '<espresso>'.repeat(100), /64 elements/],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('keeps within its limits', () => {
    expect(() => read(RELAX, { ...DEFAULT_OUTPUT_LIMITS, atoms: 1 })).toThrow(/at most 1/)
    const few = read(RELAX, { ...DEFAULT_OUTPUT_LIMITS, numbers: 9 })
    expect(few.results.map(({ name }) => name)).toEqual([
      'total_energy',
      'total_energy_contributions',
      'pressure',
      'total_magnetization',
      'fermi_energy',
    ])
    expect(few.rest.leftOut).toEqual(expect.arrayContaining(['stress_tensor (9 numbers)', 'eigenvalues (2 × 6)']))
    const many = read(RELAX.replace('<dft>', `${'<a>1</a>'.repeat(200_000)}<dft>`))
    expect(many.rest.leftOut).toContain('output.a (200000)')
  })
})
