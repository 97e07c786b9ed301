import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import { launchChromium, missingChromium, newWindow, WIDE, watchedPage } from './support/chromium.ts'

const missing = missingChromium()

describe.skipIf(missing !== null)(`the page in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    await server.call('POST', 'materials', { body: material('Silicon', {}, 3.867) })
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it('lets a user in, lists materials, finds one, shows its crystal and its reference, and nothing fails', async () => {
    const window = await newWindow(browser, WIDE)
    const { page, faults } = await watchedPage(window, server.origin)
    await page.goto(`${server.origin}/`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Silicon' }).first().click()
    await page.getByRole('heading', { name: 'Silicon', level: 1 }).waitFor()
    await page.locator('canvas').first().waitFor()
    await page.goto(`${server.origin}/docs`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(faults).toEqual([])
    await window.close()
  })
})
