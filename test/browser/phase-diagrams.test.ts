import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Compounds, compound, GROUP } from '../http/support/compounds.ts'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
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

const missing = missingChromium()
const PBE_U = 'vasp:dft:gga:pbe+u'

/** Energies in eV of the whole composition. */
const ENERGIES: readonly (readonly [composition: Readonly<Record<string, number>>, energy: number, name: string])[] = [
  [{ Li: 1 }, -2, 'Lithium'],
  [{ Fe: 1 }, -8, 'Iron'],
  [{ O: 2 }, -10, 'Oxygen'],
  [{ P: 4 }, -22, 'Phosphorus'],
  [{ Fe: 2, O: 3 }, -39.5, 'Hematite'],
  [{ Fe: 2, O: 3 }, -39.3, 'Maghemite'],
  [{ Fe: 1, O: 1 }, -15.5, 'Wustite'],
  [{ Li: 2, O: 1 }, -15, 'Lithium oxide'],
  [{ Li: 1, Fe: 1, O: 2 }, -27.6, 'Lithium ferrite'],
  [{ Li: 3, P: 1, O: 4 }, -53, 'Lithium phosphate'],
  [{ Li: 1, Fe: 1, P: 1, O: 4 }, -53.5, 'Olivine'],
]

/** The refusal names the methods, of which one is chosen. */
const SEVERAL_METHODS = /^GET .*\/phase-diagram\?.* 400$/

