import { describe, expect, test } from 'vitest'
import { type Asked, callOf, requestOf } from '../../web/pages/docs/request.ts'

const UPDATE: Asked = {
  method: 'PATCH',
  path: '/api/2018-10-01/materials/{id}',
  type: 'application/json',
  isOpen: false,
  answer: 'json',
}
const LIST: Asked = { ...UPDATE, method: 'GET', path: '/api/2018-10-01/materials', type: '' }
const PLACE = { root: 'http://host/q', api: '/api/2018-10-01' }

describe('a request that was typed', () => {
  test('has each value in its place, and nothing of what was left empty', () => {
    const request = requestOf(UPDATE, [
      ['path id', 'a/b'],
      ['query strict', 'true'],
      ['query path', ''],
      ['header If-Match', '"v1"'],
      ['header Idempotency-Key', ''],
      ['body', ' {"name": "Si"}\n'],
    ])
    expect(request).toEqual({
      ...UPDATE,
      path: '/api/2018-10-01/materials/a%2Fb',
      search: { strict: 'true' },
      headers: { 'If-Match': '"v1"', 'content-type': 'application/json' },
      body: '{"name": "Si"}',
      missing: [],
    })
    const without = requestOf(UPDATE, [['body', ' ']])
    expect([without.body, without.headers]).toEqual([undefined, {}])
  })

  test('says what of the address is missing', () => {
    const member: Asked = { ...UPDATE, path: '/api/2018-10-01/accounts/{id}/members/{user}' }
    expect(requestOf(member, [['path id', 'x']]).missing).toEqual(['user'])
  })

  test('is the same for a program', () => {
    expect(callOf(requestOf(LIST, [['query limit', '2']]), PLACE, 'acc')).toMatchObject({
      root: 'http://host/q/api/2018-10-01',
      path: '/materials',
      search: { limit: '2' },
      accountId: 'acc',
      isOpen: false,
      answer: 'json',
    })
    const probe = requestOf({ ...LIST, path: '/healthz', isOpen: true }, [])
    expect(callOf(probe, PLACE)).toMatchObject({ root: 'http://host/q', path: '/healthz', isOpen: true })
    expect(callOf(requestOf({ ...LIST, answer: 'text' }, []), PLACE)?.answer).toBe('text')
    expect(callOf(requestOf(UPDATE, [['body', '{"name":"x"}']]), PLACE)?.body).toEqual({ name: 'x' })
    expect(callOf(requestOf(UPDATE, [['body', '{"name":']]), PLACE)?.body).toBeUndefined()
    expect(callOf(requestOf({ ...UPDATE, type: 'application/x-ndjson' }, []), PLACE)).toBeNull()
  })
})
