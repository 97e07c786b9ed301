import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { ADDRESSES } from '../../web/api.js'
import { COLLECTIONS } from '../../web/record-words.js'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Reads an answer to its end: a connection that is not read to its end stays open. */
async function get(path: string, init?: RequestInit) {
  const response = await fetch(`${server.origin}${path}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const WEB = new URL('../../web/', import.meta.url)
const PAGES = ['/', '/docs'] as const

describe('a page', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/web/app.js', 'text/javascript; charset=utf-8'],
    ['/web/style.css', 'text/css; charset=utf-8'],
    ['/web/icon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/docs/api.md', 'text/plain; charset=utf-8'],
  ])('at %s is %s, for anyone, kept by its tag', async (path, type) => {
    const response = await get(path)
    const bytes = Buffer.byteLength(response.text)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('content-length')).toBe(String(bytes))
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('set-cookie')).toBeNull()

    const etag = response.headers.get('etag') ?? ''
    const again = await get(path, { headers: { 'if-none-match': `W/"other", ${etag}` } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)

    const head = await get(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, String(bytes), ''])
  })

  test('has a tag that follows from its content', async () => {
    const [icon, same, other] = await Promise.all([get('/web/icon.svg'), get('/favicon.ico'), get('/web/style.css')])
    expect(icon.headers.get('etag')).toBe(same.headers.get('etag'))
    expect(icon.headers.get('etag')).not.toBe(other.headers.get('etag'))
  })

  test.each(PAGES)('at %s runs nothing but files of this server', async (path) => {
    const policy = (await get(path)).headers.get('content-security-policy') ?? ''
    const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ', 1)[0], rule]))
    expect(rules.get('default-src')).toBe("default-src 'none'")
    expect(rules.get('frame-ancestors')).toBe("frame-ancestors 'none'")
    for (const kind of ['script-src', 'style-src', 'connect-src', 'img-src'])
      expect(rules.get(kind)).toBe(`${kind} 'self'`)
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/)
  })

  test.each(PAGES)('at %s has no script, style or handler within, and all that it loads is there', async (path) => {
    const html = (await get(path)).text
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i)
    for (const [, attributes, content] of html.matchAll(/<script([^>]*)>([^<]*)/g)) {
      expect([attributes, content]).toEqual([expect.stringContaining('src="web/'), ''])
    }
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(4)
    for (const link of links.filter((one) => !one.startsWith('#'))) {
      expect(link, 'an address of this server, below whatever path it has').not.toMatch(/^\/|^[\w+.-]+:/)
      expect([link, (await fetch(new URL(link, server.origin + path))).status]).toEqual([link, 200])
    }
  })
})

describe('a script of the pages', () => {
  const scripts = readdirSync(WEB).filter((name) => name.endsWith('.js'))

  test.each(scripts)('%s imports only what is served', async (name) => {
    const text = (await get(`/web/${name}`)).text
    for (const [, specifier = ''] of text.matchAll(/^import [^']*'([^']+)'/gm)) {
      expect(specifier).toMatch(/^\.\/[\w-]+\.js$/)
      expect((await get(`/web/${specifier.slice(2)}`)).status).toBe(200)
    }
  })

  test.each(scripts)('%s never makes HTML or code of text', (name) => {
    const text = readFileSync(new URL(name, WEB), 'utf8')
    expect(text).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|localStorage|\.cookie/,
    )
  })

  test('asks only for addresses that the API has', () => {
    const routes = allRoutes(server.services, DEFAULT_HTTP_SETTINGS)
    const existing = new Set(
      routes.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((one) => `${method} ${one}`)),
    )
    const used = Object.values(ADDRESSES).flatMap(({ method, path }) =>
      path.includes(':collection')
        ? COLLECTIONS.map(({ name }) => `${method} ${path.replace(':collection', name)}`)
        : [`${method} ${path}`],
    )
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((address) => !existing.has(address))).toEqual([])
  })

  test('names an address nowhere else', () => {
    for (const name of scripts.filter((one) => one !== 'api.js')) {
      const text = readFileSync(new URL(name, WEB), 'utf8')
      expect([name, text.match(/fetch\(/)]).toEqual([name, null])
    }
  })
})

describe('a refusal beside the API is in the envelope', () => {
  test.each([
    ['GET', '/web/app.jss', 404, 'Did you mean /web/app.js?'],
    ['GET', '/docs/ap.md', 404, 'Did you mean /docs/api.md?'],
    ['GET', '/web/tsconfig.json', 404, 'There is nothing at /web/tsconfig.json'],
    ['GET', '/web/index.html', 404, 'There is nothing at /web/index.html'],
    ['GET', '/web/%2e%2e%2fpackage.json', 404, 'There is nothing at'],
    ['GET', '/web/..%5cpackage.json', 404, 'There is nothing at'],
    ['GET', '/web/__proto__', 404, 'There is nothing at'],
    ['GET', '/docs/..%2f..%2fREADME.md', 404, 'There is nothing at'],
    ['GET', '/?page=2', 400, 'Unknown URL parameter'],
    ['POST', '/', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', '/web/app.js', 405, 'GET, HEAD, OPTIONS'],
  ])('%s %s', async (method, path, status, message) => {
    const answer = await server.call(method, path, { as: 'guest' })
    expect(answer.status).toBe(status)
    expect(answer.body.message).toContain(message)
  })
})
