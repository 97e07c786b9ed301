import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Calculation, DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../src/calculations/calculation.ts'
import { pwOutputFormat } from '../../src/calculations/readers/espresso/pw-output.ts'

const RELAX = readFileSync(new URL('../fixtures/calculations/espresso/relax.out', import.meta.url), 'utf8')
const RYDBERG = 13.605693122994
const BOHR = 0.529177210903

function readAll(pieces: string | readonly string[], limits: OutputLimits = DEFAULT_OUTPUT_LIMITS) {
  if (pwOutputFormat.source.kind !== 'text') throw new Error('not a text')
  const reader = pwOutputFormat.source.open(limits)
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) reader.write(piece)
  return reader.end()
}

function read(pieces: string | readonly string[], limits?: OutputLimits): Calculation {
  const [calculation] = readAll(pieces, limits)
  if (calculation === undefined) throw new Error('no calculation')
  return calculation
}

function dataOf(calculation: Calculation, name: string) {
  return calculation.results.find((result) => result.name === name)?.data
}

/** The head of an output with one atom in a cube of one bohr times ten, and lines behind it. */
function output(lines: readonly string[], head: readonly string[] = []): string {
  return [
    '     Program PWSCF v.5.0.2 (svn rev. 9398) starts on 23Apr2015 at  8:28:50',
    ...head,
    '     number of atoms/cell      =            1',
    '     celldm(1)=  10.000000  celldm(2)=   0.000000  celldm(3)=   0.000000',
    '     crystal axes: (cart. coord. in units of alat)',
    '               a(1) = (   1.000000   0.000000   0.000000 )',
    '               a(2) = (   0.000000   1.000000   0.000000 )',
    '               a(3) = (   0.000000   0.000000   1.000000 )',
    '     site n.     atom                  positions (a_0 units)',
    '         1           Fe1 tau(  1) = (   0.0000000   0.2500000   0.0000000  )',
    ...lines,
    '   JOB DONE.',
  ].join('\n')
}

const ENERGY = '!    total energy              =     -10.00000000 Ry'

