import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'

/** A cubic perovskite whose titanium is 0.02 Å out of the middle: tetragonal, and cubic to who looks less closely. */
const DISTORTED = `SrTiO3, nearly cubic
1
3.905 0 0
0 3.905 0
0 0 3.905
Sr Ti O
1 1 3
Direct
0 0 0
0.5 0.5 0.505122
0.5 0.5 0
0.5 0 0.5
0 0.5 0.5
`

let server: LiveServer
let id: string

beforeAll(async () => {
  server = await startServer({ symmetry: true })
  id = (await server.call('POST', 'materials/import', { body: { content: DISTORTED } })).body.data._id
})
afterAll(() => server.close())

describe('a tolerance', () => {
  const body = { content: DISTORTED }
  it.each([
    ['an analysis', () => server.call('POST', 'structures/analyze', { body: { ...body, tolerance: 0.1 } })],
    ['the analysis of a record', () => server.call('GET', `materials/${id}/analysis?tolerance=0.1`)],
    ['a pattern', () => server.call('POST', 'structures/diffraction', { body: { ...body, tolerance: 0.1 } })],
    ['the pattern of a record', () => server.call('GET', `materials/${id}/diffraction?tolerance=0.1`)],
    ['a Brillouin zone', () => server.call('POST', 'structures/reciprocal', { body: { ...body, tolerance: 0.1 } })],
    ['the zone of a record', () => server.call('GET', `materials/${id}/reciprocal?tolerance=0.1`)],
  ])('holds for %s', async (_what, ask) => {
    const { status, body: answer } = await ask()
    expect(status).toBe(200)
    expect(answer.data.spaceGroup).toMatchObject({ number: 221 })
  })

  it('is that of the setting where nothing is said', async () => {
    const { body: stored } = await server.call('GET', `materials/${id}`)
    expect(stored.data.spaceGroup).toMatchObject({ number: 99 })
    const { body: answer } = await server.call('POST', 'structures/analyze', { body })
    expect(answer.data).toMatchObject({ spaceGroup: { number: 99 }, symmetry: { tolerance: { value: 0.01 } } })
  })

  it('has been tried with others for a record, which can be asked for', async () => {
    for (const [query, count] of [
      [{ 'symmetry.pseudosymmetric': true }, 1],
      [{ 'symmetry.byTolerance': { $elemMatch: { tolerance: 0.1, number: 221 } } }, 1],
      [{ 'symmetry.byTolerance': { $elemMatch: { tolerance: 0.01, number: 221 } } }, 0],
    ] as const) {
      const { body: counted } = await server.call('POST', 'materials/count', { body: { query: { _id: id, ...query } } })
      expect(counted.data.count).toBe(count)
    }
    const { body: analysis } = await server.call('POST', 'structures/analyze', { body })
    expect(analysis.data.symmetry).toMatchObject({ spaceGroupNumber: 99, pseudosymmetric: true })
  })

  it('makes the standard cell, and the symmetry of a CIF', async () => {
    const standardAt = async (query: string) =>
      (await server.call('GET', `materials/${id}/analysis?cell=conventional${query}`)).body.data.standard
    const places = async (query: string) =>
      (await standardAt(query)).basis.coordinates.map(({ value }: { value: number[] }) => value[2])
    expect(new Set((await places('&tolerance=0.1')).map((z: number) => z % 0.5))).toEqual(new Set([0]))
    expect(new Set((await places('')).map((z: number) => z % 0.5)).size).toBeGreaterThan(1)
    const converted = await server.call('POST', 'structures/convert', { body: { ...body, to: 'cif', tolerance: 0.1 } })
    expect(converted.body.data.content).toMatch(/^# The standard cell of space group 221, found within 0\.1 Å/)
    const { body: wrong } = await server.call('GET', `materials/${id}/export?format=cif&tolerance=1`)
    expect(wrong.message).toContain('The parameter "tolerance" takes a number of Å from 0.0001 to 0.3; not "1".')
  })

  it.each(['0.00009', '0.31', '0', '-0.01', 'wide', ''])('%j is refused by name', async (tolerance) => {
    for (const path of ['analysis', 'diffraction', 'reciprocal', 'export']) {
      const answer = await server.call('GET', `materials/${id}/${path}?tolerance=${tolerance}`)
      expect(answer).toMatchObject({ status: 400, body: { data: { path: 'tolerance' } } })
    }
  })

  it.each([0.00009, 0.31, '0.1', true])('%j in a body is refused by name', async (tolerance) => {
    for (const path of ['analyze', 'diffraction', 'reciprocal', 'convert']) {
      const asked = { ...body, tolerance, ...(path === 'convert' ? { to: 'cif' } : {}) }
      const answer = await server.call('POST', `structures/${path}`, { body: asked })
      expect(answer).toMatchObject({ status: 400, body: { data: { path: 'tolerance' } } })
    }
  })
})