describe.skipIf(missing !== null)(`phase diagrams${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let ids: ReadonlyMap<string, string>
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    const ada = new Compounds(server, 'ada')
    const made: [string, string][] = []
    for (const [composition, energy, name] of ENERGIES)
      made.push([name, await ada.add(composition, energy, {}, { name })])
    for (const [composition, energy] of ENERGIES.slice(0, 3)) await ada.add(composition, energy - 1, { group: PBE_U })
    await ada.create('materials', compound({ Fe: 3, O: 4 }, { name: 'Magnetite without energy' }))
    ids = new Map(made)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function open(path: string): Promise<void> {
    const { page } = watched
    await enter(window, server.origin)
    await page.goto(`${server.origin}${path}`)
  }

  const diagram = (elements: string, group = GROUP) =>
    `/phase-diagram?elements=${elements}&group=${encodeURIComponent(group)}`
  const drawing = () => watched.page.locator('svg.phase-drawing')
  const focusedLabel = () => watched.page.evaluate('document.activeElement?.getAttribute("aria-label")')

  describe('in a window', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
    })
    afterEach(() => window.close())

    it.each([
      ['Fe,O', 'group', 5, 'hull'],
      ['Fe,Li,O', 'group', 7, 'tie'],
      ['Fe,Li,O,P', 'application', 10, 'edge'],
    ] as const)(
      'of %s are drawn: each point is a link, the stable ones first',
      async (elements, role, points, part) => {
        await open(diagram(elements))
        const { page } = watched
        const shown = page.getByRole(role, { name: `Phase diagram of ${elements.split(',').join(', ')}: ` })
        await shown.waitFor()
        expect(await shown.locator(`.${part}`).count()).toBeGreaterThan(0)
        const links = await shown
          .getByRole('link')
          .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
        expect(links).toHaveLength(points)
        const stable = links.map((label) => label?.includes('; stable') === true)
        expect(stable.lastIndexOf(true)).toBe(stable.filter(Boolean).length - 1)
        expect(links.find((label) => label?.startsWith('FeO,'))).toBe(
          'FeO, Wustite; formation energy −1.250 eV/atom; 0.167 eV/atom above the hull; decomposes into 16.7 % Fe and 83.3 % Fe2O3',
        )
        await page
          .getByRole('region', { name: 'Materials of the diagram' })
          .getByText('Wustite')
          .first()
          .waitFor({ state: 'attached' })
        await expectSoundInAllLooks(watched)
      },
    )

    it('are gone through, and left for a material, by keys alone', async () => {
      await open(diagram('Fe,O'))
      const { page } = watched
      await drawing().waitFor()
      await page.getByRole('button', { name: 'Periodic table' }).focus()
      if ((await page.getByLabel('Method').count()) > 0) await page.keyboard.press('Tab')
      // What energies are, and which are stable.
      for (const _ of ['Energies', 'Stable up to']) await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the table')
      const labels: unknown[] = []
      for (let at = 0; at < 5; at++) {
        await page.keyboard.press('Tab')
        labels.push(await focusedLabel())
      }
      expect(labels.map((label) => String(label).split(/[,;]/)[0])).toEqual(['Fe', 'Fe2O3', 'O', 'FeO', 'Fe2O3'])
      const told = page.getByRole('region', { name: 'Where you point' })
      await told.getByText('0.040 eV/atom above the hull').waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Maghemite', level: 1 }).waitFor()
    })

    it('of four elements are turned by keys and by dragging, which follows no link', async () => {
      await open(diagram('Fe,Li,O,P'))
      const { page } = watched
      await drawing().waitFor()
      const corners = () =>
        drawing()
          .locator('.corner')
          .evaluateAll((all) => all.map((one) => one.getAttribute('x')))
      const first = await corners()
      await drawing().focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(corners).not.toEqual(first)
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Home')
      await expect.poll(corners).toEqual(first)
      await drawing().scrollIntoViewIfNeeded()
      const point = await drawing().getByRole('link', { name: 'Fe, Iron' }).boundingBox()
      if (point === null) throw new Error('The point is not shown.')
      const [x, y] = [point.x + point.width / 2, point.y + point.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 30, y + 5, { steps: 4 })
      await page.mouse.move(x + 80, y + 5, { steps: 4 })
      await page.mouse.up()
      await expect.poll(corners).not.toEqual(first)
      expect(new URL(page.url()).pathname).toBe('/phase-diagram')
    })

    it('have a table that is sorted, with products, energies and what is left out', async () => {
      await open(diagram('Fe,O'))
      const { page } = watched
      const table = page.getByRole('region', { name: 'Materials of the diagram' })
      await table.waitFor()
      const formulas = () => table.getByRole('rowheader').allInnerTexts()
      expect(await formulas()).toEqual(['Fe', 'Fe2O3', 'O', 'Fe2O3', 'FeO'])
      await table.getByRole('button', { name: 'Formation energy' }).click()
      await expect.poll(formulas).toEqual(['Fe2O3', 'Fe2O3', 'FeO', 'Fe', 'O'])
      await table.getByRole('button', { name: 'Formation energy' }).click()
      await expect.poll(async () => (await formulas()).at(-1)).toBe('Fe2O3')
      const sorted = table.locator('th[aria-sort]')
      expect([await sorted.count(), await sorted.getAttribute('aria-sort')]).toEqual([1, 'descending'])
      const row = table.getByRole('row').filter({ has: page.getByRole('link', { name: 'FeO', exact: true }) })
      expect(await row.locator('.phase-products').innerText()).toBe('16.7 % Fe + 83.3 % Fe2O3')
      await page.getByText('1 without a total energy').click()
      await page.getByRole('link', { name: 'Fe3O4' }).waitFor()
      await expectSoundInAllLooks(watched)
    })

    it('are saved as a drawing and as a table', async () => {
      await open(diagram('Fe,Li,O'))
      const { page } = watched
      await drawing().waitFor()
      const [picture] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as SVG' }).click(),
      ])
      expect(picture.suggestedFilename()).toBe('phase-diagram-Fe-Li-O.svg')
      const text = readFileSync(await picture.path(), 'utf8')
      expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/)
      expect(text).not.toContain('<a ')
      const [table] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as CSV' }).click(),
      ])
      expect(readFileSync(await table.path(), 'utf8').split('\n')).toHaveLength(9 + 1)
    })

    it('are of one method, which is chosen where there are several', async () => {
      watched.askedFor.push(SEVERAL_METHODS)
      await open('/phase-diagram?elements=Li,Fe,O')
      const { page } = watched
      await page.getByText('Energies of different methods are not compared with each other').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      await expectSoundInAllLooks(watched)
      await page.getByRole('link', { name: 'PBE (GGA), DFT with VASP' }).click()
      await page.getByRole('heading', { name: '6 stable of 8 materials' }).waitFor()
      await page.getByLabel('Method').selectOption(PBE_U)
      await page.getByRole('heading', { name: '3 stable of 3 materials' }).waitFor()
      expect(new URL(page.url()).searchParams.get('group')).toBe(PBE_U)
    })

    it('call stable what is near enough, by what is asked for', async () => {
      const { page } = watched
      watched.askedFor.push(/^GET .*\/phase-diagram\?.* 422$/)
      await open(diagram('Fe,O'))
      await page.getByRole('spinbutton', { name: 'Stable up to, eV/atom' }).fill('9')
      await page.keyboard.press('Tab')
      await page.waitForURL(/tolerance=9/)
      await page.getByRole('cell', { name: 'called stable' }).first().waitFor()
      await page.getByRole('combobox', { name: 'Energies' }).selectOption('mp2020')
      await page.waitForURL(/tolerance=9&correction=mp2020/)
      await page.getByText('cannot be corrected').first().waitFor()
    })

    it('say which reference is missing, and lead to what there is', async () => {
      watched.askedFor.push(/^GET .*\/phase-diagram\?.* 422$/)
      await open(diagram('Fe,O,Xe'))
      const { page } = watched
      await page.getByText(`there is none of Xe in ${GROUP}`).waitFor()
      await page.getByRole('link', { name: 'materials of Xe' }).waitFor()
      await expectSoundInAllLooks(watched)
      await page.getByRole('link', { name: 'Phase diagram of Fe–O' }).click()
      await page.getByRole('heading', { name: 'Phase diagram of Fe–O', level: 1 }).waitFor()
    })

    it('are chosen by typing, from the periodic table and among systems with energies', async () => {
      watched.askedFor.push(SEVERAL_METHODS)
      await open('/phase-diagram')
      const { page } = watched
      await page.getByRole('link', { name: 'Li-O-P', exact: true }).waitFor()
      await expectSoundInAllLooks(watched)
      await page.getByRole('textbox', { name: 'Elements' }).fill('LiPO')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Phase diagram of Li–P–O', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Periodic table' }).click()
      await page.getByRole('button', { name: /^P, / }).click()
      await expectSoundInAllLooks(watched)
      await page.getByRole('button', { name: 'Phase diagram of Li, O' }).click()
      await page.getByRole('heading', { name: 'Phase diagram of Li–O', level: 1 }).waitFor()
    })

    it('are linked from a material, from its energies and from the list', async () => {
      await open(`/materials/${ids.get('Hematite')}`)
      const { page } = watched
      await page.getByRole('article', { name: 'Total energy' }).getByRole('link', { name: 'Phase diagram' }).click()
      await page.getByRole('heading', { name: '3 stable of 5 materials' }).waitFor()
      await page.goBack()
      await page.getByRole('link', { name: 'Phase diagram', exact: true }).first().click()
      await page.getByRole('heading', { name: '3 stable of 5 materials' }).waitFor()
      await page.goto(`${server.origin}/materials?query={"chemicalSystem":"Fe-Li-O"}`)
      await page.getByRole('link', { name: 'Phase diagram of Fe–Li–O' }).waitFor()
      await expectSoundInAllLooks(watched)
    })
  })
})
