import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plainKind } from '../../src/records/plain-kind.ts'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import {
  enter,
  expectSoundInAllLooks,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  WIDE,
  watchedPage,
} from './support/chromium.ts'
import { tabUntil } from './support/focus.ts'

const missing = missingChromium()

const PATTERNS = plainKind({
  name: 'xrd-pattern',
  collection: 'xrd-patterns',
  schema: {
    title: 'XRD pattern',
    type: 'object',
    required: ['wavelength'],
    properties: {
      wavelength: { type: 'number', exclusiveMinimum: 0, unit: 'Å', description: 'of the radiation' },
      sample: { type: 'string', references: 'materials' },
      radiation: { enum: ['Cu Kα', 'Mo Kα'] },
      measuredOn: { type: 'string', format: 'date' },
      isPowder: { type: 'boolean' },
      peaks: {
        type: 'array',
        items: {
          title: 'Peak',
          type: 'object',
          required: ['angle'],
          properties: { angle: { type: 'number', title: '2θ', unit: '°' }, intensity: { type: 'number' } },
        },
      },
    },
  },
})

describe.skipIf(missing !== null)(`a kind of one's own${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let materialId: string
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer({ operatorKinds: [PATTERNS] }), launchChromium()])
    materialId = (await server.call('POST', 'materials', { body: material('Silicon') })).body.data._id
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  describe('in a window', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
      await enter(window, server.origin)
    })
    afterEach(() => window.close())

    it('is found in the menu, and made by its form, which says what is wrong at its field', async () => {
      const { page } = watched
      watched.askedFor.push(/^POST .*\/xrd-patterns 422$/)
      await page.goto(`${server.origin}/materials`)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('link', { name: 'XRD patterns' }).click()
      await page.getByRole('heading', { name: 'XRD patterns', level: 1 }).waitFor()
      await page.getByRole('heading', { name: 'There is no XRD pattern yet that is yours or public.' }).waitFor()
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByLabel('Name', { exact: true }).fill('Si powder')
      const sample = page.getByRole('combobox', { name: 'Sample' })
      await sample.fill(materialId)
      await page.getByRole('option', { name: 'Silicon' }).waitFor()
      await sample.fill('silic')
      // Pressed while it is looked for, too.
      await sample.press('Enter')
      await expect.poll(() => sample.inputValue()).toBe('Silicon')
      await page.getByRole('link', { name: 'Si', exact: true }).waitFor()
      await page.getByLabel('Wavelength Å (required)').fill('about 1.5')
      await page.getByLabel('Radiation').selectOption('Cu Kα')
      await page.getByRole('button', { name: 'Add peak' }).click()
      await page.getByRole('button', { name: 'Add peak' }).click()
      await page.getByRole('group', { name: 'Peak 2' }).getByLabel('2θ °').fill('47.3')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('should be a number, not "about 1.5"').waitFor()
      await page.getByText('is missing: give a number').waitFor()
      expect(await page.evaluate('document.activeElement.ariaInvalid')).toBe('true')
      await expectSoundInAllLooks(watched)
      await page.getByLabel('Wavelength Å (required)').fill('1.5406')
      await page.getByRole('button', { name: 'Take Peak 1 away' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('heading', { name: 'Si powder' }).waitFor()
      const id = page.url().split('/').at(-1) ?? ''
      expect((await server.call('GET', `xrd-patterns/${id}`)).body.data).toMatchObject({
        wavelength: 1.5406,
        sample: materialId,
        radiation: 'Cu Kα',
        peaks: [{ angle: 47.3 }],
      })
      await page.getByRole('link', { name: 'Si', exact: true }).click()
      await page.getByRole('heading', { name: 'Silicon' }).waitFor()
      expect(page.url()).toContain(`/materials/${materialId}`)
      await server.call('DELETE', `xrd-patterns/${id}`)
    })

    it('has a list, pages and an editor that lose nothing, by key', async () => {
      const { page } = watched
      const body = { name: 'Ge powder', wavelength: 0.7093, isPowder: true, dose: 3, lamp: { mA: [40] }, tags: ['a'] }
      const { _id } = (await server.call('POST', 'xrd-patterns', { body })).body.data
      await page.goto(`${server.origin}/xrd-patterns`)
      await page.getByRole('columnheader', { name: 'Wavelength' }).waitFor()
      await page.getByRole('heading', { name: '1 XRD pattern' }).waitFor()
      await expectSoundInAllLooks(watched)
      await tabUntil(page, 'Ge powder')
      await page.keyboard.press('Enter')
      await page.getByText('0.7093').first().waitFor()
      await page.getByText('Versions').click()
      await page.getByText('There is one version; nothing has changed.').waitFor()
      await expectSoundInAllLooks(watched)
      await tabUntil(page, 'Edit')
      await page.keyboard.press('Enter')
      await page.getByLabel('Dose').fill('')
      const others = await page.getByLabel('All other fields').inputValue()
      expect(JSON.parse(others)).toEqual({ lamp: { mA: [40] } })
      // It becomes an editor, which keeps Tab to itself until Escape.
      await tabUntil(page, 'All other fields')
      await page.locator('.cm-content').waitFor()
      await page.getByText('Escape, then Tab leads out.').waitFor()
      await page.keyboard.press('Escape')
      await tabUntil(page, 'Save')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Ge powder' }).waitFor()
      const { data } = (await server.call('GET', `xrd-patterns/${_id}`)).body
      const { dose, ...kept } = body
      expect(data).toMatchObject(kept)
      expect(data.dose).toBeUndefined()
      await server.call('DELETE', `xrd-patterns/${_id}`)
    })

    it('that is not there has a page that says so', async () => {
      const { page } = watched
      watched.askedFor.push(/^GET \/nope 404$/)
      await page.goto(`${server.origin}/nope`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      await expectSoundInAllLooks(watched)
    })

    it('of which a record comes of a file is made where files are taken', async () => {
      const { page } = watched
      await page.goto(`${server.origin}/materials/new`)
      await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
      expect(page.url()).toBe(`${server.origin}/import`)
      await expectSoundInAllLooks(watched)
    })
  })
})
