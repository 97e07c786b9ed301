import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import { launchChromium, missingChromium, newWindow, type Watched, WIDE, watchedPage } from './support/chromium.ts'

const missing = missingChromium()

describe.skipIf(missing !== null)(
  `the reference in a browser${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: LiveServer
    let browser: Browser
    let window: BrowserContext
    let watched: Watched
    let page: Page

    beforeAll(async () => {
      ;[server, browser] = await Promise.all([startServer(), launchChromium()])
      await server.call('POST', 'materials', { body: material('Silicon') })
    })
    afterAll(async () => {
      await browser.close()
      await server.close()
    })
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
      ;({ page } = watched)
    })
    afterEach(() => window.close())

    async function signIn(): Promise<void> {
      await page.goto(`${server.origin}/`)
      await page.getByLabel('User name or e-mail').fill('ada')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
    }

    const operations = () => page.locator('.operation').filter({ visible: true })

    it('is small: few elements, and few bytes', async () => {
      const sizes = new Map<string, number>()
      page.on('response', async (response) => {
        const { responseBodySize } = await response.request().sizes()
        sizes.set(new URL(response.url()).pathname, responseBodySize)
      })
      await page.goto(`${server.origin}/docs`)
      await page.locator('#listMaterials').waitFor()
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThanOrEqual(1500)
      await page.waitForLoadState('networkidle')
      expect(sizes.get('/docs')).toBeLessThanOrEqual(44_000)
      const own = [...sizes].filter(([path]) => /\/web\/(docs|samples)/.test(path))
      expect(own.length).toBeGreaterThan(0)
      expect(own.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(10_000)
      expect([...sizes.keys()].filter((path) => path.endsWith('openapi.json'))).toEqual([])
    })

    it('finds operations by words, and opens one by its address', async () => {
      await page.goto(`${server.origin}/docs`)
      await page.getByRole('searchbox').fill('revoke token')
      await expect.poll(() => operations().count()).toBe(1)
      expect(await page.getByRole('status').getByText('1 operation').count()).toBe(1)
      await page.getByRole('searchbox').fill('errors')
      await page.locator('section').getByRole('link', { name: 'Errors' }).first().waitFor()
      await page.getByRole('searchbox').fill('nothing like it')
      await page.getByText('No operation has these words.').waitFor()

      await page.goto(`${server.origin}/docs#getMethodHistory`)
      await page.locator('#getMethodHistory[open]').waitFor()
      const kinds = page.getByRole('navigation', { name: 'Kind of record' })
      expect(await kinds.locator('[aria-current]').textContent()).toBe('methods')
      expect(await page.locator('#getMaterialHistory').count()).toBe(0)
      await kinds.getByRole('link', { name: 'jobs' }).click()
      await page.locator('#getJobHistory').waitFor()
      expect(watched.faults).toEqual([])
    })

    it('finds what an address asks for, until another place of the page is named', async () => {
      await page.goto(`${server.origin}/docs?search=revoke+token`)
      await expect.poll(() => operations().count()).toBe(1)
      expect(await page.locator('.contents-of-docs').getByRole('link', { name: 'Schemas' }).isVisible()).toBe(false)
      await page.evaluate(`location.hash = 'schema-Material'`)
      await page.locator('#schema-Material').getByText('the atoms of the cell').waitFor()
      await expect.poll(() => operations().count()).toBeGreaterThan(50)
      expect(watched.faults).toEqual([])
    })

    it('leads from an operation to the schema that it names', async () => {
      await page.goto(`${server.origin}/docs#getMaterial`)
      await page.locator('#getMaterial').getByRole('link', { name: 'Material', exact: true }).click()
      await page.locator('#schema-Material[open]').getByText('the atoms of the cell').waitFor()
      const top = () => page.evaluate<number>('document.getElementById("schema-Material").getBoundingClientRect().top')
      await expect.poll(top).toBeLessThan(400)
    })

    it('is a document of its own, which the page comes to and goes from', async () => {
      await signIn()
      await page.getByRole('button', { name: 'ada' }).click()
      await page.getByRole('link', { name: 'API reference' }).click()
      await page.locator('#listMaterials > summary').click()
      await page.locator('#listMaterials').getByLabel('query', { exact: true }).fill('{"name":"typed"}')
      await page.getByRole('link', { name: 'Methods', exact: true }).click()
      await page.getByRole('heading', { name: 'Methods', level: 1 }).waitFor()
      await page.goBack()
      // What was opened and typed is there again.
      const field = page.locator('#listMaterials').getByLabel('query', { exact: true })
      await expect.poll(() => field.inputValue()).toBe('{"name":"typed"}')
      await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Errors' }).click()
      await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
      expect(await page.title()).toBe('Errors · Quarry')
      await page.getByRole('link', { name: 'Methods', exact: true }).click()
      await page.getByRole('heading', { name: 'Methods', level: 1 }).waitFor()
      expect(await page.title()).toBe('Methods · Quarry')
      await page.goBack()
      await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
      await page.goBack()
      await page.locator('#listMaterials').waitFor()
      await page.goForward()
      await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'ada' }).click()
      await page.getByRole('banner').getByRole('link', { name: 'API reference' }).click()
      await page.locator('#listMaterials').waitFor()
      expect(watched.faults).toEqual([])
    })

    it('takes an example that is clicked', async () => {
      await page.goto(`${server.origin}/docs#listMaterials`)
      const operation = page.locator('#listMaterials')
      await operation.getByRole('button', { name: 'query: take {"formula":"Si"}' }).click()
      expect(await operation.getByLabel('query', { exact: true }).inputValue()).toBe('{"formula":"Si"}')
      const sample = operation.getByRole('region', { name: 'listMaterials with curl' })
      await expect.poll(() => sample.textContent()).toContain('query={"formula":"Si"}')
    })

    it('sends a request with the session, and shows what came back and how programs ask the same', async () => {
      await signIn()
      await page.goto(`${server.origin}/docs#listMaterials`)
      const operation = page.locator('#listMaterials')
      await operation.getByLabel('query', { exact: true }).fill('{"name":"Silicon"}')
      await operation.getByRole('button', { name: 'Send GET' }).click()
      await operation.getByText('200 OK').waitFor()
      expect(await operation.getByRole('region', { name: 'Answer 200' }).textContent()).toContain('"name": "Silicon"')
      expect(await operation.locator('.headers').textContent()).toContain('etag')
      expect(await operation.getByRole('region', { name: 'listMaterials with curl' }).textContent()).toContain(
        '"Silicon"',
      )
      await operation.getByRole('button', { name: 'Python', exact: true }).click()
      const python = await operation.getByRole('region', { name: 'listMaterials with Python' }).textContent()
      expect(python).toContain('requests.get(')

      await operation.getByLabel('query', { exact: true }).fill('{"a":{"$gtt":1}}')
      await operation.getByRole('button', { name: 'Send GET' }).click()
      await operation.getByText('400 Bad Request').waitFor()
      expect(await operation.getByRole('region', { name: 'Answer 400' }).textContent()).toContain('40003')
    })

    it('sends what was typed in a body, and nothing before the address is whole', async () => {
      await signIn()
      await page.goto(`${server.origin}/docs#revokeToken`)
      const revoke = page.locator('#revokeToken')
      expect(await revoke.getByRole('button', { name: 'Send DELETE' }).isDisabled()).toBe(true)
      await revoke.getByText('Type id first').waitFor()
      await revoke.getByLabel('id').fill('none')
      await revoke.getByRole('button', { name: 'Send DELETE' }).click()
      await revoke.getByText('404 Not Found').waitFor()

      await page.goto(`${server.origin}/docs#createToken`)
      const create = page.locator('#createToken')
      await create.getByLabel('Body').fill('{"name":"from the reference"}')
      await create.getByRole('button', { name: 'Send POST' }).click()
      await create.getByText('201 Created').waitFor()
      const { body } = await server.call('GET', 'tokens')
      expect(body.data.map(({ name }: { name: string }) => name)).toContain('from the reference')
    })

    it('lets a guest try what needs no credential, and leads to the login for the rest', async () => {
      await page.goto(`${server.origin}/docs#showHealth`)
      await page.locator('#showHealth').getByRole('button', { name: 'Send GET' }).click()
      await page.locator('#showHealth .status').getByText('200 OK').waitFor()
      await page.goto(`${server.origin}/docs#listTokens`)
      await page.locator('#listTokens').getByRole('link', { name: 'Log in' }).click()
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
    })

    it('shows the guides, with tables, links between them and to their headings', async () => {
      await page.goto(`${server.origin}/docs/api#lists`)
      await page.getByRole('heading', { name: 'Lists', level: 2 }).waitFor()
      const top = () => page.evaluate<number>('document.getElementById("lists").getBoundingClientRect().top')
      await expect.poll(top).toBeLessThan(100)
      expect(await page.locator('.guide table').count()).toBeGreaterThan(3)
      await page.locator('.guide').getByRole('link', { name: 'query language', exact: true }).first().click()
      await page.getByRole('heading', { name: 'Query language', level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/docs/query-language')
      await page.goBack()
      await page.getByRole('heading', { name: 'The HTTP API', level: 1 }).waitFor()
      await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Errors' }).click()
      await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
      expect(await page.getByText('|', { exact: true }).count()).toBe(0)
      expect(watched.faults).toEqual([])
    })

    it('copies an example of a guide', async () => {
      await window.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(`${server.origin}/docs/errors`)
      const copy = page.getByRole('button', { name: 'Copy example 1' })
      // A click before the script has come does nothing.
      const click = async () => {
        await copy.click()
        return copy.textContent()
      }
      await expect.poll(click).toBe('Copied')
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      expect(copied).toBe(await page.getByRole('region', { name: 'Example 1' }).textContent())
      expect(copied).toContain('"code":40003')
    })

    it('can be read without a script', async () => {
      const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
      const read = await plain.newPage()
      await read.goto(`${server.origin}/docs/api`)
      await read.getByRole('heading', { name: 'Lists', level: 2 }).waitFor()
      await read.getByRole('link', { name: 'query language', exact: true }).first().click()
      await read.getByRole('heading', { name: 'Query language', level: 1 }).waitFor()
      await read.goto(`${server.origin}/docs`)
      await read.getByText('List the materials that match').first().waitFor()
      await plain.close()
    })
  },
)
