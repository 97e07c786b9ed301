import { request as httpsRequest } from 'node:https'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpSettings } from '../../src/http/settings.ts'
import { launchChromium, missingChromium } from '../browser/support/chromium.ts'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import { logToLines } from '../support/log-lines.ts'
import { type NginxProxy, reasonAgainstNginx, startNginx } from './nginx.ts'

const reason = reasonAgainstNginx()
const missing = missingChromium()

const WAYS: readonly (readonly [what: string, settings: Partial<HttpSettings>])[] = [
  ['that believes the proxy', { trustProxy: true }],
  ['that has been told its public address', { trustProxy: true, publicUrl: 'https://lab.example/quarry' }],
]

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

describe.skipIf(reason !== null).each(WAYS)(
  `behind nginx with TLS below /quarry/${reason === null ? '' : ` (skipped: ${reason})`}, a server %s`,
  (_what, settings) => {
    const { log, lines } = logToLines()
    let server: LiveServer
    let proxy: NginxProxy
    beforeAll(async () => {
      server = await startServer({ http: settings, log })
      proxy = await startNginx(server.port)
      for (const name of ['a', 'b', 'c', 'd']) {
        await server.call('POST', 'materials', { body: material(name, { isPublic: true }) })
      }
    })
    afterAll(async () => {
      await proxy.close()
      await server.close()
    })

    const base = () => settings.publicUrl ?? proxy.url

    /** Asks the proxy, wherever the address says that the server is. */
    function ask(address: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Answer> {
      const url = address.startsWith('/') ? `${proxy.url}${address}` : address.replace(base(), proxy.url)
      return new Promise((resolve, reject) => {
        const all = { ...server.credentials.ada, ...headers }
        const sent = httpsRequest(url, { method, headers: all, ca: proxy.certificate }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
          response.on('error', reject)
        })
        sent.on('error', reject)
        sent.end(body)
      })
    }
    const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value))
    const nextOf = ({ headers }: Answer) => /^<(.*)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1]

    test('leads from page to page to the end', async () => {
      const names: string[] = []
      let address: string | undefined =
        `/api/2018-10-01/materials?projection=${encoded({ limit: 1, sort: { name: 1 } })}`
      while (address !== undefined) {
        const answer: Answer = await ask(address)
        names.push(...JSON.parse(answer.text).data.map(({ name }: { name: string }) => name))
        address = nextOf(answer)
        if (address !== undefined) expect(address.startsWith(`${base()}/api/2018-10-01/materials?`)).toBe(true)
      }
      expect(names).toEqual(['a', 'b', 'c', 'd'])
    })

    test('leads from page to page of OPTIMADE to the end', async () => {
      const ids: string[] = []
      let address: string | null = '/optimade/v1/structures?page_limit=1'
      while (address !== null) {
        const { data, links }: { data: { id: string }[]; links: { next: string | null } } = JSON.parse(
          (await ask(address)).text,
        )
        ids.push(...data.map(({ id }) => id))
        address = links.next
      }
      expect(new Set(ids).size).toBe(4)
      expect((await ask('/optimade/links')).text).toContain(`"base_url":"${base()}/optimade"`)
    })

    test('says where a new record is', async () => {
      const body = JSON.stringify(material('made'))
      const made = await ask('/api/2018-10-01/materials', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      const address = String(made.headers['location'])
      expect([made.status, address.startsWith(`${base()}/api/`)]).toEqual([201, true])
      expect(JSON.parse((await ask(address)).text).data.name).toBe('made')
      await ask(address, { method: 'DELETE' })
    })

    test('describes its addresses as they are to be asked', async () => {
      const { servers, paths } = JSON.parse((await ask('/openapi.json')).text)
      expect(servers).toEqual([{ url: base() }])
      expect(
        (await ask(`${servers[0].url}${Object.keys(paths).find((path) => path.endsWith('/users/me'))}`)).status,
      ).toBe(200)
    })

    test.skipIf(missing !== null)('shows the page, where people log in and browse', async () => {
      // The page is at the address that the server was told, which is the proxy.
      const { host } = new URL(proxy.url)
      const browser = await launchChromium([`--host-resolver-rules=MAP lab.example:443 ${host}`])
      try {
        const page = await browser.newPage({ ignoreHTTPSErrors: true })
        await page.goto(`${base()}/materials`)
        await page.getByLabel('User name or e-mail').fill('ada')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByRole('heading', { name: '4 materials' }).waitFor()
        await page.getByRole('link', { name: 'a', exact: true }).click()
        await page.getByRole('heading', { name: 'a', exact: true }).waitFor()
        expect(page.url()).toMatch(/\/quarry\/materials\/\w+$/)
        await page.reload()
        await page.getByRole('heading', { name: 'a', exact: true }).waitFor()
      } finally {
        await browser.close()
      }
    })

    test.each(['/', '/docs', '/docs/api'])('serves all that %s loads', async (path) => {
      const html = (await ask(path)).text
      const links = [...html.matchAll(/(?:src|href)="(\.[^"#]+)/g)].map(([, link = '']) => link)
      expect(links.length).toBeGreaterThanOrEqual(path === '/' ? 3 : 25)
      for (const link of links) {
        const address = new URL(link, proxy.url + path).href
        const { status } = await ask(address, { headers: { accept: 'text/html,*/*' } })
        expect([link, status]).toEqual([link, 200])
      }
    })

    test('sends whoever puts a slash behind the address of a page to the page', async () => {
      const { status, headers } = await ask('/docs/')
      expect([status, new URL(String(headers['location']), `${proxy.url}/docs/`).href]).toEqual([
        308,
        `${proxy.url}/docs`,
      ])
    })

    test('takes long queries and large bodies', async () => {
      const names = Array.from({ length: 4000 }, (_, n) => `name ${n}`)
      const list = await ask(`/api/2018-10-01/materials?query=${encoded({ name: { $in: [...names, 'a'] } })}`)
      expect(JSON.parse(list.text).data).toHaveLength(1)
      const lines = Array.from({ length: 300 }, (_, n) => JSON.stringify({ name: `m${n}`, text: 'x'.repeat(5000) }))
      const sent = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: lines.join('\n') }
      const stored = await ask('/api/2018-10-01/methods/bulk', sent)
      expect(stored.status).toBe(200)
    })

    test('sees the client where the proxy does, and believes nothing that the client says of it', async () => {
      const headers = {
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
        'x-forwarded-prefix': '/evil',
        forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
      }
      const list = await ask(`/api/2018-10-01/materials?projection=${encoded({ limit: 1 })}`, { headers })
      expect(nextOf(list)?.startsWith(`${base()}/api/`)).toBe(true)
      lines.length = 0
      const body = 'username=ada&password=wrong+wrong+wrong'
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      expect((await ask('/api/2018-10-01/login', { method: 'POST', headers: form, body })).status).toBe(401)
      expect(lines).toMatchObject([{ event: 'login.failed', user: 'ada', address: '127.0.0.1' }])
    })

    test('keeps its metrics from whoever comes through the proxy', async () => {
      expect((await ask('/metrics')).status).toBe(403)
    })
  },
)
