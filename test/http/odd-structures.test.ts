import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomOf } from '../../bench/corpus/random.ts'
import { API_PREFIX } from '../../src/http/address.ts'
import { PERIODIC } from '../../src/structure/crystal.ts'
import { printStructure } from '../../src/structure/formats/read-structure.ts'
import { CUBIC_CRYSTALS, supercellOf, withNoise } from '../structure-symmetry/support/supercells.ts'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

/** The four ways in which a structure file comes to a server, each with the lattice type or the code of the refusal. */
async function everyWay(content: string, format: string): Promise<unknown[]> {
  const answers = [
    await server.call('POST', 'structures/analyze', { body: { content, format } }),
    await server.call('POST', 'structures/convert', { body: { content, format, to: 'material' } }),
    await server.call('POST', 'materials/import', { body: { content, format } }),
  ]
  return answers.map(({ body }) => body.code ?? (body.data.material ?? body.data).lattice.type)
}

describe('a lattice that is nearly symmetric', () => {
  const lattice = { a: 4.06091, b: 4.05817, c: 4.05527, alpha: 90.0463, beta: 89.9938, gamma: 90.0635 }

  it('has the highest type that holds, from a file', async () => {
    const poscar = (rows: string): string => `Al\n1\n${rows}\nAl\n1\nDirect\n0 0 0\n`
    expect(await everyWay(poscar('0 2.7 2.7054\n2.7 0 2.7\n2.7 2.7 0'), 'poscar')).toEqual(['RHL', 'RHL', 'RHL'])
  })

  it('has it in a record that is made and that is changed', async () => {
    const made = await server.call('POST', 'materials', { body: material('Al', { lattice }) })
    expect([made.status, made.body.data.lattice.type]).toEqual([201, 'RHL'])
    expect(made.body.data.consistencyChecks).toEqual([])
    const typed = await server.call('POST', 'materials', {
      body: material('Al', { lattice: { ...lattice, type: 'CUB' } }),
    })
    expect(typed.body.data.consistencyChecks).toContainEqual(
      expect.objectContaining({ key: 'lattice.type', message: expect.stringContaining('they are ORCC') }),
    )
    const { _id } = (await server.call('POST', 'materials', { body: material('Al') })).body.data
    const changed = await server.call('PATCH', `materials/${_id}`, { body: { lattice } })
    expect([changed.status, changed.body.data.lattice.type]).toEqual([200, 'RHL'])
  })
})

describe('a relaxed supercell of a thousand atoms', () => {
  it('has the space group of the crystal, from a file and in a record', async () => {
    const { cell } = CUBIC_CRYSTALS.silicon
    const { lattice, sites } = withNoise(supercellOf(cell, 5), 5e-4, randomOf(1, 0).next)
    const content = printStructure({ title: 'Si', lattice, sites, periodic: PERIODIC, warnings: [] }, 'poscar')
    for (const path of ['structures/analyze', 'materials/import']) {
      const { body } = await server.call('POST', path, { body: { content, format: 'poscar' } })
      expect(body.data.spaceGroup).toMatchObject({ number: 227, symbol: 'Fd-3m' })
    }
  })
})