describe('output of pw.x', () => {
  const relax = read(RELAX)

  it('tells itself by its first words', () => {
    expect(pwOutputFormat.recognizes(RELAX)).toBe(true)
    expect(pwOutputFormat.recognizes('     Program PHONON v.6.7 starts on')).toBe(false)
    expect(['pw.out', 'si.scf.pwo'].every((name) => pwOutputFormat.fileNames.test(name))).toBe(true)
  })

  it('says the version, the times and that it has converged', () => {
    expect(relax.code).toEqual({ name: 'espresso', version: '7.9' })
    expect(relax.times).toEqual({ startedAt: '2024-02-03T10:11:02', wallSeconds: 3900, cpuSeconds: 62.5 })
    expect([relax.isWhole, relax.isConverged]).toEqual([true, true])
    expect(read(output([])).code.version).toBe('5.0.2')
  })

  it('gives the structures at the beginning and at the end, by the elements of the potentials', () => {
    const { initial, final } = relax
    expect(initial?.title).toBe('zinc and sulphur')
    expect(initial?.lattice[0]).toEqual([0, 5.00002 * BOHR, 5.00002 * BOHR])
    expect(initial?.sites.map(({ element, label }) => [element, label])).toEqual([
      ['Zn', undefined],
      ['S', 'upper'],
    ])
    expect(initial?.sites[1]?.fraction.map((x) => Number(x.toFixed(10)))).toEqual([-0.26, -0.24, 0.76])
    expect(final?.sites[1]?.fraction.map((x) => Number(x.toFixed(10)))).toEqual([
      -0.2512345678, -0.2487654322, 0.7512345678,
    ])
    expect(final?.sites[0]?.movable).toEqual([false, false, false])
  })

  it('gives the energies of the last step, with terms that it does not know by the words of the output', () => {
    expect(dataOf(relax, 'total_energy')).toEqual({ value: -140.875 * RYDBERG, units: 'eV' })
    expect(dataOf(relax, 'total_energy_contributions')).toEqual({
      smearing: { name: 'smearing', value: -0.005 * RYDBERG },
      oneElectron: { name: 'oneElectron', value: 6 * RYDBERG },
      hartree: { name: 'hartree', value: 1.25 * RYDBERG },
      exchangeCorrelation: { name: 'exchangeCorrelation', value: -25 * RYDBERG },
      ewald: { name: 'ewald', value: -43 * RYDBERG },
      hubbard: { name: 'hubbard', value: 0.125 * RYDBERG },
      energyOfTheNewKind: { name: 'energyOfTheNewKind', value: 0.5 * RYDBERG },
      units: 'eV',
    })
    expect(dataOf(relax, 'convergence_electronic')).toEqual({
      data: [
        [-140.5 * RYDBERG, -140.75 * RYDBERG],
        [-140.8 * RYDBERG, -140.875 * RYDBERG],
      ],
      units: 'eV',
    })
    expect(dataOf(relax, 'convergence_ionic')).toEqual({
      data: [
        { energy: -140.75 * RYDBERG, maxForce: expect.closeTo((0.05 * RYDBERG) / BOHR, 10) },
        { energy: -140.875 * RYDBERG, maxForce: expect.closeTo((0.0001 * RYDBERG) / BOHR, 10) },
      ],
      units: 'eV',
    })
  })

  it('gives forces but not their parts, and the stress with the sign of the pressure', () => {
    expect(dataOf(relax, 'atomic_forces')).toMatchObject({
      values: [{ id: 0, value: [0, 0, expect.closeTo((0.0001 * RYDBERG) / BOHR, 12)] }, { id: 1 }],
      units: 'eV/angstrom',
    })
    expect(dataOf(relax, 'total_force')).toEqual({
      value: expect.closeTo((0.000141 * RYDBERG) / BOHR, 12),
      units: 'eV/angstrom',
    })
    expect(dataOf(relax, 'pressure')).toEqual({ value: 9.59, units: 'kbar' })
    const kbar = (RYDBERG / BOHR ** 3) * 1602.176634
    expect(dataOf(relax, 'stress_tensor')).toEqual({
      value: [
        [0.00006548, 0, 0],
        [0, 0.00006502, -0.00000188],
        [0, -0.00000188, 0.00006502],
      ].map((row) => row.map((entry) => expect.closeTo(entry * kbar, 9))),
      units: 'kbar',
    })
    expect(relax.rest.leftOut).toContain('The non-local contrib.  to forces: forces (2)')
  })

  it('gives moments, the Fermi energy and the gaps', () => {
    expect(dataOf(relax, 'total_magnetization')).toEqual({ value: 0.75, units: 'uB' })
    expect(dataOf(relax, 'magnetic_moments')).toMatchObject({ values: [{ value: 0.8 }, { value: -0.04 }], units: 'uB' })
    expect(dataOf(relax, 'fermi_energy')).toEqual({ value: 4.1, units: 'eV' })
    expect(dataOf(relax, 'band_gaps')).toEqual({
      values: [
        {
          type: 'indirect',
          value: 2.5,
          units: 'eV',
          kpointValence: [0, 0, 0],
          kpointConduction: [0.18749995, 0.18749995, 0.5],
          eigenvalueValence: 2.5,
          eigenvalueConduction: 5,
        },
        expect.objectContaining({ type: 'direct', value: 3, kpointValence: [0, 0, 0], kpointConduction: [0, 0, 0] }),
      ],
    })
  })

  it('says the functional, the potentials and how exactly was computed', () => {
    expect(relax.model).toEqual({ type: 'dft', subtype: 'gga', functional: 'pbesol+u' })
    expect(relax.method).toEqual({
      type: 'pseudopotential',
      subtype: 'paw',
      precision: { cutoff: 40 * RYDBERG, kpoints: 2, smearing: 0.01 * RYDBERG },
      potentials: [
        { element: 'Zn', title: 'Zn.pbesol-dn-kjpaw.UPF' },
        { element: 'S', title: 'S.pbesol-n-rrkjus.UPF' },
      ],
    })
  })

  it.each([
    ['     Exchange-correlation      =  SLA  PW   PBX  PBC ( 1  4  3  4 0 0)', 'gga', 'pbe'],
    [
      '     Exchange-correlation= SLA  PZ   NOGX NOGC\n                           (   1   1   0   0   0   0   0)',
      'lda',
      'pz',
    ],
    ['     Exchange-correlation= PBE0', 'hybrid', 'pbe0'],
    ['     Exchange-correlation= HSE\n                           (   1   4  12   4   0   0   0)', 'hybrid', 'hse06'],
    [
      '     Exchange-correlation= SLA+PW+????\n                           (   0   0   0   0   0   5   0)',
      'meta-gga',
      'scan',
    ],
    ['     Exchange-correlation= VDW-DF2', 'gga', 'vdw-df2'],
  ])('reads the functional of %s', (line, subtype, functional) => {
    expect(read(output([], [line])).model).toEqual({ type: 'dft', subtype, functional })
  })

  it('tells of a functional that it does not know', () => {
    const { model, warnings } = read(output([], ['     Exchange-correlation= XC-000I-000I']))
    expect([model, warnings.map(({ code }) => code)]).toEqual([null, ['functional-unknown']])
  })

  it('keeps what it does not use by its name, and nothing that it uses', () => {
    expect(relax.rest.values).toMatchObject({
      'charge density cutoff': '320.0000 Ry',
      'number of Kohn-Sham states': 3,
      'absolute magnetization': 0.9,
    })
    const rest = JSON.stringify(relax.rest)
    for (const used of ['hartree', 'kinetic-energy', 'Total force', 'the Fermi energy'])
      expect(rest).not.toContain(used)
    expect(relax.rest.leftOut).toEqual(
      expect.arrayContaining([
        'lines before the run (1)',
        'levels (12 at 4 k-points)',
        'levels of earlier steps (1)',
        'forces of earlier steps (1)',
        'weights of k-points (2)',
        'timings (2)',
      ]),
    )
    expect(relax.warnings).toEqual([
      { code: 'program-message', message: 'setup: using fewer processors would be faster', line: 80 },
    ])
  })

  it('names ten values more than it knows', () => {
    const more = Array.from(
      { length: 10 },
      (_, index) => `     unheard of ${'abcdefghij'[index]}   =   ${index}.5 eggs`,
    )
    const { rest } = read(output(more))
    for (const [index, letter] of [...'abcdefghij'].entries()) {
      expect(rest.values[`unheard of ${letter}`]).toBe(`${index}.5 eggs`)
    }
    const table = ['     Table of eggs', '       1.5  2.5', '       3.5  4.5', '       nest 3 has 7 eggs']
    expect(read(output(table)).rest).toMatchObject({
      leftOut: expect.arrayContaining(['numbers below "Table of eggs" (2)']),
      values: { 'nest # has # eggs': 'nest 3 has 7 eggs' },
    })
  })

  it('reads the same in pieces of any sizes, and with other ends of lines', () => {
    const right = JSON.stringify(relax)
    const isWrong = (cut: number) => JSON.stringify(read([RELAX.slice(0, cut), RELAX.slice(cut)])) !== right
    const cuts = Array.from({ length: Math.floor(RELAX.length / 7) }, (_, at) => 7 * at + 1)
    expect(cuts.filter(isWrong)).toEqual([])
    expect(read([...RELAX])).toEqual(relax)
    expect(read(RELAX.replaceAll('\n', '\r\n'))).toEqual(relax)
  }, 120_000)

  it('gives what is there of an output that was cut, wherever that was', () => {
    const first = RELAX.indexOf('!    total energy')
    for (let cut = RELAX.indexOf('Current dimensions'); cut < RELAX.length - 100; cut += 11) {
      const part = read(RELAX.slice(0, cut))
      expect([part.isWhole, part.warnings[0]?.code]).toEqual([false, 'output-truncated'])
      const energy = dataOf(part, 'total_energy')?.value
      if (cut < first) expect(energy).toBeUndefined()
      else if (cut > first + 60) expect([-140.75 * RYDBERG, -140.875 * RYDBERG]).toContain(energy)
    }
    const between = read(RELAX.slice(0, RELAX.lastIndexOf('!    total energy')))
    expect(dataOf(between, 'total_energy')?.value).toBe(-140.75 * RYDBERG)
    expect(between.final).toEqual(between.initial)
    expect(between.rest.leftOut).toContain('places of the next step (2 × 3)')
    expect(between.isConverged).toBeNull()
  })

  it('takes the energy with exact exchange as the last one', () => {
    const hybrid = read(
      output([
        ENERGY,
        '     total energy              =     -10.10000000 Ry',
        '!    total energy              =     -10.20000000 Ry',
        '!!   total energy              =     -10.25000000 Ry',
        '     + Fock energy (ACE)       =      -0.50000000 Ry',
      ]),
    )
    expect(dataOf(hybrid, 'total_energy')?.value).toBe(-10.25 * RYDBERG)
    expect(dataOf(hybrid, 'convergence_electronic')?.data).toEqual([
      [-10.1, -10, -10.2, -10.25].map((energy) => energy * RYDBERG),
    ])
    expect(hybrid.rest.values).toMatchObject({ '+ Fock energy (ACE)': '-0.50000000 Ry' })
  })

  it('takes moments with directions, and the length of their sum', () => {
    const { results, rest } = read(
      output([
        '     Self-consistent Calculation',
        '     atom number    1 relative position :    0.0000   0.0000   0.0000',
        '     charge :     6.452802',
        '     magnetization :          2.656557    1.533944    0.000000',
        '     magnetization/charge:    0.411690    0.237717    0.000000',
        ENERGY,
        '     total magnetization       =     3.00     4.00     0.00 Bohr mag/cell',
      ]),
    )
    expect(results.slice(1, 3)).toEqual([
      { name: 'total_magnetization', data: { value: 5, units: 'uB' } },
      { name: 'magnetic_moments', data: { values: [{ id: 0, value: [2.656557, 1.533944, 0] }], units: 'uB' } },
    ])
    expect(rest.values).toMatchObject({ 'total magnetization': [3, 4, 0], charge: 6.452802 })
  })

  it('takes moments as version 7 writes them', () => {
    const lines = [
      '     Magnetic moment per site  (integrated on atomic sphere of radius R)',
      '     atom   1 (R=0.357)  charge=  6.5022  magn=  1.2977',
    ]
    expect(dataOf(read(output([...lines, ENERGY])), 'magnetic_moments')).toMatchObject({
      values: [{ id: 0, value: 1.2977 }],
    })
  })

  it('gives no Fermi energy of an insulator, but its levels', () => {
    const lines = ['     highest occupied, lowest unoccupied level (ev):     6.2667   10.3887', ENERGY]
    const insulator = read(output(lines))
    expect(dataOf(insulator, 'fermi_energy')).toBeUndefined()
    expect(insulator.rest.values).toMatchObject({
      'highest occupied level (eV)': 6.2667,
      'lowest unoccupied level (eV)': 10.3887,
    })
    const two = read(output(['     the spin up/dw Fermi energies are    12.4768   12.5843 ev', ENERGY]))
    expect(two.rest.values).toMatchObject({
      'Fermi energy of spin up (eV)': 12.4768,
      'Fermi energy of spin down (eV)': 12.5843,
    })
  })

  const BANDS = [
    '     number of k points=     3',
    '                       cart. coord. in units 2pi/alat',
    '        k(    1) = (   0.0000000   0.0000000   0.0000000), wk =   0.6666667',
    '        k(    2) = (   0.2500000   0.0000000   0.0000000), wk =   0.6666667',
    '        k(    3) = (   0.5000000   0.0000000   0.0000000), wk =   0.6666667',
    '     End of band structure calculation',
    ...[0, 0.25, 0.5].flatMap((k, index) => [
      `          k = ${k.toFixed(4)} 0.0000 0.0000 (   169 PWs)   bands (ev):`,
      '',
      `    ${(-5 + index).toFixed(4)}   ${(6 - index / 4).toFixed(4)}`,
      '',
    ]),
  ]

  it('gives the energies along a line of a calculation of bands', () => {
    const bands = read(output(BANDS, ['     number of electrons       =         2.00']))
    expect(dataOf(bands, 'band_structure')).toEqual({
      xAxis: { label: 'kpoints', units: 'crystal' },
      yAxis: { label: 'energy', units: 'eV' },
      xDataArray: [
        [0, 0, 0],
        [0.25, 0, 0],
        [0.5, 0, 0],
      ],
      yDataSeries: [
        [-5, -4, -3],
        [6, 5.75, 5.5],
      ],
      spin: [0.5, 0.5],
    })
    expect(dataOf(bands, 'band_gaps')).toMatchObject({
      values: [{ type: 'direct', value: 8.5, kpointValence: [0.5, 0, 0] }],
    })
    expect(bands.isConverged).toBeNull()
  })

  it('gives no line of k-points that fill the zone, and no levels that are not whole', () => {
    const grid = read(output([...BANDS, '     the Fermi energy is     1.0000 ev']))
    expect(grid.results.map(({ name }) => name)).toEqual(['fermi_energy', 'band_gaps'])
    const broken = read(output(BANDS.map((line) => line.replace('5.5000', '******'))))
    expect(broken.results).toEqual([])
    expect(broken.warnings.map(({ code }) => code)).toEqual(['bands-not-read'])
    expect(broken.rest.leftOut).toContain('levels (4 at 3 k-points)')
  })

  it('tells what the program says of its failure', () => {
    const text = output([
      '     convergence NOT achieved after   2 iterations: stopping',
      ' %%%%%%',
      '     Error in routine readpp (1):',
      '     file Ni.UPF not found',
      ' %%%%%%',
    ]).replace('JOB DONE.', '')
    const failed = read(text)
    expect([failed.isWhole, failed.isConverged]).toEqual([false, false])
    expect(failed.warnings.map(({ message }) => message)).toEqual([
      'The output has no end (JOB DONE): what is there is read.',
      'convergence NOT achieved after   2 iterations: stopping',
      'Error in routine readpp (1): file Ni.UPF not found',
    ])
  })

  it('gives the runs of a file one by one, and no more than it may', () => {
    const twice = `${output([ENERGY])}\n${RELAX}`
    expect(readAll(twice).map((run) => dataOf(run, 'total_energy')?.value)).toEqual([-10 * RYDBERG, -140.875 * RYDBERG])
    expect(() => readAll(twice, { ...DEFAULT_OUTPUT_LIMITS, calculations: 1 })).toThrow(/more than 1 calc/)
  })

  it('refuses what pw.x does not print, and more atoms than it may read', () => {
    expect(() => read('one\ntwo')).toThrow(/no line "Program PWSCF"/)
    expect(() => read('')).toThrow(/no line "Program PWSCF"/)
    expect(() => read(RELAX, { ...DEFAULT_OUTPUT_LIMITS, atoms: 1 })).toThrow(
      /Line 19: The structure has 2 atoms; at most 1/,
    )
  })

  it('keeps within its limits', () => {
    const few = read(RELAX, { ...DEFAULT_OUTPUT_LIMITS, numbers: 12 })
    expect(few.results.map(({ name }) => name)).toEqual([
      'total_energy',
      'total_energy_contributions',
      'fermi_energy',
      'total_force',
      'pressure',
      'total_magnetization',
    ])
    expect(few.rest.leftOut).toEqual(expect.arrayContaining(['atomic_forces (8 numbers)', 'stress_tensor (9 numbers)']))
    const one = read(RELAX, { ...DEFAULT_OUTPUT_LIMITS, numbers: 3 })
    expect(one.rest.leftOut).toEqual(expect.arrayContaining(['energies of iterations and steps (4)']))
    const long = read(output([`${'x'.repeat(100_000)}1`, ENERGY]))
    expect(long.rest.leftOut).toContain('lines of more than 1000 characters (1)')
    const many = read(
      output(Array.from({ length: 5000 }, (_, index) => `     value ${index.toString(36)}x = ${index}`)),
    )
    expect(many.rest.leftOut.length).toBeLessThan(2100)
  })
})
