import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eigenvalues, firstStep, lastStep, STATES, vasprunText } from '../calculations/vasprun-text.ts'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { carryOnOnce, carryOutAll } from '../http/support/many.ts'
import {
  expectSound,
  type Look,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  watchedPage,
} from './support/chromium.ts'
import { focusOf, tabUntil } from './support/focus.ts'
import { type LocalFolder, makeFolder } from './support/runs-folder.ts'

const missing = missingChromium()
const LOOKS: readonly Look[] = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
]

const PBESOL = '<i type="string" name="GGA"> PS</i><i name="ENCUT"> 520.0</i>'
/** The states of the sample, with those that are empty so much higher: another functional opens the gap. */
const opened = (by: number) =>
  eigenvalues(
    STATES.map((points) =>
      points.map((rows) => rows.map((row) => (row.endsWith(' 0.0') ? `${Number.parseFloat(row) + by} 0.0` : row))),
    ),
  )
/** Another crystal: it relaxes to a larger cell. */
const larger = (text: string) => text.replaceAll('4.1 0.0 0.0', '4.6 0.0 0.0')

/** The elements of the sample by themselves, higher in energy than in the compound. */
const [MAGNESIUM, XENON] = [
  ['Mg', 'PAW_PBE Mg 13Apr2007'],
  ['X ', 'PAW_PBE Xe 07Sep2000'],
] as const
type Element = typeof MAGNESIUM | typeof XENON
const element = ([symbol, potential]: Element, [other, another]: Element) =>
  vasprunText({ incar: PBESOL, steps: firstStep + lastStep(opened(4)) })
    .replaceAll(`<c>${other}</c>`, `<c>${symbol}</c>`)
    .replaceAll(another, potential)
    .replaceAll('-10.45', '-9.45')

const RUNS = {
  'elements/Mg/vasprun.xml': element(MAGNESIUM, XENON),
  'elements/Xe/vasprun.xml': element(XENON, MAGNESIUM),
  'pbe/vasprun.xml': vasprunText(),
  'pbe/INCAR': 'ENCUT = 520\n',
  'pbe/POTCAR': 'licensed',
  'pbesol/vasprun.xml': vasprunText({
    incar: PBESOL,
    steps: firstStep + lastStep(opened(0.5)),
  }),
  'other/vasprun.xml': larger(vasprunText({ steps: firstStep + lastStep(opened(4)) })),
  'broken/vasprun.xml': '<modeling><generator></generator></modeling>',
  '.git/config': 'hidden',
  'notes.txt': 'of no calculation',
}

