import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { RECORD_ERRORS } from '../../src/records/errors.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const POSCAR = 'Salt\n1\n5.64 0 0\n0 5.64 0\n0 0 5.64\nNa Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n'

async function stored(content: string): Promise<string> {
  const { body } = await server.call('POST', 'materials/import', { body: { content, format: 'poscar' } })
  return body.data._id
}

/** A simple cubic crystal of so many atoms along each edge. */
function cube(along: number): string {
  const steps = Array.from({ length: along }, (_, i) => i / along)
  const places = steps.flatMap((u) => steps.flatMap((v) => steps.map((w) => `${u} ${v} ${w}`)))
  const edge = 3.35 * along
  return `Po\n1\n${edge} 0 0\n0 ${edge} 0\n0 0 ${edge}\nPo\n${along ** 3}\nDirect\n${places.join('\n')}\n`
}

async function picture(id: string, query = '', headers: Record<string, string> = {}, as: Actor = 'ada') {
  const address = `${server.origin}${API_PREFIX}/materials/${id}/picture.svg${query}`
  const answer = await fetch(address, { headers: { ...server.credentials[as], ...headers } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('a picture of a material', () => {
  it('has an atom for each that is on a face, as large as it is asked for', async () => {
    const { status, headers, text } = await picture(await stored(POSCAR), '?size=64&theme=dark')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(text.match(/<circle /g)).toHaveLength(9)
    expect(text).toContain('width="64" height="64"')
    expect(text).toContain('<title>2 atoms (1 Na, 1 Cl), in a cell of a = b = c = 5.640 Å')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'")
  })

  it('is not sent again until the material changes', async () => {
    const id = await stored(POSCAR)
    const first = await picture(id)
    const tag = { 'if-none-match': first.headers.get('etag') ?? '' }
    const again = await picture(id, '', tag)
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await picture(id, '?theme=dark', tag)).status).toBe(200)
    expect((await picture(id, '?size=64', tag)).status).toBe(200)
    await server.call('PATCH', `materials/${id}`, { body: { 'lattice.a': 6, 'lattice.b': 6, 'lattice.c': 6 } })
    expect((await picture(id, '', tag)).status).toBe(200)
  })

  it('is nobody else’s while the material is private', async () => {
    const id = await stored(POSCAR)
    expect((await picture(id, '', {}, 'bob')).status).toBe(404)
    const { status, text } = await picture(id, '', {}, 'guest')
    expect([status, text.includes('<svg')]).toEqual([401, false])
  })

  it('refuses sizes and themes that it does not have', async () => {
    const id = await stored(POSCAR)
    for (const query of ['?size=15', '?size=1025', '?size=big', '?theme=blue', '?width=64'])
      expect([query, (await picture(id, query)).status]).toEqual([query, 400])
  })

  it('has atoms alone where they are many, and says so; more than 2,000 it refuses', async () => {
    const many = await picture(await stored(cube(8)))
    expect(many.text.match(/<circle /g)).toHaveLength(512)
    expect(many.text).toContain('without bonds.</title>')
    const { status, text } = await picture(await stored(cube(13)))
    expect([status, JSON.parse(text).code]).toEqual([422, RECORD_ERRORS.tooManyToDraw.code])
    expect(text).toContain('The material has 2197 atoms; the server draws up to 2000.')
  })
})
