import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORMAT_ERRORS } from '../../src/structure/errors.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

const POSCAR = 'Silicon\n1\n0 2.734 2.734\n2.734 0 2.734\n2.734 2.734 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'
const MOLECULE = '2\nHydrogen\nH 0 0 0\nH 0 0 0.74\n'
const OGANESSON = 'Og\n1\n4 0 0\n0 4 0\n0 0 4\nOg\n1\nDirect\n0 0 0\n'

async function stored(content = POSCAR): Promise<string> {
  const { body } = await server.call('POST', 'materials/import', { body: { content } })
  return body.data._id
}

describe('a powder pattern', () => {
  it('is that of the file, and of the material that is made of it', async () => {
    const sent = await server.call('POST', 'structures/diffraction', { body: { content: POSCAR, max: 60 } })
    expect(sent.status).toBe(200)
    expect(sent.body.data).toMatchObject({
      radiation: 'CuKa',
      wavelength: 1.54184,
      range: { min: 0, max: 60 },
      cell: 'conventional',
      lattice: { a: expect.closeTo(5.468, 6), alpha: 90 },
      spaceGroup: { number: 227, symbol: 'Fd-3m' },
      peaks: [
        {
          twoTheta: expect.closeTo(28.27, 1),
          d: expect.closeTo(3.15695, 4),
          intensity: 100,
          reflections: [{ hkl: [1, 1, 1], multiplicity: 8 }],
        },
        { reflections: [{ hkl: [2, 2, 0], multiplicity: 12 }] },
        { reflections: [{ hkl: [3, 1, 1], multiplicity: 24 }] },
      ],
    })
    const kept = await server.call('GET', `materials/${await stored()}/diffraction?max=60`)
    expect(kept.body.data.peaks).toEqual(sent.body.data.peaks)
  })

  it('takes a tube by its name, any wavelength, and the cell as it is', async () => {
    const id = await stored()
    const first = async (query: string) => (await server.call('GET', `materials/${id}/diffraction?${query}`)).body.data
    expect(await first('radiation=moka')).toMatchObject({ radiation: 'MoKa', wavelength: 0.71073 })
    expect(await first('radiation=CuKa1')).toMatchObject({ radiation: 'CuKa1', wavelength: 1.54056 })
    expect(await first('wavelength=1.2&min=20&max=30')).toMatchObject({
      radiation: null,
      wavelength: 1.2,
      range: { min: 20 },
    })
    expect(await first('radiation=Neutron')).toMatchObject({ radiation: 'neutron', wavelength: 1.798 })
    expect(await first('radiation=neutron&wavelength=2.4')).toMatchObject({ radiation: 'neutron', wavelength: 2.4 })
    const { cell, peaks } = await first('cell=given&max=40')
    expect([cell, peaks[0].reflections[0].hkl.map(Math.abs).sort()]).toEqual(['given', [0, 0, 1]])
  })

  it.each([
    ['radiation=Cu', 'radiation'],
    ['radiation=CuKa&wavelength=1', 'radiation'],
    ['wavelength=0', 'wavelength'],
    ['wavelength=1e3', 'wavelength'],
    ['min=50&max=40', 'min'],
    ['max=180', 'max'],
    ['cell=primitive', 'cell'],
    ['twoTheta=40', 'twoTheta'],
  ])('is refused for %s, which is said of %s', async (query, path) => {
    const { status, body } = await server.call('GET', `materials/${await stored()}/diffraction?${query}`)
    expect([status, body.data.path]).toEqual([400, path])
  })

  it.each([
    [MOLECULE, {}, FORMAT_ERRORS.notPeriodic],
    [OGANESSON, {}, FORMAT_ERRORS.noScatteringFactor],
    [POSCAR, { wavelength: 0.05, max: 179 }, FORMAT_ERRORS.tooManyReflections],
  ])('is refused for what has none (%#)', async (content, terms, { code }) => {
    const { status, body } = await server.call('POST', 'structures/diffraction', { body: { content, ...terms } })
    expect([status, body.data.code ?? body.code]).toEqual([422, code])
  })

  it('reads numbers of a body as numbers', async () => {
    const { status, body } = await server.call('POST', 'structures/diffraction', {
      body: { content: POSCAR, max: '60' },
    })
    expect([status, body.data.path]).toEqual([400, 'max'])
  })
})

