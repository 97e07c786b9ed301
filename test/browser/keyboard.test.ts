import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import { launchChromium, missingChromium, newWindow, type Watched, watchedPage } from './support/chromium.ts'
import { focusOf, tabUntil } from './support/focus.ts'

const missing = missingChromium()

/** More than one page of results. */
const MATERIALS = 60

/** What the page consists of, as a browser calls it. */
const FILES = new Set(['script', 'stylesheet', 'font', 'image'])

describe.skipIf(missing !== null)(`by key alone${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let watched: Watched
  let page: Page

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    const lines = Array.from({ length: MATERIALS }, (_, index) => {
      const name = `Crystal ${String(index).padStart(2, '0')}`
      return JSON.stringify(material(name, {}, 3.5 + index / 100))
    })
    // What is answered is a line for each record, and no envelope.
    await fetch(`${server.origin}/api/2018-10-01/materials/bulk`, {
      method: 'POST',
      headers: { ...server.credentials.ada, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    }).then((answer) => answer.text())
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, { theme: 'light', width: 1280 })
    watched = await watchedPage(window, server.origin)
    page = watched.page
    page.setDefaultTimeout(20_000)
  })
  afterEach(() => window.close())

  const focused = () => focusOf(page)
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const tabTo = (name: string | RegExp) => tabUntil(page, name)

  const shown = (heading: string | RegExp) => page.getByRole('heading', { name: heading }).first().waitFor()

  async function logIn(path = '/materials?limit=20'): Promise<void> {
    await page.goto(`${server.origin}${path}`)
    await page.getByLabel('User name or e-mail').focus()
    await page.keyboard.type('ada')
    await press('Tab')
    await page.keyboard.type(PASSWORD)
    await press('Enter')
    await shown('Materials')
    await page.getByText('Crystal 00').first().waitFor()
  }

  async function choose(command: string): Promise<void> {
    await press('Control+k')
    await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()
    await page.keyboard.type(command)
    await press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  it('finds a record among the commands, by what the search line understands', async () => {
    await logIn()
    await press('Control+k')
    await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()
    await page.keyboard.type('"crystal 07"')
    await page.getByRole('option', { name: /^Crystal 07.*Materials$/ }).waitFor()
    await press('Enter')
    await shown('Crystal 07')
  })

  it('one logs in, searches, reads, goes back, turns the page and logs out, and the focus is always somewhere', async () => {
    await logIn()
    expect(await focused()).not.toBe('BODY')

    await press('/')
    expect(await focused()).not.toBe('BODY')
    await choose('Account')
    await shown('Account')
    expect(await focused()).not.toBe('BODY')
    await page.goBack()
    await page.getByText('Crystal 00').first().waitFor()
    await expect.poll(focused).not.toBe('BODY')

    await tabTo('Crystal 05')
    await press('Enter')
    await shown('Crystal 05')
    expect(await focused()).not.toBe('BODY')
    await page.goBack()
    await page.getByText('Crystal 06').first().waitFor()
    await expect.poll(focused).toBe('Crystal 05')

    await tabTo(/^Next/)
    await press('Enter')
    await page.getByText('Crystal 25').first().waitFor()
    // Where the results begin, not in the middle of them.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2')

    await choose('Log out')
    await shown('Log in')
    await expect.poll(focused).not.toBe('BODY')
    expect(watched.faults).toEqual([])
  })

  it('commands take the focus and give it back', async () => {
    await logIn()
    await tabTo('Crystal 03')
    await press('Control+k')
    await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()
    await expect.poll(focused).toBe('What do you want to do?')
    await press('Tab', 'Tab', 'Tab', 'Tab')
    expect(
      await page.evaluate(
        'document.activeElement.closest("dialog") !== null || document.activeElement === document.body',
      ),
    ).toBe(true)
    await press('Escape')
    await expect.poll(focused).toBe('Crystal 03')

    await press('?')
    await shown('Keyboard shortcuts')
    await press('Escape')
    await expect.poll(focused).toBe('Crystal 03')
  })

  it('commands are found by their words, and do what they say', async () => {
    await logIn()
    await choose('theme dark')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await tabTo('Crystal 02')
    await press('Enter')
    await shown('Crystal 02')
    await choose('Methods')
    await shown('Methods')
    await choose('recent crystal 02')
    await shown('Crystal 02')
    expect(await focused()).not.toBe('BODY')
  })

  it('the place in a list is found again on the way back', async () => {
    await logIn()
    await page.getByRole('link', { name: 'Crystal 15' }).focus()
    await page.evaluate('scrollTo(0, 250)')
    const before = await page.evaluate<number>('scrollY')
    expect(before).toBeGreaterThan(100)
    await press('Enter')
    await shown('Crystal 15')
    await page.goBack()
    await page.getByText('Crystal 16').first().waitFor()
    await expect.poll(async () => Math.abs((await page.evaluate<number>('scrollY')) - before)).toBeLessThan(60)
  })

  it('a first visit and a reload ask for few files', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${server.origin}/`)
    await page.getByLabel('Password').waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(5)

    await page.close()
    watched = await watchedPage(window, server.origin)
    page = watched.page
    // A file that is still on its way when a page is left is not kept.
    const coming = new Set<Request>()
    page.on('request', (request) => FILES.has(request.resourceType()) && coming.add(request))
    page.on('requestfinished', (request) => coming.delete(request))
    page.on('requestfailed', (request) => coming.delete(request))
    await logIn()
    // The last files are those that draw the crystal beside the list.
    const drawnBy = 'document.querySelector("crystal-view")?.drawnBy ?? "nothing"'
    await expect.poll(() => page.evaluate<string>(drawnBy)).not.toBe('nothing')
    await expect.poll(() => coming.size).toBe(0)
    await page.reload()
    await page.getByText('Crystal 00').first().waitFor()
    // What the browser has kept comes without a byte.
    const sent = await page.evaluate<string[]>(`
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ transferSize }) => transferSize > 0)
        .map(({ name }) => name)`)
    // The page, who is signed in, the list, what there is to filter by; then the record that is shown, and all pictures.
    expect(sent.length, sent.join(' ')).toBeLessThanOrEqual(6)
  })
})
