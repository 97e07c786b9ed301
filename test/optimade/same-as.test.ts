import { afterAll, beforeAll, expect, test } from 'vitest'
import { material } from '../http/support/records.ts'
import { type OptimadeServer, startOptimade } from './support/optimade-server.ts'

let optimade: OptimadeServer
beforeAll(async () => {
  optimade = await startOptimade()
})
afterAll(() => optimade.close())

const FIELD = '_quarry_same_as'

test('the same public crystals are told where they are asked for, and others never', async () => {
  const { server, get, filter } = optimade
  const stored = async (x: number, isPublic: boolean) => {
    const elements = [{ id: 0, value: 'Rn' }]
    const basis = { units: 'crystal', elements, coordinates: [{ id: 0, value: [x, 0, 0] }] }
    const { body } = await server.call('POST', 'materials', { body: material('radon', { basis, isPublic }, 7) })
    return body.data._id as string
  }
  const [first, second, secret] = [await stored(0, true), await stored(0.2, true), await stored(0.3, false)]
  const entry = await get(`/v1/structures/${first}?response_fields=${FIELD}`)
  expect(entry.body.data.attributes).toEqual({ [FIELD]: [second] })
  expect(entry.body.data.attributes[FIELD]).not.toContain(secret)
  expect((await get(`/v1/structures/${first}`)).body.data.attributes).not.toHaveProperty(FIELD)
  const list = await filter('elements HAS "Rn"', `response_fields=${FIELD}`)
  expect(list.body.data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
    { [FIELD]: [second] },
    { [FIELD]: [first] },
  ])
  const boxed = await get(`/v1/structures/${optimade.ids['molecule (boxed)']}?response_fields=${FIELD}`)
  expect(boxed.body.data.attributes).toEqual({ [FIELD]: null })
})

test('that some may be lacking is told where there are more than are compared', async () => {
  const { server, get, filter } = optimade
  const ids: string[] = []
  for (let turn = 0; turn < 22; turn++) {
    const basis = { elements: [{ id: 0, value: 'Kr' }], coordinates: [{ id: 0, value: [turn / 50, 0, 0] }] }
    const body = material('krypton', { basis, isPublic: true }, 6)
    ids.push((await server.call('POST', 'materials', { body })).body.data._id)
  }
  const { body } = await get(`/v1/structures/${ids[0]}?response_fields=${FIELD}`)
  expect(body.data.attributes[FIELD].length).toBeLessThanOrEqual(20)
  expect(body.meta.warnings).toMatchObject([{ detail: expect.stringContaining(`as ${ids[0]}`) }])
  const list = await filter('elements HAS "Kr"', `response_fields=${FIELD}&page_limit=2`)
  expect(list.body.meta.warnings).toHaveLength(2)
})

test('it is described, and refused in filters and for large pages with what works', async () => {
  const { get, filter } = optimade
  expect((await get('/v1/info/structures')).body.data.properties[FIELD]).toMatchObject({
    type: 'list',
    sortable: false,
  })
  const refused = await filter(`${FIELD} HAS "x"`)
  expect(refused.status).toBe(501)
  expect(refused.body.errors[0].detail).toContain('GET /materials/{id}/same')
  expect((await get(`/v1/structures?page_limit=21&response_fields=${FIELD}`)).status).toBe(403)
})
