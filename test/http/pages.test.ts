import { readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENCODINGS } from '../../src/http/response/page-file.ts'
import { allRoutes } from '../../src/http/routes/all-routes.ts'
import { DEFAULT_HTTP_SETTINGS } from '../../src/http/settings.ts'
import { PAGE_PATHS, pagePath } from '../../src/page/addresses.ts'
import { type LiveServer, startServer } from './support/live-server.ts'

let server: LiveServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Reads an answer to its end: a connection that is not read to its end stays open. */
async function get(path: string, { headers, ...init }: RequestInit = {}) {
  const asked = { accept: 'text/html,*/*;q=0.8', ...(headers as Record<string, string>) }
  const response = await fetch(`${server.origin}${path}`, { ...init, headers: asked })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const WEB = new URL('../../web/', import.meta.url)
const BUILT = readdirSync(new URL('../../dist/web/web/', import.meta.url))
const named = (pattern: RegExp) => BUILT.find((name) => pattern.test(name)) ?? ''
const SCRIPT = named(/^index-.+\.js$/)
const STYLE = named(/^index-.+\.css$/)
const PAGES = Object.keys(PAGE_PATHS).map((page) =>
  pagePath(page as keyof typeof PAGE_PATHS, { id: 'some id', name: 'api', collection: 'workflows' }),
)

/** Reads an answer as it came: fetch would undo its encoding. */
function getRaw(path: string, accepted: string) {
  return new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const sent = httpRequest(`${server.origin}${path}`, { headers: { 'accept-encoding': accepted } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
    sent.on('error', reject).end()
  })
}

describe('a page', () => {
  test.each([
    ...PAGES.map((page) => [page, 'text/html; charset=utf-8']),
    ['/docs/', 'text/html; charset=utf-8'],
    ['/materials/?query={}', 'text/html; charset=utf-8'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/docs/api.md', 'text/plain; charset=utf-8'],
  ])('at %s is %s, for anyone, kept by its tag', async (path, type) => {
    const response = await get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('set-cookie')).toBeNull()

    const etag = response.headers.get('etag') ?? ''
    const again = await get(path, { headers: { 'if-none-match': `W/"other", ${etag}` } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)

    const head = await get(path, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('has a tag that follows from its content', async () => {
    const [page, same, other] = await Promise.all([get('/materials'), get('/methods'), get('/materials/x')])
    expect(page.headers.get('etag')).toBe(same.headers.get('etag'))
    expect(page.headers.get('etag')).not.toBe(other.headers.get('etag'))
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
    expect(html).not.toMatch(/<style|<[^>]*(\sstyle=|\son\w+=|javascript:)/i)
    for (const [, attributes, content] of html.matchAll(/<script([^>]*)>([^<]*)/g)) {
      expect([attributes, content]).toEqual([expect.stringMatching(/src="(\.\/|(\.\.\/)+)web\//), ''])
    }
    const links = [...html.matchAll(/<(?:script|link) [^>]*(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    expect(links).toHaveLength(path.startsWith('/docs') ? 5 : 3)
    for (const link of links) {
      expect(link, 'an address of this server, below whatever path it has').not.toMatch(/^\/|^[\w+.-]+:/)
      expect([link, (await fetch(new URL(link, server.origin + path))).status]).toEqual([link, 200])
    }
  })
})

test('documents of the reference lead to what is there', async () => {
  const guides = readdirSync(new URL('../../dist/web/docs/', import.meta.url)).filter((name) => /\.html$/.test(name))
  expect(guides.length).toBeGreaterThan(15)
  const found = new Set<string>()
  for (const path of ['/docs', '/docs?kind=jobs', ...guides.map((name) => `/docs/${name.replace('.html', '')}`)]) {
    const { status, text } = await get(path)
    expect([path, status]).toEqual([path, 200])
    for (const [, link = ''] of text.matchAll(/<a [^>]*href="([^"#][^"]*)"/g)) {
      const { origin, pathname, search } = new URL(link.replaceAll('&amp;', '&'), server.origin + path)
      if (origin === server.origin) found.add(pathname + search)
    }
  }
  expect(found.size).toBeGreaterThan(25)
  for (const link of found) expect([link, (await get(link)).status]).toEqual([link, 200])
})

describe('a file of the pages', () => {
  test('keeps for good, as its name changes with its content', async () => {
    for (const name of [SCRIPT, STYLE]) {
      const { headers } = await get(`/web/${name}`)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('vary')).toBe('accept-encoding')
    }
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['*', 'br'],
    ['deflate, zstd', undefined],
    ['br;q=x', undefined],
    ['', undefined],
  ])('that is asked for with %j comes as %s, the same in the end', async (accepted, encoding) => {
    const plain = (await getRaw(`/web/${SCRIPT}`, 'identity')).bytes
    const { headers, bytes } = await getRaw(`/web/${SCRIPT}`, accepted)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['content-length']).toBe(String(bytes.length))
    const undone = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
    expect(undone.equals(plain)).toBe(true)
  })

  test('has a tag of its own in each encoding', async () => {
    const answers = await Promise.all(['identity', ...ENCODINGS].map((one) => getRaw(`/web/${SCRIPT}`, one)))
    expect(new Set(answers.map(({ headers }) => headers['etag'])).size).toBe(3)
  })
})

/** Every file of the sources, with its text. */
const SOURCES = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => [name, readFileSync(new URL(name, WEB), 'utf8')] as const)

describe('a script of the pages', () => {
  test.each(SOURCES)('%s never makes HTML or code of text', (_name, text) => {
    expect(text).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|document\.cookie/,
    )
  })

  test('asks only for addresses that the API has', () => {
    const routes = allRoutes(server.services, DEFAULT_HTTP_SETTINGS)
    const patterns = routes.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((one) => `${method} ${one.replace('/api/2018-10-01', '').replaceAll(/:\w+/g, '*')}`),
    )
    // A path is written with its values in place: `/materials/${id}`.
    const asked = SOURCES.flatMap(([name, text]) =>
      [...text.matchAll(/\b(?:ask|fetchPlain)(?:<[^(]*>)?\(\s*'(\w+)',\s*['`](\/[^'`]*)['`]/g)].map(
        ([, method, path = '']) => [name, `${method} ${path.replaceAll(/\$\{[^}]*\}/g, '*')}`] as const,
      ),
    )
    expect(asked.length).toBeGreaterThan(5)
    // What stands for any step, such as the name of a kind, meets any step.
    const meets = (address: string) => {
      const pattern = new RegExp(`^${address.split('*').map(escaped).join('[^/]+')}$`)
      return patterns.some((one) => pattern.test(one))
    }
    expect(asked.filter(([, address]) => !meets(address))).toEqual([])
  })

  test('talks to the server in one place, but for the samples that are shown and the list of guides', () => {
    const others = SOURCES.filter(
      ([name, text]) =>
        !['api/client.ts', 'query/samples.ts', 'pages/docs/search.ts'].includes(name) &&
        /\bfetch\(|XMLHttpRequest|EventSource/.test(text),
    )
    expect(others.map(([name]) => name)).toEqual([])
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

describe('a browser at an address where nothing is', () => {
  test.each(['/nope', '/nope/', '/a/b/c/d/e/f', '/web/nope.js', '/docs/nope'])('%s gets the page', async (path) => {
    const { status, headers, text } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const [, script = ''] = /<script[^>]*src="([^"]+)"/.exec(text) ?? []
    expect((await fetch(new URL(script, server.origin + path))).status).toBe(200)
    expect(await server.call('GET', path, { as: 'guest' })).toMatchObject({ status: 404, body: { code: 40401 } })
  })

  test.each(['/api/2018-10-01/nope', '/api', '/api/nope'])('%s gets the envelope, as programs do', async (path) => {
    const { status, headers } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
  })
})

describe('a refusal beside the API is in the envelope', () => {
  test.each([
    ['GET', `/web/${SCRIPT}s`, 404, `Did you mean /web/${SCRIPT}?`],
    ['GET', '/docs/ap.md', 404, 'Did you mean /docs/api.md?'],
    ['GET', '/web/tsconfig.json', 404, 'There is nothing at /web/tsconfig.json'],
    ['GET', '/web/index.html', 404, 'There is nothing at /web/index.html'],
    ['GET', '/web/%2e%2e%2fpackage.json', 404, 'There is nothing at'],
    ['GET', '/web/..%5cpackage.json', 404, 'There is nothing at'],
    ['GET', '/web/__proto__', 404, 'There is nothing at'],
    ['GET', '/docs/..%2f..%2fREADME.md', 404, 'There is nothing at'],
    ['GET', '/materials/a/b', 404, ''],
    ['GET', '/materials', 404, 'Did you mean /api/2018-10-01/materials?'],
    ['GET', '/materials/x', 404, 'is a page for browsers'],
    ['POST', '/', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', `/web/${SCRIPT}`, 405, 'GET, HEAD, OPTIONS'],
  ])('%s %s', async (method, path, status, message) => {
    const answer = await server.call(method, path, { as: 'guest' })
    expect(answer.status).toBe(status)
    expect(answer.body.message).toContain(message)
  })
})
