import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import {
  enter,
  expectSound,
  expectSoundInAllLooks,
  launchChromium,
  missingChromium,
  newWindow,
  WIDE,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()

describe.skipIf(missing !== null)(`looking at lists${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let page: Page
  let faults: readonly string[]
  const ids = new Map<string, string>()

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    const many = ['semiconductor', 'measured', 'reviewed', 'to be computed again', 'of the first run']
    for (const [name, a, tags] of [
      ['Anthracite', 3.867, ['cubic']],
      ['Basalt', 4.2, many],
      ['Aluminate', 3.6, []],
    ] as const) {
      const { body } = await server.call('POST', 'materials', { body: material(name, { tags }, a) })
      ids.set(name, body.data._id)
    }
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, WIDE)
    ;({ page, faults } = await watchedPage(window, server.origin))
    await enter(window, server.origin)
  })
  afterEach(async () => {
    await window.close()
    expect(faults).toEqual([])
  })

  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  const preview = (name: string) => page.getByRole('complementary', { name: 'Preview' }).getByRole('heading', { name })
  /** Whether there is anything in each picture of a row. */
  const drawn = () =>
    page.locator('.thumbnail canvas').evaluateAll((all) =>
      all.map((canvas) => {
        const empty = canvas.cloneNode() as HTMLCanvasElement
        return (canvas as HTMLCanvasElement).toDataURL() !== empty.toDataURL()
      }),
    )
  const nameAt = (path: string) => [...ids].find(([, id]) => path.endsWith(`/materials/${id}`))?.[0]

  it('a row on which the mouse rests is shown, one that it passes is not asked for', async () => {
    await page.clock.install()
    await page.goto(`${server.origin}/materials?sort=name`)
    await preview('Aluminate').waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      const name = nameAt(new URL(request.url()).pathname)
      if (name !== undefined) asked.push(name)
    })
    await page.clock.pauseAt(Date.now() + 3_600_000)
    await row('Basalt').hover()
    await page.clock.runFor(149)
    await row('Anthracite').hover()
    await page.clock.runFor(149)
    expect(asked).toEqual([])
    await page.clock.resume()
    await preview('Anthracite').waitFor()
    expect(asked).toEqual(['Anthracite'])
    await page.mouse.move(720, 10)
    await page.keyboard.press('j')
    await preview('Aluminate').waitFor()
  })

  it('crystals are drawn in the rows after one request, and again after none', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      const query = new URL(request.url()).searchParams.get('query') ?? ''
      if (query.includes('_id')) asked.push(query)
    })
    await page.goto(`${server.origin}/materials`)
    await expect.poll(drawn).toEqual([true, true, true])
    await page.getByRole('link', { name: 'Methods' }).click()
    await page.getByRole('heading', { name: 'Methods', level: 1 }).waitFor()
    expect(await page.locator('.thumbnail').count()).toBe(0)
    await page.getByRole('link', { name: 'Materials', exact: true }).click()
    await expect.poll(drawn).toEqual([true, true, true])
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(drawn).toEqual([true, true, true])
    expect(asked).toHaveLength(1)
  })

  it('chosen materials are compared side by side, and their crystals laid on each other', async () => {
    await page.goto(`${server.origin}/materials?sort=name`)
    for (const name of ['Aluminate', 'Basalt']) await page.getByRole('checkbox', { name }).check()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('heading', { name: 'Compare materials' }).waitFor()
    const table = page.getByRole('region', { name: 'Materials side by side' })
    await table.getByRole('row', { name: /^Volume Å³ .*differs/ }).waitFor()
    await page.getByRole('application', { name: /Powder patterns/ }).waitFor()
    const [first, second] = await page.getByRole('application').all()
    const turns = () =>
      page.evaluate(`[...document.querySelectorAll('crystal-view')].map((one) => one.rotation.join())`)
    await expect.poll(async () => new Set((await turns()) as string[]).size).toBe(1)
    const before = await turns()
    await second?.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(turns).not.toEqual(before)
    expect(new Set((await turns()) as string[]).size).toBe(1)
    await first?.waitFor()
    await page.getByLabel('Only what differs').check()
    expect(await table.getByRole('row', { name: /^Sites/ }).count()).toBe(0)
    await expectSoundInAllLooks({ page, faults })
    // Their crystals in one picture, all by the keyboard.
    await page.getByRole('radio', { name: 'Side by side' }).focus()
    await page.keyboard.press('ArrowRight')
    const picture = page.getByRole('application', {
      name: /^2 of 2 structures laid on each other, each in its own cell/,
    })
    await picture.waitFor()
    expect(page.url()).toContain('crystals=overlaid')
    await picture.press('ArrowRight')
    const turned = 'document.querySelector("crystal-view").rotation.join()'
    const rotation = await page.evaluate(turned)
    await page.getByRole('checkbox', { name: '1. Aluminate' }).press(' ')
    await page.getByRole('application', { name: /^1 of 2 structures .* 2, Basalt: / }).waitFor()
    await page.getByLabel('Of the first').check()
    await page.getByRole('application', { name: /^1 of 2 structures laid on each other, all in the cell/ }).waitFor()
    expect(await page.evaluate(turned)).toBe(rotation)
    await page.getByRole('button', { name: 'Picture', exact: true }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'SVG', exact: true }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('overlaid.svg')
    await page.reload()
    await page.getByRole('application', { name: /^2 of 2 structures/ }).waitFor()
    await expectSoundInAllLooks({ page, faults })
  })

  it('who has no record is shown three steps, until there is one or they are hidden', async () => {
    const stepsOn = (where: Page) => where.getByRole('region', { name: 'First steps' })
    await page.goto(`${server.origin}/materials`)
    await row('Basalt').waitFor()
    await page.locator('.facet-value').first().waitFor()
    expect(await stepsOn(page).count()).toBe(0)

    const { _id } = (await server.call('POST', 'materials', { body: material('Common', { isPublic: true }, 5) })).body
      .data
    const other = await newWindow(browser, WIDE)
    await enter(other, server.origin, 'bob')
    const bobs = await watchedPage(other, server.origin)
    const steps = stepsOn(bobs.page)
    await bobs.page.goto(`${server.origin}/materials`)
    await steps.getByRole('link', { name: 'Import' }).waitFor()
    await expectSoundInAllLooks(bobs)
    await steps.getByRole('button', { name: 'volume < 50' }).click()
    await bobs.page.getByRole('button', { name: 'Change: Volume < 50 Å³' }).waitFor()
    expect(await steps.count()).toBe(0)
    await bobs.page.goBack()
    await steps.getByRole('button', { name: 'Hide' }).click()
    await bobs.page.reload()
    await bobs.page.locator('.facet-value').first().waitFor()
    expect(await steps.count()).toBe(0)
    expect(bobs.faults).toEqual([])
    await other.close()
    await server.call('DELETE', `materials/${_id}`)
  })

  it('tags stand whole, and say how many more there are', async () => {
    await page.goto(`${server.origin}/materials`)
    const tags = row('Basalt').locator('.tag-line')
    await expect.poll(() => tags.locator('.tag-more').textContent()).toBe('+4')
    expect(await tags.locator('.tag-text').allTextContents()).toEqual(['semiconductor'])
    await expectSound({ page, faults })
  })
})
