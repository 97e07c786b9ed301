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

  test('and of one that is public there is no other: who brings the same has it, who brings another is told so', async () => {
    expect(await bring(collection, 'ada', 'in-public', { isPublic: true })).toMatchObject({ outcome: 'stored' })
    expect(await bring(collection, 'bob', 'in-public', { isPublic: true, name: 'of ada' })).toMatchObject({
      outcome: 'skipped',
    })
    expect(await bring(collection, 'bob', 'in-public', { name: 'of ada' })).toMatchObject({ outcome: 'refused' })
    for (const isPublic of [true, false])
      expect(await bring(collection, 'bob', 'in-public', { isPublic })).toMatchObject({
        outcome: 'refused',
        error: {
          code: 40902,
          message: expect.stringContaining(`public record with the _id "in-public" in ${collection}`),
        },
      })
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

describe.each(KINDS)('an id that the server gave for %s', (collection) => {
  const call = (method: string, path: string, as: Actor, body?: object) =>
    server.call(method, `${collection}/${path}`, { as, ...(body === undefined ? {} : { body }) })
  const create = async (as: Actor, fields: object = {}): Promise<string> =>
    (await server.call('POST', collection, { as, body: { ...MAKERS[collection]?.(`of ${as}`), ...fields } })).body.data
      ._id

  test('is not taken by the import of another account, which is told its own, and finds it again', async () => {
    const hers = await create('ada')
    const report = await bring(collection, 'bob', hers, { isPublic: true })
    expect(report).toMatchObject({
      outcome: 'stored',
      warnings: [{ code: 20022, path: '_id', message: expect.stringContaining(report._id) }],
    })
    expect(report._id).not.toBe(hers)
    expect(await bring(collection, 'bob', hers, { isPublic: true })).toMatchObject({
      outcome: 'skipped',
      _id: report._id,
    })
    expect((await call('PATCH', hers, 'ada', { isPublic: true })).status).toBe(200)
    const listed = await server.call(
      'GET',
      `${collection}?query=${encodeURIComponent(JSON.stringify({ _id: hers }))}`,
      { as: 'ada' },
    )
    expect(listed.body.data).toMatchObject([{ name: 'of ada' }])
  })

  test('stays with the account that it was given for, also of a record that was removed', async () => {
    const [there, gone] = [await create('ada'), await create('ada')]
    expect((await call('DELETE', gone, 'ada')).status).toBe(200)
    for (const [id, outcome] of [
      [there, 'skipped'],
      [gone, 'stored'],
    ] as const) {
      const report = await bring(collection, 'ada', id)
      expect(report).toMatchObject({ outcome, _id: id })
      expect(report).not.toHaveProperty('warnings')
    }
  })

  test('goes on to be named by the members of a set that come with it', async () => {
    const [set, member] = ['Cx4rzWyq5EfJpTkZb', 'Dx4rzWyq5EfJpTkZb']
    const own = (
      await server.call('PUT', `${collection}/create-set`, {
        as: 'bob',
        body: { name: 'his', entitySetType: 'unordered' },
      })
    ).body.data._id
    const brought = await bring(collection, 'bob', set, { isEntitySet: true, entitySetType: 'unordered' })
    const inSet = [
      { _id: set, slug: 'a' },
      { _id: own, slug: 'his' },
    ]
    const { _id, warnings } = await bring(collection, 'bob', member, { inSet })
    expect(warnings.map(({ path }: { path: string }) => path)).toEqual(['inSet._id', '_id'])
    expect((await call('GET', _id, 'bob')).body.data.inSet).toMatchObject([{ _id: brought._id }, { _id: own }])
  })
})
