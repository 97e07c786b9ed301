import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
import {
  enter,
  expectSound,
  LOOKS,
  type Look,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  WIDE,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()
const RUTILE = JSON.parse(readFileSync(new URL('../../samples/materials/tio2-rutile.json', import.meta.url), 'utf8'))

describe.skipIf(missing !== null)(`building in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let id: string
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer({ symmetry: true }), launchChromium()])
    const { body } = await server.call('POST', 'materials', { body: { ...RUTILE, name: 'Rutile as given' } })
    id = body.data._id
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  afterEach(() => window.close())

  async function open(look: Look): Promise<void> {
    window = await newWindow(browser, look)
    watched = await watchedPage(window, server.origin)
    const { page } = watched
    await enter(window, server.origin)
    await page.goto(`${server.origin}/materials/${id}?section=build`)
    await page.getByRole('heading', { name: 'Build' }).waitFor()
  }

  it.each(LOOKS)('is sound in $theme, $width pixels wide', async (look) => {
    await open(look)
    const { page } = watched
    await page.getByLabel('What to build').selectOption('Slab')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('1. Standard cell').waitFor()
    await page.getByLabel('Miller indices').fill('1 1 0')
    await page.getByRole('button', { name: 'Build', exact: true }).click()
    await page.getByRole('region', { name: 'Crystal after' }).waitFor()
    await page.getByText(/The slab is .* Å thick, with 15 Å of vacuum/).waitFor()
    await expectSound(watched)
  })

  describe('with the keyboard alone', () => {
    beforeEach(() => open(WIDE))

    const focused = () =>
      watched.page.evaluate('document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent')

    it('adds steps and takes them away, and the focus is never lost', async () => {
      const { page } = watched
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByLabel('One more step').selectOption('Vacancies')
      await page.getByRole('button', { name: 'Add' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('2. Vacancies').waitFor()
      await expect.poll(focused).toBe('Sites')
      await page.getByRole('button', { name: 'Take away step 2. Vacancies' }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(focused).toBe('One more step')
      await page.getByRole('button', { name: 'Take away step 1. Supercell' }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(focused).toBe('What to build')
      expect(await page.getByRole('button', { name: 'Build', exact: true }).count()).toBe(0)
    })

    it('builds, chooses a termination, and makes a material that says what it was made from', async () => {
      const { page } = watched
      await page.getByLabel('What to build').selectOption('Slab')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByRole('button', { name: 'Take away step 1. Standard cell' }).click()
      await page.getByLabel('Miller indices').fill('1 1 0')
      await page.keyboard.press('Enter')
      const after = page.getByRole('region', { name: 'Crystal after' })
      await after.waitFor()
      const terminations = page.getByRole('group', { name: 'Termination' })
      expect((await terminations.innerText()).split('\n').map((line) => line.trim())).toEqual([
        'Termination',
        'TiO below, O above',
        'O below, O above',
      ])
      const slab = page.getByText(/^The slab is/)
      const before = await slab.innerText()
      await terminations.getByRole('radio').nth(1).focus()
      await page.keyboard.press('Space')
      await expect.poll(() => slab.innerText()).not.toBe(before)
      expect(await page.locator('.before-after dl').nth(1).innerText()).toMatch(/Sites\s+24/)
      await page.getByRole('button', { name: 'Make a material of what was built' }).click()
      await page.getByRole('heading', { name: 'Rutile as given (slab (1 1 0))' }).waitFor()
      const made = new URL(page.url()).pathname.split('/').at(-1)
      const { body } = await server.call('GET', `materials/${made}/provenance`)
      expect(body.data.links).toMatchObject([{ from: `materials/${made}`, to: `materials/${id}`, how: 'slab' }])
      expect(watched.faults).toEqual([])
    })

    it('says what a structure does not allow, with sites counted as the table of sites has them', async () => {
      const { page } = watched
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByLabel('One more step').selectOption('Vacancies')
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByLabel('Sites', { exact: true }).fill('1, 49')
      await page.keyboard.press('Enter')
      await page.getByText('Step 2: There is no site 49; the sites are 1 to 48.').waitFor()
      await page.getByLabel('Sites', { exact: true }).fill('1, 48')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('.before-after dl').nth(1).innerText()).toMatch(/Sites\s+46/)
      expect(await page.getByRole('alert').count()).toBe(0)
    })
  })
})
