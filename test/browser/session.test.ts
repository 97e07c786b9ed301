import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import { launchChromium, missingChromium, newWindow, WIDE } from './support/chromium.ts'

const missing = missingChromium()

describe.skipIf(missing !== null)(`a session in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let siliconId: string

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    const { body } = await server.call('POST', 'materials', { body: material('Silicon', {}, 3.867) })
    siliconId = body.data._id
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, WIDE)
  })
  afterEach(() => window.close())

  async function signedIn(name: string): Promise<Page> {
    const page = await window.newPage()
    await page.goto(`${server.origin}/`)
    await page.getByLabel('User name or e-mail').fill(name)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
    return page
  }

  it('asks three times for a list that is opened again: the page, the records, what there is to filter by; then for the record that is shown, and for all pictures', async () => {
    await signedIn('ada')
    const page = await window.newPage()
    const paths: string[] = []
    page.on('request', (request) => void paths.push(new URL(request.url()).pathname))
    await page.goto(`${server.origin}/materials`)
    await page.locator('.facet-value').first().waitFor()
    await page.getByRole('complementary', { name: 'Preview' }).getByRole('heading', { name: 'Silicon' }).waitFor()
    await expect.poll(() => paths.filter((path) => path.endsWith('/2018-10-01/materials')).length).toBe(2)
    const asked = paths.filter((path) => !path.startsWith('/web/') && !path.endsWith('/events'))
    const told = asked.map((path) => path.replace('/api/2018-10-01', ''))
    expect(told.slice(0, 3).sort()).toEqual(['/materials', '/materials', '/materials/facets'])
    expect(told.slice(3).sort()).toEqual(['/materials', `/materials/${siliconId}`])
  })

  it('ends in all tabs when it is ended in one, and is another one in all', async () => {
    const one = await signedIn('ada')
    const other = await window.newPage()
    await other.goto(`${server.origin}/account`)
    await other.getByRole('heading', { name: 'API tokens' }).waitFor()
    await other.evaluate(`fetch('/api/2018-10-01/session', { method: 'DELETE', headers: { 'x-quarry-page': '1' } })`)
    await other.reload()
    await other.getByRole('button', { name: 'Log in' }).waitFor()
    await one.getByRole('button', { name: 'Log in' }).waitFor()
    await signedIn('bob')
    await expect.poll(() => one.locator('header').textContent()).toContain('bob')
    await expect.poll(() => other.locator('header').textContent()).toContain('bob')
  })
})
