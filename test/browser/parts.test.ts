import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectSound,
  LOOKS,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  WIDE,
} from './support/chromium.ts'
import { buildHarness, HARNESS, type Harness, openHarness } from './support/harness.ts'

const missing = missingChromium()

describe.skipIf(missing !== null)(`parts of pages${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let browser: Browser
  let files: Harness
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[browser, files] = await Promise.all([launchChromium(), buildHarness('parts')])
  })
  afterAll(() => browser.close())
  afterEach(() => window.close())

  /** What has the focus, also within a shadow root. */
  const focused = () =>
    watched.page.evaluate<string>(`(() => {
      const inner = document.activeElement.shadowRoot?.activeElement ?? document.activeElement
      return inner.getAttribute('aria-label') ?? inner.textContent ?? inner.tagName
    })()`)

  const queryEditor = () => watched.page.getByRole('textbox', { name: 'Query' })
  const typed = () => watched.page.locator('output').textContent()

  /** Puts the cursor before the last brace of the query, in the editor. */
  async function beginToWrite(): Promise<void> {
    await queryEditor().focus()
    await watched.page.locator('.cm-content').first().waitFor()
    await watched.page.keyboard.press('Control+End')
    await watched.page.keyboard.press('ArrowLeft')
  }

  describe.each(LOOKS)('$theme, $width pixels wide,', (look) => {
    it('are sound: as they come, and with all of them in use', async () => {
      window = await newWindow(browser, look)
      watched = await openHarness(window, files)
      const { page } = watched
      await expectSound(watched)
      await beginToWrite()
      await page.keyboard.press('Control+Enter')
      await page.locator('.cm-lintRange-error').waitFor()
      await page.getByLabel('Find in this value').fill('coordinates')
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowRight')
      await page.getByRole('treeitem', { name: /^0 … 99/ }).waitFor()
      await page.getByRole('textbox', { name: 'Lattice' }).focus()
      await page.locator('.cm-foldGutter').waitFor()
      await beginToWrite()
      await page.keyboard.type(', "')
      await page.locator('.cm-tooltip-autocomplete').waitFor()
      await expectSound(watched)
    })
  })

  describe('the editor', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await openHarness(window, files)
    })

    it('takes the place of the plain field when that is written in, where the cursor was', async () => {
      const { page } = watched
      expect(await page.locator('.cm-content').count()).toBe(0)
      await queryEditor().click()
      await page.locator('.cm-content').waitFor()
      expect(await focused()).toBe('Query')
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('  ')
      await expect.poll(typed).toBe("  {formla: 'Si', 'lattice.a': {$gtt: 4}}")
    })

    it('keeps every letter of somebody who types fast, and takes another text from outside', async () => {
      const { page } = watched
      await beginToWrite()
      await page.keyboard.type(', abcdefghijklmnopqrstuvwxyz: 1')
      await expect.poll(typed).toBe("{formla: 'Si', 'lattice.a': {$gtt: 4}, abcdefghijklmnopqrstuvwxyz: 1}")
      await page.getByRole('button', { name: 'Clear' }).click()
      await expect.poll(() => page.locator('.cm-content').first().textContent()).toBe('{}')
    })

    it('proposes what fits at the cursor, and writes it in full', async () => {
      const { page } = watched
      await beginToWrite()
      await page.keyboard.type(', "latt')
      await page.getByRole('option', { name: /^lattice\.type/ }).click()
      await page.keyboard.type('{"$n')
      await page.getByRole('option', { name: /^\$ne/ }).click()
      await page.keyboard.type('"CUB')
      await expect.poll(typed).toBe(`{formla: 'Si', 'lattice.a': {$gtt: 4}, "lattice.type": {"$ne": "CUB"}}`)
    })

    it('marks what the server refused and warned of, until the text is another one', async () => {
      const { page } = watched
      await beginToWrite()
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => page.locator('.cm-lintRange-error').allTextContents()).toEqual(['$gtt'])
      expect(await page.locator('.cm-lintRange-warning').allTextContents()).toEqual(['formla'])
      await page.keyboard.type(', x')
      await expect.poll(() => page.locator('.cm-lintRange-error').allTextContents()).toEqual(['x'])
      await page.keyboard.type(': 1')
      await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(0)
    })

    it('is left by Tab, from a record after Escape', async () => {
      const { page } = watched
      await beginToWrite()
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Clear')
      await page.keyboard.press('Tab')
      await page.locator('.cm-foldGutter').waitFor()
      expect(await focused()).toBe('Lattice')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Lattice')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Find in this value')
    })
  })

  describe('the tree', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      await window.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: HARNESS })
      watched = await openHarness(window, files)
    })

    const rows = () => watched.page.getByRole('treeitem')
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await watched.page.keyboard.press(key)
    }

    it('is walked, opened and closed by key, as one stop of the Tab key', async () => {
      const { page } = watched
      await rows().first().focus()
      await press('End', 'ArrowRight', 'ArrowRight')
      expect(await focused()).toMatch(/^▸elements: /)
      await press('ArrowLeft', 'ArrowLeft', 'l', 'Enter')
      await expect.poll(() => rows().count()).toBe(8)
      await press('ArrowDown')
      expect(await focused()).toBe('a: 3.9051')
      expect(await page.locator('.json-chosen code').textContent()).toBe('lattice.a')
      expect(await page.locator('[role=treeitem][tabindex="0"]').count()).toBe(1)
      await press('Tab')
      expect(await focused()).toBe('Copy path')
      await press('Shift+Tab')
      expect(await focused()).toBe('a: 3.9051')
    })

    it('finds what is deep in a long array, and has few elements for many atoms', async () => {
      const { page } = watched
      await page.getByLabel('Find in this value').fill('0.9995')
      await press('Enter')
      await expect.poll(focused).toBe('0: 0.9995')
      expect(await page.locator('.json-chosen code').textContent()).toBe('basis.coordinates.1999.value.0')
      expect(await page.locator('.json-tree *').count()).toBeLessThan(1200)
    })

    it('gives paths and values away', async () => {
      const { page } = watched
      await rows().nth(3).focus()
      const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
      await page.getByRole('button', { name: 'Copy path' }).click()
      await expect.poll(clipboard).toBe('lattice')
      await page.getByRole('button', { name: 'Copy value' }).click()
      await expect.poll(async () => JSON.parse(await clipboard())).toEqual({ a: 3.9051, type: 'CUB' })
      await rows().first().focus()
      await press('Control+c')
      await expect.poll(clipboard).toBe('"Strontium titanate"')
    })
  })
})