describe.skipIf(missing !== null)(
  `calculations in a browser${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: LiveServer
    let browser: Browser
    let folder: LocalFolder
    let window: BrowserContext
    let watched: Watched
    let page: Page

    beforeAll(async () => {
      ;[browser, folder] = await Promise.all([launchChromium(), makeFolder('runs', RUNS)])
    })
    afterAll(async () => {
      await browser.close()
      await folder.remove()
    })

    describe.each(LOOKS)('$theme, $width pixels wide, by key alone,', (look) => {
      beforeEach(async () => {
        server = await startServer({ symmetry: true })
        window = await newWindow(browser, look)
        watched = await watchedPage(window, server.origin)
        page = watched.page
        page.setDefaultTimeout(20_000)
        // Who chooses a folder, chooses this one.
        page.on('filechooser', (chooser) => void chooser.setFiles(folder.path))
        // Nothing that the page asks for is refused.
        page.on('response', (answer) =>
          expect.soft([answer.url(), answer.status() < 400]).toEqual([answer.url(), true]),
        )
      })
      afterEach(async () => {
        await window.close()
        await server.close()
      })

      const press = async (...keys: readonly string[]) => {
        for (const key of keys) await page.keyboard.press(key)
      }
      const main = (text: string) => page.locator('main').getByText(text).waitFor()
      const shown = (heading: string | RegExp) => page.getByRole('heading', { name: heading }).first().waitFor()
      async function follow(name: string | RegExp): Promise<void> {
        await tabUntil(page, name)
        await press('Enter')
      }
      async function choose(command: string): Promise<void> {
        await press('Control+k')
        await page.getByRole('combobox', { name: 'What do you want to do?' }).waitFor()
        await page.keyboard.type(command)
        await press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }

      async function logIn(): Promise<void> {
        await page.goto(`${server.origin}/import`)
        await page.getByLabel('User name or e-mail').focus()
        await page.keyboard.type('ada')
        await press('Tab')
        await page.keyboard.type(PASSWORD)
        await press('Enter')
        await shown('Import')
      }

      async function preview(): Promise<void> {
        await tabUntil(page, 'Choose a folder')
        await press('Enter')
        await main('5 calculations are new, 1 cannot be read.')
        const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^pbesol/ }) })
        expect(await row.innerText()).toMatch(/PBEsol \(GGA\)\s+VASP 6\.4\.2/)
        expect(await row.innerText()).toMatch(/−10\.450 eV[\s\S]*3\.500 eV indirect/)
        expect(await row.locator('.formula').allInnerTexts()).toEqual(['XeMg2', 'XeMg2'])
        await follow('Details of runs/pbe/vasprun.xml')
        const details = page.getByRole('row').filter({ hasText: 'Files that are kept with the job' })
        expect(await details.innerText()).toContain('INCAR')
        expect(await details.innerText()).not.toContain('POTCAR')
        await tabUntil(page, /files are passed over$/)
        await press('Enter')
        const passedOver = page.getByRole('group').filter({ hasText: '3 files are passed over' })
        for (const path of ['runs/.git', 'runs/pbe/POTCAR', 'runs/notes.txt'])
          await passedOver.getByText(path, { exact: true }).waitFor()
        await expectSound(watched)
        const { body } = await server.call('POST', 'jobs/count', { body: { query: {} } })
        expect(body.data.count).toBe(0)
      }

      async function store(): Promise<void> {
        await press('Shift+Tab', 'Shift+Tab')
        await tabBackTo('Store 5 calculations')
        await press('Enter')
        await expect.poll(() => carryOnOnce(server)).toBe(true)
        await carryOutAll(server)
        await main('5 calculations are stored, 1 cannot be read.')
        expect(await focusOf(page)).toBe('runs')
        await expectSound(watched)
      }

      async function tabBackTo(name: string): Promise<void> {
        for (let tabs = 0; tabs < 40 && (await focusOf(page)) !== name; tabs++) await press('Shift+Tab')
        expect(await focusOf(page)).toBe(name)
      }

      async function findByGap(): Promise<void> {
        await choose('Materials')
        await shown(/materials$/)
        if (look.width < 640) await follow('Filters')
        await tabUntil(page, 'Band gap at most')
        await page.keyboard.type('4')
        await press('Enter')
        await expect
          .poll(() => new URL(page.url()).searchParams.get('query'))
          .toBe('{"properties.band_gap.value":{"$lte":4}}')
        if (look.width < 640) await press('Escape')
        await shown('1 material')
        await expectSound(watched)
      }

      async function compare(): Promise<void> {
        await follow(/^(?:XeMg2|Xe1Mg2|Mg2Xe)/)
        await shown(/Mg/)
        await follow('Compare methods: Band gap')
        const table = page.getByRole('region', { name: 'Band gap by method' })
        await table.getByText('2 × 2 × 2').first().waitFor()
        expect((await table.getByRole('rowheader').allInnerTexts()).toSorted()).toEqual([
          'PBE (GGA), DFT with VASP',
          'PBEsol (GGA), DFT with VASP',
        ])
        await expectSound(watched)
      }

      async function diagram(): Promise<void> {
        await follow('Phase diagram of Mg, Xe')
        await shown('Phase diagram of Mg–Xe')
        const row = page.getByRole('row').filter({ hasText: 'stable' }).filter({ hasText: 'XeMg2' })
        await row.first().waitFor()
        await expectSound(watched)
        await follow(/^XeMg2/)
        await shown(/Mg/)
      }

      it('a folder is looked at, stored, found by the gap, its functionals compared, its stability seen', async () => {
        await logIn()
        await preview()
        await store()
        await findByGap()
        await compare()
        await diagram()
        expect(watched.faults).toEqual([])
      })
    })
  },
)