describe('a CIF whose operators make another crystal than it states', () => {
  const cif = (...lines: readonly string[]): string =>
    [
      ...['a 7.1', 'b 8.3', 'c 9.2'].map((edge) => `_cell_length_${edge}`),
      ...['alpha 90', 'beta 98', 'gamma 90'].map((angle) => `_cell_angle_${angle}`),
      "_chemical_formula_sum 'C N O'\n_cell_formula_units_Z 4\n_exptl_crystal_density_diffrn 0.520",
      ...lines,
      'loop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z',
      'C1 0.11 0.23 0.31\nN1 0.36 0.41 0.17\nO1 0.29 0.08 0.44',
    ].join('\n')
  const listed = (...operators: readonly string[]): string =>
    ['loop_', '_symmetry_equiv_pos_as_xyz', ...operators.map((one) => `'${one}'`)].join('\n')

  it.each([
    [
      'are no group',
      'P 1 21/n 1',
      listed('x,y,z', 'x,-y,-z', '-x+1/2,y+1/2,-z+1/2', 'x+1/2,-y+1/2,z+1/2'),
      { code: 'operators-no-group', number: 14 },
    ],
    [
      'are shifts by whole cells',
      'P 1 21/n 1',
      listed('x,y,z', 'x-1,y-1,z', 'x-1,y,z'),
      { code: 'operators-incomplete', number: 14 },
    ],
    ['leave the centring out', 'C 1 c 1', listed('x,y,z', 'x,-y,z+1/2'), { code: 'operators-incomplete', number: 9 }],
  ])('has the named group where they %s, with a warning', async (_, name, operators, { code, number }) => {
    const content = cif(`_symmetry_space_group_name_H-M '${name}'`, operators)
    const { body } = await server.call('POST', 'structures/analyze', { body: { content, format: 'cif' } })
    expect(body.data).toMatchObject({
      sites: 12,
      density: expect.closeTo(0.52, 3),
      spaceGroup: { number },
      warnings: [{ code }],
    })
    const stored = await server.call('POST', 'materials/import', { body: { content, format: 'cif' } })
    expect(stored.body.data.consistencyChecks).toContainEqual(
      expect.objectContaining({ key: 'src.text', message: expect.stringContaining('are taken') }),
    )
    const withoutName = { content: cif(operators), format: 'cif' }
    expect((await server.call('POST', 'structures/analyze', { body: withoutName })).status).toBe(422)
  })
})