describe('reciprocal space', () => {
  it('has the zone, its points and the path, for a file and for a material', async () => {
    const { status, body } = await server.call('POST', 'structures/reciprocal', { body: { content: POSCAR } })
    expect(status).toBe(200)
    const { zone, points, path, ...rest } = body.data
    expect(rest).toMatchObject({
      variation: 'FCC',
      latticeType: 'FCC',
      primitiveCell: { nSites: 2 },
      spaceGroup: { number: 227 },
    })
    expect([zone.vertices.length, zone.faces.length]).toEqual([24, 14])
    expect(path).toEqual([
      ['Γ', 'X', 'W', 'K', 'Γ', 'L', 'U', 'W', 'L', 'K'],
      ['U', 'X'],
    ])
    const x = points.find(({ label }: { label: string }) => label === 'X')
    expect(Math.hypot(...x.place)).toBeCloseTo((2 * Math.PI) / 5.468, 4)
    const kept = await server.call('GET', `materials/${await stored()}/reciprocal`)
    const { madeFrom: _, ...primitiveCell } = kept.body.data.primitiveCell
    expect({ ...kept.body.data, primitiveCell }).toEqual(body.data)
  })

  it('is refused where no symmetry is known, with the reason', async () => {
    const { status, body } = await server.call('POST', 'structures/reciprocal', { body: { content: MOLECULE } })
    expect([status, body.code ?? body.data.code]).toEqual([422, FORMAT_ERRORS.noSymmetry.code])
    expect(body.message).toMatch(/does not repeat/)
  })
})

describe('the coordination of atoms', () => {
  it('is told by orbit, for a file and for a material', async () => {
    const { status, body } = await server.call('POST', 'structures/coordination', { body: { content: POSCAR } })
    expect(status).toBe(200)
    const length = expect.closeTo(2.3677, 3)
    const bondLengths = { min: length, mean: length, max: length }
    expect(body.data).toMatchObject({
      spaceGroup: { number: 227 },
      units: { length: 'angstrom' },
      ofMostFrequent: false,
    })
    expect(body.data.sites).toEqual([
      {
        element: 'Si',
        sites: [0, 1],
        wyckoffPosition: '8a',
        coordinationNumber: 4,
        likelihood: expect.closeTo(1, 1),
        bondLengths,
        neighbours: [{ element: 'Si', count: 4, bondLengths }],
        bonds: expect.any(Array),
      },
    ])
    expect(body.data.sites[0].bonds).toContainEqual({ site: 1, element: 'Si', image: [0, 0, 0], length })
    const kept = await server.call('GET', `materials/${await stored()}/coordination`)
    expect(kept.body.data).toEqual(body.data)
  })

  it('of a molecule is told by atom', async () => {
    const { body } = await server.call('POST', 'structures/coordination', { body: { content: MOLECULE } })
    expect(body.data.sites).toMatchObject([
      { sites: [0], wyckoffPosition: null, coordinationNumber: 1 },
      { sites: [1], bondLengths: { mean: 0.74 } },
    ])
  })

  it('takes no parameters', async () => {
    expect((await server.call('GET', `materials/${await stored()}/coordination?cell=given`)).status).toBe(400)
  })
})

describe('an analysis', () => {
  it('has sites by orbit, and the standard cell that is asked for', async () => {
    const id = await stored()
    const plain = (await server.call('GET', `materials/${id}/analysis`)).body.data
    expect(plain.orbits).toEqual([
      {
        element: 'Si',
        wyckoffLetter: 'a',
        multiplicity: 8,
        siteSymmetry: '-43m',
        coordinate: expect.any(Array),
        sites: [0, 1],
      },
    ])
    expect(plain.standard).toBeUndefined()
    const { standard } = (await server.call('GET', `materials/${id}/analysis?cell=conventional`)).body.data
    expect(standard).toMatchObject({
      cell: 'conventional',
      nSites: 8,
      lattice: { a: expect.closeTo(5.468, 6), alpha: 90 },
    })
    const sent = await server.call('POST', 'structures/analyze', { body: { content: POSCAR, cell: 'primitive' } })
    expect(sent.body.data.standard).toMatchObject({ cell: 'primitive', nSites: 2 })
    expect(sent.body.data.orbits).toEqual(plain.orbits)
    const reduced = (await server.call('GET', `materials/${id}/analysis?cell=niggli`)).body.data.standard
    expect(reduced).toMatchObject({
      cell: 'niggli',
      nSites: 2,
      lattice: { a: expect.closeTo(3.8665, 3), alpha: expect.closeTo(60, 6), gamma: expect.closeTo(60, 6) },
    })
    const places: readonly { value: readonly number[] }[] = standard.basis.coordinates
    expect(places.flatMap(({ value }) => value).filter((x) => x < 0 || x >= 1)).toEqual([])
  })

  it('says nothing of orbits where the symmetry is not known', async () => {
    const { body } = await server.call('POST', 'structures/analyze', { body: { content: MOLECULE, cell: 'primitive' } })
    expect(body.data).toMatchObject({ orbits: null, standard: null, symmetry: null })
  })

  it('refuses a cell that is none', async () => {
    const id = await stored()
    expect((await server.call('GET', `materials/${id}/analysis?cell=given`)).status).toBe(400)
    expect((await server.call('POST', 'structures/analyze', { body: { content: POSCAR, cell: 'given' } })).status).toBe(
      400,
    )
  })
})
