import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { carryOnOnce, carryOutAll, MANY, storeMany } from '../http/support/many.ts'
import {
  expectSound,
  expectSoundInAllLooks,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  WIDE,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()
const WORDS = MANY.toLocaleString('en')

describe.skipIf(missing !== null)(`a change of many (skipped: ${missing})`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let watched: Watched
  let page: Page

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, WIDE)
    watched = await watchedPage(window, server.origin)
    page = watched.page
    await page.goto(`${server.origin}/`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
  })
  afterEach(async () => {
    expect(watched.faults).toEqual([])
    await carryOutAll(server)
    await window.close()
  })

  const count = async (query: object): Promise<number> =>
    (await server.call('POST', 'methods/count', { body: { query } })).body.data.count
  const bar = () => page.getByRole('region', { name: 'What is done in the background' })
  const focused = () => page.evaluate<string>('document.activeElement.tagName')

  /** Tags all methods that have a tag. */
  async function tagAll(tag: string, added: string): Promise<void> {
    await storeMany(server, tag)
    await page.goto(`${server.origin}/methods?query={"tags":"${tag}"}`)
    await page.getByLabel('Choose all that are shown').check()
    await page.getByLabel(`all ${WORDS} that match`).check()
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByLabel('Add tags').fill(added)
    await page.getByText(`${WORDS} methods will change.`).waitFor()
    await page.getByText('They are many: it goes on in the background').waitFor()
    await page.getByRole('button', { name: `Tag: ${WORDS} methods` }).click()
    await bar().getByText(`Changing ${WORDS} methods: waiting`).waitFor()
  }

  it('is shown with its progress in every tab, at its end, and undone in one', async () => {
    await tagAll('batch', 'checked')
    await expect.poll(focused).not.toBe('BODY')
    // What a list asks when it has something to tell of others.
    const counts: string[] = []
    page.on('request', (request) => void (request.url().includes('/methods/count') && counts.push(request.url())))
    await carryOnOnce(server)
    await bar().getByText('500 done').waitFor()
    await page.reload()
    await bar().getByText('500 done').waitFor()
    await expectSoundInAllLooks(watched)
    await carryOutAll(server)
    await bar().getByText(`${WORDS} methods changed.`).waitFor()
    expect(await count({ tags: 'checked' })).toBe(MANY)
    expect(counts).toEqual([])
    await bar().getByRole('button', { name: 'Undo' }).press('Enter')
    await bar().getByText(`Putting back ${WORDS} methods`).waitFor()
    await expect.poll(focused).not.toBe('BODY')
    await carryOutAll(server)
    await bar().getByText(`${WORDS} methods put back.`).waitFor()
    expect(await count({ tags: 'checked' })).toBe(0)
    await bar().getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => bar().count()).toBe(0)
    await expect.poll(focused).not.toBe('BODY')
  })

  it('is cancelled, names what was refused, and what it has done is undone where changes are listed', async () => {
    await tagAll('halved', 'half')
    const [first] = (
      await server.call('POST', 'methods/search', {
        body: { query: { tags: 'halved' }, projection: { limit: 1, sort: { index: 1 } } },
      })
    ).body.data
    await server.call('DELETE', `methods/${first._id}`)
    await carryOnOnce(server)
    await bar().getByText('500 done').waitFor()
    await bar().getByRole('button', { name: 'Cancel' }).click()
    await carryOutAll(server)
    await bar().getByText(`Cancelled after 500 of ${WORDS}: 499 methods changed, 1 refused.`).waitFor()
    await bar().getByText('Which were refused').click()
    await bar().getByText(`${first._id}: It is gone.`).waitFor()
    await expectSound(watched)
    await page.goto(`${server.origin}/removed`)
    const row = page.getByRole('row', { name: 'methods: 499 records changed, 1 refused' })
    await row.getByRole('button', { name: 'Undo' }).click()
    await bar().getByText('Putting back 499 methods').waitFor()
    await carryOutAll(server)
    await bar().getByText('499 methods put back.').waitFor()
    expect(await count({ tags: 'half' })).toBe(0)
  })
})