describe('what a material does not keep', () => {
  const basis = (...elements: readonly object[]) => ({
    elements: elements.map((element, id) => ({ id, ...element })),
    coordinates: elements.map((_, id) => ({ id, value: [id / 2, 0, 0] })),
  })
  const iron = basis({ value: 'Fe', occupancy: 0.9 }, { value: 'O' })
  const violation = {
    pointer: '/basis/elements/0/occupancy',
    given: '0.9',
    expected: expect.stringMatching(/^1, or nothing/),
  }

  it('is refused in a record, its change and a line of an import: a share of an atom under another name', async () => {
    const made = await server.call('POST', 'materials', { body: material('FeO', { basis: iron }) })
    expect([made.status, made.body.code, made.body.data.violations]).toEqual([422, 42201, [violation]])
    const overfull = { ...basis({ value: 'Cu', occurrence: 0.75 }, { value: 'Au', occurrence: 0.35 }) }
    overfull.coordinates = overfull.coordinates.map(({ id }) => ({ id, value: [0, 0, 0] }))
    expect((await server.call('POST', 'materials', { body: material('CuAu', { basis: overfull }) })).status).toBe(422)
    const { _id } = (await server.call('POST', 'materials', { body: material('whole', {}, 3.9) })).body.data
    const changed = await server.call('PATCH', `materials/${_id}`, { body: { 'basis.elements.0.occupancy': 0.9 } })
    expect(changed.body.data.violations).toEqual([violation])
    const lines = [material('FeO', { basis: iron }), material('good', {}, 3.91)].map((record) => JSON.stringify(record))
    const bulk = await fetch(`${server.origin}${API_PREFIX}/materials/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', ...server.credentials.ada },
      body: lines.join('\n'),
    })
    const reports = (await bulk.text()).split('\n').slice(0, 2)
    expect(reports.map((report) => JSON.parse(report).outcome)).toEqual(['refused', 'stored'])
    expect(reports[0]).toContain(violation.pointer)
    const whole = basis({ value: 'Fe', occurrence: 1 }, { value: 'O' })
    expect((await server.call('POST', 'materials', { body: material('FeO', { basis: whole }) })).status).toBe(201)
  })

  it('is refused under another name, kept from files, and told where a file repeats: repetition along two vectors', async () => {
    const slab = await server.call('POST', 'materials', { body: material('slab', { pbc: [true, true, false] }) })
    expect(slab.body.data.violations).toEqual([
      {
        pointer: '/pbc',
        given: 'repetition along a and b only',
        expected: expect.stringContaining('periodicDirections'),
      },
    ])
    const xyz = '1\nLattice="4 0 0 0 4 0 0 0 20" pbc="T T F"\nCu 0 0 0\n'
    const optimade = JSON.stringify({
      dimension_types: [1, 1, 0],
      lattice_vectors: [
        [4, 0, 0],
        [0, 4, 0],
        [0, 0, 20],
      ],
      cartesian_site_positions: [[0, 0, 0]],
      species_at_sites: ['Cu'],
      species: [{ name: 'Cu', chemical_symbols: ['Cu'], concentration: [1] }],
    })
    for (const content of [xyz, optimade]) {
      const { body } = await server.call('POST', 'materials/import', { body: { content } })
      expect(body.data).toMatchObject({ periodicDirections: [true, true, false], isNonPeriodic: false })
      expect(body.data).not.toHaveProperty('density')
    }
    const converted = await server.call('POST', 'structures/convert', { body: { content: xyz, to: 'ase' } })
    expect(JSON.parse(converted.body.data.content)['1'].pbc).toEqual({
      __ndarray__: [[3], 'bool', [true, true, false]],
    })
    const repeating = await server.call('POST', 'structures/convert', { body: { content: xyz, to: 'cif' } })
    expect(repeating.body.data.warnings).toContainEqual(expect.objectContaining({ code: 'repetition-not-written' }))
  })

  it('is told of: charges of a record, and moments and isotopes under other names; what has a name is kept', async () => {
    const content = '1\nLattice="3 0 0 0 3 0 0 0 3" Properties=species:S:1:pos:R:3:magmoms:R:1\nFe 0 0 0 2.2\n'
    const stored = await server.call('POST', 'materials/import', { body: { content } })
    expect(stored.body.data).toMatchObject({
      basis: { magneticMoments: [{ id: 0, value: [0, 0, 2.2] }] },
      magneticHash: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    for (const [field, named] of [
      ['magneticMoment', 'Magnetic moments'],
      ['charge', 'Charges'],
      ['massNumber', 'Isotopes'],
    ] as const) {
      const told = basis({ value: 'Fe', [field]: 2 }, { value: 'O' })
      const { body: made } = await server.call('POST', 'materials', { body: material('FeO', { basis: told }) })
      expect(made.warnings).toEqual([
        { code: 20023, path: `basis.elements.${field}`, message: expect.stringContaining(named) },
      ])
    }
    const charged = basis({ value: 'Fe', oxidationState: 2 }, { value: 'O', oxidationState: -2 })
    const kept = await server.call('POST', 'materials', { body: material('FeO', { basis: charged }) })
    expect(kept.body.data.basis.elements[0]).toEqual({ id: 0, value: 'Fe', oxidationState: 2 })
    expect(kept.body.warnings).toBeUndefined()
  })
})

describe('a material whose units are probably others than it says', () => {
  const lengths = (a: number) => ({ a, b: a, c: a, alpha: 60, beta: 60, gamma: 60 })

  it('is stored, and the answer to its making, its change and its import names the unit', async () => {
    const made = await server.call('POST', 'materials', { body: material('pm', { lattice: lengths(386.7) }) })
    expect([made.status, made.headers.get('x-warnings')]).toEqual([201, '1'])
    expect(made.body.warnings).toEqual([
      {
        code: 20041,
        path: 'lattice.a',
        message: expect.stringContaining(
          'the nearest atoms are 237 Å apart, 107 times the sum of their covalent radii',
        ),
        hint: 'If they are in picometres, divide them by 100: lengths are in ångström.',
      },
    ])
    expect(made.body.data.consistencyChecks).toContainEqual(
      expect.objectContaining({ code: 20041, key: 'lattice.a', severity: 'warning' }),
    )
    const { _id } = made.body.data
    const right = await server.call('PATCH', `materials/${_id}`, { body: { lattice: lengths(3.867) } })
    expect([right.body.warnings, right.headers.get('x-warnings')]).toEqual([undefined, null])
    const radians = { ...lengths(3.867), alpha: 1.0472, beta: 1.0472, gamma: 1.0472 }
    const changed = await server.call('PATCH', `materials/${_id}`, { body: { lattice: radians } })
    expect(changed.body.warnings[0]).toMatchObject({ code: 20042, path: 'lattice.alpha' })
    const poscar = 'Si\n1\n0 5.13 5.13\n5.13 0 5.13\n5.13 5.13 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'
    const imported = await server.call('POST', 'materials/import', { body: { content: poscar, format: 'poscar' } })
    expect(imported.body.warnings).toEqual([
      expect.objectContaining({ code: 20041, hint: expect.stringContaining('bohr') }),
    ])
  })

  const cube = (a: number, angle = 90) => ({ a, b: a, c: a, alpha: angle, beta: angle, gamma: angle })
  const chosen = (lattice: object) => material('odd', { lattice, basis: ONE_ATOM })
  const ONE_ATOM = {
    elements: [{ id: 0, value: 'Si' }],
    coordinates: [{ id: 0, value: [0, 0, 0] }],
  }
  const cif = (a: number, angle: number, name = 'odd'): string =>
    [
      `data_${name}`,
      ...['a', 'b', 'c'].map((edge) => `_cell_length_${edge} ${a}`),
      ...['alpha', 'beta', 'gamma'].map((name) => `_cell_angle_${name} ${angle}`),
      'loop_\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\nSi 0 0 0\n',
    ].join('\n')
  const post = async (path: string, body: string | FormData, type?: string) => {
    const headers = { ...server.credentials.ada, ...(type === undefined ? {} : { 'content-type': type }) }
    const response = await fetch(`${server.origin}${API_PREFIX}/${path}`, { method: 'POST', headers, body })
    return await response.text()
  }
  const form = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const files = new FormData()
    files.append('files', new Blob([bytes]), name)
    return JSON.parse(await post('materials/import', files)).data.files[0].warnings
  }
  const bytes = (text: string) => new Uint8Array(Buffer.from(text))

  describe.each([
    ['a cell in picometres', { a: 543, angle: 90 }, 20041, 'divide them by 100'],
    ['angles in radians', { a: 5.43, angle: 1.5708 }, 20042, 'lattice.units.angle is "radian"'],
  ])('%s', (_, { a, angle }, code, hint) => {
    it.each<[string, () => Promise<unknown>]>([
      [
        'a creation',
        async () => (await server.call('POST', 'materials', { body: chosen(cube(a, angle)) })).body.warnings,
      ],
      [
        'a bulk load',
        async () => {
          const lines = await post('materials/bulk', JSON.stringify(chosen(cube(a, angle))), 'application/x-ndjson')
          return JSON.parse(lines.split('\n')[0] ?? '').warnings
        },
      ],
      [
        'an import as JSON',
        async () => {
          const body = { content: cif(a, angle), format: 'cif' }
          return (await server.call('POST', 'materials/import', { body })).body.warnings
        },
      ],
      ['a form', () => form('odd.cif', bytes(cif(a, angle)))],
      ['an archive', () => form('odd.zip', new Uint8Array(zipSync({ 'odd.cif': bytes(cif(a, angle, 'packed')) })))],
    ])('is told with %s', async (_way, warningsOf) => {
      const warning = { code, message: expect.any(String), hint: expect.stringContaining(hint) }
      expect(await warningsOf()).toContainEqual(expect.objectContaining(warning))
    })
  })
})
