import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor, LiveServer } from './support/live-server.ts'
import { startServer } from './support/live-server.ts'
import { MAKERS } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const KINDS = ['materials', 'methods'] as const

/** Imports a record under an id that its sender chooses. */
async function bring(collection: string, as: Actor, _id: string, fields: object = {}) {
  const response = await fetch(`${server.origin}/api/2018-10-01/${collection}/bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...server.credentials[as] },
    body: JSON.stringify(MAKERS[collection]?.(`of ${as}`, { _id, ...fields })),
  })
  return JSON.parse((await response.text()).split('\n')[0] ?? '')
}

const nameOf = async (path: string, as: Actor) => (await server.call('GET', path, { as })).body.data.name

describe.each(KINDS)('two accounts have %s of one id', (collection) => {
  const call = (method: string, path: string, as: Actor, body?: object) =>
    server.call(method, `${collection}/${path}`, { as, ...(body === undefined ? {} : { body }) })

  test('in private, and each reads, changes and removes its own', async () => {
    for (const as of ['ada', 'bob'] as const) {
      expect(await bring(collection, as, 'in-private')).toMatchObject({ outcome: 'stored', _id: 'in-private' })
    }
    expect((await call('PATCH', 'in-private', 'bob', { name: 'changed' })).status).toBe(200)
    expect(await nameOf(`${collection}/in-private`, 'ada')).toBe('of ada')
    expect((await call('DELETE', 'in-private', 'bob')).status).toBeLessThan(300)
    expect(await nameOf(`${collection}/in-private`, 'ada')).toBe('of ada')
    expect((await call('GET', 'in-private', 'bob')).status).toBe(404)
  })

  test('and only the first of them is published: the other is told why, and stays as it was', async () => {
    for (const as of ['ada', 'bob'] as const) await bring(collection, as, 'to-publish')
    const published = await call('PATCH', 'to-publish', 'ada', { isPublic: true })
    expect(published.status).toBe(200)
    const { status, body, headers } = await call('PATCH', 'to-publish', 'bob', { isPublic: true, name: 'changed' })
    expect([status, body]).toMatchObject([
      409,
      {
        status: 'fail',
        code: 40902,
        data: { path: 'isPublic', hint: expect.stringContaining(`POST /${collection}/ID/copy`) },
      },
    ])
    expect(headers.get('retry-after')).toBeNull()
    expect((await call('GET', 'to-publish', 'bob')).body.data).toMatchObject({ name: 'of bob', isPublic: false })
    expect((await call('GET', 'to-publish', 'ada')).body.data).toMatchObject({ name: 'of ada', isPublic: true })

    const copy = await call('POST', 'to-publish/copy', 'bob')
    expect(copy.body.data.name).toContain('of bob')
    expect((await call('PATCH', copy.body.data._id, 'bob', { isPublic: true })).status).toBe(200)
  })

  test('and one is public: its id is taken for what is imported', async () => {
    await bring(collection, 'ada', 'in-public', { isPublic: true })
    for (const isPublic of [false, true]) {
      expect(await bring(collection, 'bob', 'in-public', { isPublic })).toMatchObject({
        outcome: 'refused',
        error: { code: 40902, data: { path: '_id', hint: expect.any(String) } },
      })
    }
  })

  test('and one was removed before the other was published: it cannot be restored', async () => {
    await bring(collection, 'bob', 'removed-before')
    await call('DELETE', 'removed-before', 'bob')
    await bring(collection, 'ada', 'removed-before', { isPublic: true })
    expect(await call('POST', 'removed-before/restore', 'bob')).toMatchObject({
      status: 409,
      body: { code: 40902, data: { path: '_id' } },
    })
    expect((await call('GET', 'removed', 'bob')).body.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ _id: 'removed-before' })]),
    )
  })
})
