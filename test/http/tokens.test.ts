import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveServer, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function createToken(fields: object = {}) {
  const { status, body, headers } = await server.call('POST', 'tokens', { body: { name: 'laptop', ...fields } })
  expect(status).toBe(201)
  const pair = { 'x-account-id': body.data['X-Account-Id'], 'x-auth-token': body.data['X-Auth-Token'] }
  return { data: body.data, headers, pair }
}

describe('an API token', () => {
  test('is shown once, and works like a session', async () => {
    const { data, headers, pair } = await createToken({ expiresInDays: 90 })
    expect(data).toEqual({
      'X-Account-Id': server.accountIds.ada,
      'X-Auth-Token': expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token: {
        _id: expect.any(String),
        name: 'laptop',
        kind: 'api',
        accountId: server.accountIds.ada,
        oneAccount: false,
        readOnly: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        lastUsedAt: null,
        expiresAt: expect.stringMatching(/Z$/),
        isCurrent: false,
      },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('location')).toBe(`${server.origin}/api/2018-10-01/tokens/${data.token._id}`)
    const listed = await server.call('GET', 'tokens', { as: 'guest', headers: pair })
    expect(listed.status).toBe(200)
    expect(listed.text).not.toContain(pair['x-auth-token'])
    expect(listed.body.data.find((token: { _id: string }) => token._id === data.token._id).isCurrent).toBe(true)
  })

  test('is dead on the request after it was revoked', async () => {
    const { data, pair } = await createToken()
    const { status, body } = await server.call('DELETE', `tokens/${data.token._id}`)
    expect(status).toBe(200)
    expect(body.data).toEqual({ message: `Token ${data.token._id} successfully deleted`, _id: data.token._id })
    expect((await server.call('GET', 'materials', { as: 'guest', headers: pair })).status).toBe(401)
    expect((await server.call('DELETE', `tokens/${data.token._id}`)).body.code).toBe(40421)
  })

  test('of another user is neither listed nor revoked, and its refusal is that of an id that never was', async () => {
    const { data, pair } = await createToken()
    const listed = await server.call('GET', 'tokens', { as: 'bob' })
    expect(listed.text).not.toContain(data.token._id)
    const other = await server.call('DELETE', `tokens/${data.token._id}`, { as: 'bob' })
    const never = await server.call('DELETE', `tokens/${'2'.repeat(17)}`, { as: 'bob' })
    expect(other.status).toBe(404)
    expect(other.body.message.replace(data.token._id, '…')).toBe(never.body.message.replace('2'.repeat(17), '…'))
    expect((await server.call('GET', 'materials', { as: 'guest', headers: pair })).status).toBe(200)
  })

  test.each([
    ['without a body', undefined, 40039],
    ['without a name', {}, 40039],
    ['with a name that is no text', { name: 5 }, 40039],
    ['with an empty name', { name: '' }, 40073],
    ['with a lifetime that is no number', { name: 'a', expiresInDays: '90' }, 40039],
    ['with a lifetime of 0 days', { name: 'a', expiresInDays: 0 }, 40074],
    ['with readOnly that is no boolean', { name: 'a', readOnly: 1 }, 40039],
    ['with a field that is not read', { name: 'a', expires: 90 }, 40038],
    ['as an array', [], 40037],
  ])('is refused %s', async (_what, body, code) => {
    expect((await server.call('POST', 'tokens', { body })).body.code).toBe(code)
  })
})

describe('a read-only token', () => {
  test('lists, reads, searches and counts', async () => {
    const { body } = await server.call('POST', 'materials', { body: material('read me') })
    for (const [method, path] of [
      ['GET', 'materials'],
      ['GET', `materials/${body.data._id}`],
      ['POST', 'materials/search'],
      ['POST', 'materials/count'],
      ['GET', 'tokens'],
    ] as const) {
      expect([path, (await server.call(method, path, { as: 'readOnly' })).status]).toEqual([path, 200])
    }
  })

  test('writes nothing: each attempt is refused and says why', async () => {
    const { body } = await server.call('POST', 'materials', { body: material('keep me') })
    const { data } = await createToken()
    for (const [method, path, sent] of [
      ['POST', 'materials', material('x')],
      ['PUT', 'materials/create', material('x')],
      ['PATCH', `materials/${body.data._id}`, { name: 'x' }],
      ['DELETE', `materials/${body.data._id}`, undefined],
      ['POST', 'methods', { type: 'a', subtype: 'b' }],
      ['POST', 'tokens', { name: 'x' }],
      ['DELETE', `tokens/${data.token._id}`, undefined],
    ] as const) {
      const answer = await server.call(method, path, { as: 'readOnly', body: sent })
      expect([method, path, answer.body.code]).toEqual([method, path, 40301])
      expect(answer.body.message).toContain('read-only')
    }
    expect((await server.call('GET', `materials/${body.data._id}`)).body.data.name).toBe('keep me')
  })
})
