import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalTarget } from '../../src/http/address.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('the version', () => {
  test.each(['/api/2018-10-01', '/api/2018-10-1', '/2018-10-01'])('%s answers', async (base) => {
    const { status, body } = await server.call(
      'GET',
      `${base}/materials?query=%7B%7D&projection=%7B%22limit%22%3A+1%7D`,
    )
    expect(status).toBe(200)
    expect(body.status).toBe('success')
  })

  test.each([
    ['/api/2018-10-02/materials', '2018-10-02'],
    ['/api/2018-10-011/materials', null],
    ['/api/2018-10-10/materials', '2018-10-10'],
    ['/2019-01-01/materials', '2019-01-01'],
    ['/api/v1/materials', 'v1'],
    ['/v2/materials', 'v2'],
    ['/api/2018-10-1x/materials', null],
  ])('%s is not found', async (path, version) => {
    const { status, body } = await server.call('GET', path)
    expect(status).toBe(404)
    expect(body.code).toBe(version === null ? 40401 : 40402)
    if (version !== null) {
      expect(body.message).toContain(version)
      expect(body.message).toContain('2018-10-01')
    }
  })

  test('is not read from headers or parameters', async () => {
    const byParameter = await server.call('GET', '/api/materials?version=2018-10-01')
    const byHeader = await server.call('GET', '/api/materials', { headers: { 'accept-version': '2018-10-01' } })
    expect([byParameter.status, byHeader.status]).toEqual([404, 404])
  })
})

describe('an address that does not exist', () => {
  test.each([
    ['/api/2018-10-01/material', '/api/2018-10-01/materials'],
    ['/api/2018-10-01/logn', '/api/2018-10-01/login'],
    ['/healthy', '/healthz'],
    ['/api/2018-10-01/bank', '/api/2018-10-01/bank-materials'],
    ['/api/2018-10-01/bank/materials', '/api/2018-10-01/bank-materials'],
    ['/api/2018-10-01/materials-bank', '/api/2018-10-01/bank-materials'],
    ['/materials', '/api/2018-10-01/materials'],
    ['/api/2018-10-01/materials/abc/coppy', '/api/2018-10-01/materials/abc/copy'],
    ['/api/2018-10-01/materials/abc/set_default', '/api/2018-10-01/materials/abc/set-default'],
    ['/api/2018-10-01/materails/abc', '/api/2018-10-01/materials/abc'],
  ])('%s is told the nearest one', async (path, near) => {
    const { status, body } = await server.call('GET', path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 40401, data: { path, hint: `Did you mean ${near}?` } })
  })

  test.each(['/nowhere', '/api/2018-10-01/materials/abc/nowhere'])('%s is near to none', async (path) => {
    const { body } = await server.call('GET', path)
    expect(body.data.hint).toContain('openapi.json')
  })

  test('is 404 for guests too, and before the body is read', async () => {
    const { status } = await server.call('POST', 'nowhere', {
      as: 'guest',
      body: 'x'.repeat(1000),
      headers: { 'content-type': 'text/odd' },
    })
    expect(status).toBe(404)
  })

  test.each([
    '/api',
    '/api/',
    '/api/2018-10-01',
    '/api/2018-10-01/',
    '/api/2018-10-01//materials',
    '/%2e%2e/etc/passwd',
  ])('%s answers 404', async (path) => {
    expect((await server.call('GET', path)).status).toBe(404)
  })
})

describe('a method that an address does not have', () => {
  test.each([
    ['PUT', 'materials', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'],
    ['POST', 'materials/abc', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['DELETE', 'login', 'OPTIONS, POST'],
    ['GET', 'login', 'OPTIONS, POST'],
    ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', 'materials', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'],
    ['PUT', '/api/2018-10-1/materials', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'],
  ])('%s %s is 405 with Allow', async (method, path, allow) => {
    const { status, headers, body } = await server.call(method, path, { as: 'guest' })
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe(allow)
    expect(body.message).toContain(method)
  })
})

test('a slash at the end changes nothing', async () => {
  expect((await server.call('GET', 'materials/')).status).toBe(200)
})

test('HEAD answers what GET answers, without the body', async () => {
  const get = await server.call('GET', 'materials')
  const head = await server.call('HEAD', 'materials')
  expect(head.status).toBe(200)
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
})

describe('a page of another origin', () => {
  test('may ask before it sends a request with our headers', async () => {
    const { status, headers } = await server.call('OPTIONS', 'materials/abc', {
      as: 'guest',
      headers: {
        origin: 'https://notebook.example.org',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'x-account-id,x-auth-token,content-type,if-match',
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    for (const name of ['X-Account-Id', 'X-Auth-Token', 'Authorization', 'Content-Type', 'If-Match', 'If-None-Match']) {
      expect(headers.get('access-control-allow-headers')).toContain(name)
    }
  })

  test('may ask about an address that does not exist, to read the 404 afterwards', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
    expect((await server.call('OPTIONS', 'nowhere', { as: 'guest', headers })).status).toBe(204)
  })

  test('may read the headers that matter', async () => {
    const { headers } = await server.call('GET', 'materials')
    for (const name of ['ETag', 'X-Request-Id', 'Retry-After', 'Location']) {
      expect(headers.get('access-control-expose-headers')).toContain(name)
    }
  })
})

test('OPTIONS without an origin lists the methods of an address', async () => {
  const { status, headers } = await server.call('OPTIONS', 'materials', { as: 'guest' })
  expect([status, headers.get('allow')]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'])
  expect((await server.call('OPTIONS', 'nowhere', { as: 'guest' })).status).toBe(404)
})

test('the probes answer guests', async () => {
  expect((await server.call('GET', '/healthz', { as: 'guest' })).body).toEqual({
    status: 'success',
    data: { healthy: true },
  })
  expect((await server.call('GET', '/readyz', { as: 'guest' })).body).toEqual({
    status: 'success',
    data: { ready: true },
  })
})

test('every answer says how long it took', async () => {
  for (const path of ['materials', 'nowhere', 'materials/abc']) {
    expect((await server.call('GET', path)).headers.get('server-timing')).toMatch(/^total;dur=\d+\.\d\d$/)
  }
})

test.each([
  ['http://host', '/'],
  ['http://host?a=b', '/?a=b'],
  ['HTTP://host:80/a/b?c', '/a/b?c'],
  ['https://host/2018-10-01/materials', '/api/2018-10-01/materials'],
  ['ftp://host/a', 'ftp://host/a'],
  ['*', '*'],
])('the address %s stands for %s', (target, canonical) => {
  expect(canonicalTarget(target)).toBe(canonical)
})
