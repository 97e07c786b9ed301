import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, type Sent, startServer } from './support/live-server.ts'
import { material, method } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const KINDS = [
  { collection: 'materials', make: material },
  { collection: 'methods', make: method },
] as const

describe.each(KINDS)('$collection', ({ collection, make }) => {
  const create = async (fields: object = {}, sent: Sent = {}) =>
    (await server.call('POST', collection, { body: make('thing', fields), ...sent })).body.data
  const post = (path: string, sent: Sent = {}) => server.call('POST', `${collection}/${path}`, sent)

  describe('copying', () => {
    test('makes a private record of its own from any that one may see', async () => {
      const original = await create({ isPublic: true, tags: ['a'], extra: { b: [1] } })
      const { status, body, headers } = await post(`${original._id}/copy`, { as: 'bob' })
      expect(status).toBe(201)
      expect(headers.get('location')).toBe(`${server.origin}/api/2018-10-01/${collection}/${body.data._id}`)
      expect(body.data).toMatchObject({
        name: 'thing',
        tags: ['a'],
        extra: { b: [1] },
        isPublic: false,
        isDefault: false,
        owner: { _id: server.accountIds.bob },
        creator: { slug: 'bob' },
      })
      expect(body.data._id).not.toBe(original._id)
      expect((await server.call('GET', `${collection}/${body.data._id}`)).status).toBe(404)
    })

    test('goes to an account of the user and to no other', async () => {
      const original = await create()
      const own = await post(`${original._id}/copy?accountId=${server.accountIds.ada}`)
      expect(own.body.data.owner._id).toBe(server.accountIds.ada)
      const foreign = await post(`${original._id}/copy?accountId=${server.accountIds.bob}`)
      expect([foreign.status, foreign.body.data.path]).toEqual([403, 'accountId'])
      expect((await post(`${original._id}/copy?accountId=`)).body.code).toBe(40034)
      const inBody = await post(`${original._id}/copy`, { body: { accountId: server.accountIds.ada } })
      expect(inBody.body).toMatchObject({ code: 40040, message: expect.stringContaining('?accountId=') })
    })

    test('takes the version that If-Match names', async () => {
      const { _id } = await create()
      const etag = (await server.call('GET', `${collection}/${_id}`)).headers.get('etag') ?? ''
      expect((await post(`${_id}/copy`, { headers: { 'if-match': etag.replace('-1', '-2') } })).status).toBe(412)
      expect((await post(`${_id}/copy`, { headers: { 'if-match': etag } })).status).toBe(201)
    })

    test('tells in its history what it is a copy of', async () => {
      const { _id } = await create()
      const copy = (await post(`${_id}/copy`)).body.data
      const { body } = await server.call('GET', `${collection}/${copy._id}/history`)
      expect(body.data.revisions).toMatchObject([{ version: 1, action: 'copy', of: { _id, collection } }])
    })
  })

  describe('the default record', () => {
    test('is one of an account and collection, and read by its word', async () => {
      const [one, other] = [await create(), await create()]
      const set = await post(`${one._id}/set-default`)
      expect([set.status, set.body.data.isDefault]).toEqual([200, true])
      expect((await server.call('GET', `${collection}/default`)).body.data).toEqual(set.body.data)
      await post(`${other._id}/set-default`)
      const { body } = await server.call('GET', `${collection}?isDefault=true`)
      expect(body.data.map(({ _id }: { _id: string }) => _id)).toEqual([other._id])
      const again = await post(`${other._id}/set-default`)
      expect(again.headers.get('etag')).toMatch(/^"[\w-]{22}-2"$/)
    })

    test('stays one when many are made it at once', async () => {
      const records = await Promise.all(Array.from({ length: 6 }, () => create()))
      const answers = await Promise.all(records.map(({ _id }) => post(`${_id}/set-default`)))
      expect(answers.map(({ status }) => status)).toEqual(records.map(() => 200))
      expect((await server.call('GET', `${collection}?isDefault=true`)).body.data).toHaveLength(1)
    })

    test('is still the default after a change, and is not made or unmade by one', async () => {
      const { _id } = await create()
      await post(`${_id}/set-default`)
      await server.call('PATCH', `${collection}/${_id}`, { body: { name: 'renamed' } })
      expect((await server.call('GET', `${collection}/default`)).body.data).toMatchObject({ _id, name: 'renamed' })
      const patch = await server.call('PATCH', `${collection}/${_id}`, { body: { isDefault: false } })
      expect(patch.body.code).toBe(40052)
    })

    test('cannot be deleted until another is the default', async () => {
      const [one, other] = [await create(), await create()]
      await post(`${one._id}/set-default`)
      for (const path of [one._id, `${one._id}?purge=true`]) {
        const { body } = await server.call('DELETE', `${collection}/${path}`)
        expect([body.code, body.data.hint]).toEqual([40904, expect.stringContaining('set-default')])
      }
      await post(`${other._id}/set-default`)
      expect((await server.call('DELETE', `${collection}/${one._id}`)).status).toBe(200)
    })

    test('is found for accounts of the user only', async () => {
      const own = await server.call('GET', `${collection}/default?accountId=${server.accountIds.ada}`)
      expect(own.status).toBe(200)
      const none = await server.call('GET', `${collection}/default?accountId=${server.accountIds.bob}`, { as: 'bob' })
      expect([none.body.code, none.body.data.hint]).toEqual([40412, expect.stringContaining('set-default')])
      const foreign = await server.call('GET', `${collection}/default?accountId=${server.accountIds.ada}`, {
        as: 'bob',
      })
      expect(foreign.status).toBe(403)
    })
  })

  test('verbs answer as if there were nothing where there is a private record of another account', async () => {
    const { _id } = await create()
    const never = '2'.repeat(17)
    const verbs: readonly (readonly [string, string])[] = [
      ['POST', 'copy'],
      ['POST', 'set-default'],
      ['PUT', 'update-set'],
      ['POST', 'move-to-set?oldSetId=&newSetId='],
      ['GET', 'history'],
      ['POST', 'restore?revision=1'],
      ['POST', 'restore'],
      ['POST', 'purge'],
    ]
    for (const [verb, path] of verbs) {
      const tell = async (id: string) => {
        const sent = { as: 'bob', ...(verb === 'PUT' ? { body: { name: 'x' } } : {}) } as const
        const answer = await server.call(verb, `${collection}/${id}/${path}`, sent)
        return [answer.status, answer.text.replaceAll(id, 'ID').replace(/"requestId":"[^"]*"/, '')]
      }
      const seen = await tell(_id)
      expect([path, seen[0]]).toEqual([path, 404])
      expect(seen).toEqual(await tell(never))
    }
    const revision = await server.call('GET', `${collection}/${_id}?revision=1`, { as: 'bob' })
    expect(revision.status).toBe(404)
  })

  test('verbs take no parameters or bodies that they would ignore', async () => {
    const { _id } = await create()
    expect((await post(`${_id}/copy?account=x`)).body.code).toBe(40032)
    expect((await post(`${_id}/set-default?force=true`)).body.code).toBe(40032)
    expect((await post(`${_id}/copy`, { body: { name: 'x' } })).body.code).toBe(40040)
    expect((await post(`${_id}/restore`, { body: { version: 1 } })).body.code).toBe(40038)
    expect((await server.call('GET', `${collection}/${_id}?revision=one`)).body.code).toBe(40034)
  })
})
