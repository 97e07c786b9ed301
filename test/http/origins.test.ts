import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '../../src/http/address.ts'
import { type Actor, type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer({ symmetry: true })
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: object, as: Actor = 'ada') =>
  server.call(method, path, { as, ...(body === undefined ? {} : { body }) })
const create = async (body: object, as: Actor = 'ada') => {
  const answer = await call('POST', 'materials', body, as)
  expect([answer.status, answer.body.message]).toEqual([201, undefined])
  return answer.body.data
}
const linksOf = async (id: string, as: Actor = 'ada') =>
  (await call('GET', `materials/${id}/provenance`, undefined, as)).body.data.links
const SUPERCELL = { how: 'supercell', parameters: { size: [2, 2, 2] } }

describe('what a client says that a material was made from', () => {
  test('is told both ways, with how it was made, as PROV-JSON too', async () => {
    const { _id: cell } = await create(material('cell'))
    const { _id: made, madeFrom } = await create(
      material('supercell', { madeFrom: [{ _id: cell, collection: 'materials', ...SUPERCELL }] }, 7.734),
    )
    expect(madeFrom).toEqual([{ _id: cell, collection: 'materials', ...SUPERCELL }])
    const link = { from: `materials/${made}`, to: `materials/${cell}`, ...SUPERCELL }
    expect([await linksOf(cell), await linksOf(made)]).toEqual([[link], [link]])
    const { body: prov } = await call('GET', `materials/${made}/provenance?format=prov`)
    expect(Object.values(prov.wasDerivedFrom)).toEqual([
      {
        'prov:generatedEntity': `quarry:materials/${made}`,
        'prov:usedEntity': `quarry:materials/${cell}`,
        'quarry:how': 'supercell',
        'quarry:parameters': '{"size":[2,2,2]}',
      },
    ])
  })

  test('has to be there for its writer, and is refused by its name else', async () => {
    const { _id: secret } = await create(material('secret', {}, 4))
    const { _id: shared } = await create(material('shared', { isPublic: true }, 4.1))
    const from = (...origins: readonly object[]) => material('made', { madeFrom: origins }, 4.2)
    expect((await create(from({ _id: shared, how: 'strain' }), 'bob')).madeFrom).toEqual([
      { _id: shared, how: 'strain' },
    ])
    const refused = await call('POST', 'materials', from({ _id: shared }, { _id: secret }), 'bob')
    expect([refused.status, refused.body.code, refused.body.data.path]).toEqual([422, 42201, '/madeFrom/1/_id'])
    expect(refused.body.message).toContain(`the _id of one of the materials that you can see, not "${secret}"`)
    const noJob = await call('POST', 'materials', from({ _id: shared, jobId: 'nowhere' }))
    expect([noJob.status, noJob.body.data.path]).toEqual([422, '/madeFrom/0/jobId'])
    const noKind = await call('PUT', 'materials/create', from({ _id: shared, collection: 'minerals' }))
    expect([noKind.status, noKind.body.data.path]).toEqual([422, '/madeFrom/0/_id'])
  })

  test.each([
    ['/madeFrom', 'text'],
    ['/madeFrom/0/_id', [{ how: 'supercell' }]],
    ['/madeFrom/0/how', [{ _id: 'a', how: 1 }]],
    ['/madeFrom/0/parameters', [{ _id: 'a', parameters: 'two' }]],
  ])('is refused at %s where it is no origin', async (path, madeFrom) => {
    const { status, body } = await call('POST', 'materials', material('odd', { madeFrom }))
    expect([status, body.data.violations[0].pointer]).toEqual([422, path])
  })

  test('is looked for again only where a change says another', async () => {
    const { _id: origin } = await create(material('origin', {}, 5))
    const { _id: id } = await create(material('made', { madeFrom: [{ _id: origin, how: 'strain' }] }, 5.1))
    await call('DELETE', `materials/${origin}`)
    expect((await call('PATCH', `materials/${id}`, { name: 'renamed' })).status).toBe(200)
    const other = { madeFrom: [{ _id: origin, how: 'strain' }, { _id: 'nowhere' }] }
    const refused = await call('PATCH', `materials/${id}`, other)
    expect([refused.status, refused.body.data.path]).toEqual([422, '/madeFrom/1/_id'])
    expect((await call('POST', `materials/${id}/copy`)).status).toBe(201)
  })

  test('comes with an import as it is, whatever is there', async () => {
    const madeFrom = [{ _id: 'elsewhere', how: 'strain' }]
    const answer = await fetch(`${server.origin}${API_PREFIX}/materials/bulk`, {
      method: 'POST',
      headers: { ...server.credentials.ada, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(material('imported', { madeFrom }, 5.2)),
    })
    const [report] = (await answer.text())
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
    expect(report).toMatchObject({ outcome: 'stored' })
    expect((await call('GET', `materials/${report._id}`)).body.data.madeFrom).toEqual(madeFrom)
  })
})

describe('a structure that is made of a material', () => {
  test.each(['conventional', 'primitive', 'niggli'])('in its %s cell says so', async (cell) => {
    const { _id: id } = await create(material(`of the ${cell} cell`, {}, 6))
    const { standard } = (await call('GET', `materials/${id}/analysis?cell=${cell}`)).body.data
    expect(standard.madeFrom).toEqual([
      { _id: id, collection: 'materials', how: `${cell} cell`, parameters: { tolerance: 0.01 } },
    ])
    const { lattice, basis, madeFrom } = standard
    const { _id: made } = await create({ name: cell, lattice, basis, madeFrom })
    expect(await linksOf(id)).toMatchObject([{ from: `materials/${made}`, to: `materials/${id}`, how: `${cell} cell` }])
  })

  test('as the primitive cell of its zone says so, and one of a file says nothing', async () => {
    const { _id: id } = await create(material('of the zone', {}, 6.1))
    const { primitiveCell } = (await call('GET', `materials/${id}/reciprocal`)).body.data
    expect(primitiveCell.madeFrom).toMatchObject([{ _id: id, how: 'primitive cell' }])
    const content = JSON.stringify(material('file', {}, 6.2))
    const analysis = await call('POST', 'structures/analyze', { content, format: 'material', cell: 'primitive' })
    expect(analysis.body.data.standard).not.toHaveProperty('madeFrom')
  })

  test('as an ordered approximant says so in the JSON of materials, with all that it takes to make it again', async () => {
    const elements = [
      { id: 0, value: 'Cu', occurrence: 0.75 },
      { id: 1, value: 'Au', occurrence: 0.25 },
    ]
    const basis = { units: 'crystal', elements, coordinates: [0, 1].map((id) => ({ id, value: [0, 0, 0] })) }
    const { _id: id } = await create(material('alloy', { basis }, 3.7))
    const address = `${server.origin}${API_PREFIX}/materials/${id}/export?format=material`
    const read = async (more: string) =>
      (await fetch(`${address}${more}`, { headers: server.credentials.ada })).json() as Promise<Record<string, unknown>>
    expect(await read('')).not.toHaveProperty('madeFrom')
    const parameters = { how: 'supercell', maxAtoms: 8, seed: 3 }
    const approximant = await read('&ordered=supercell&maxAtoms=8&seed=3')
    expect(approximant.madeFrom).toEqual([{ _id: id, collection: 'materials', how: 'ordered approximant', parameters }])
    const { _id: made } = await create(approximant)
    expect(await linksOf(made)).toEqual([
      { from: `materials/${made}`, to: `materials/${id}`, how: 'ordered approximant', parameters },
    ])
  })
})
