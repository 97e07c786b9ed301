import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

const missing = missingChromium()
const PBE = 'vasp:dft:gga:pbe'
const HSE = 'vasp:dft:hybrid:hse06'

/** Two bands of each spin from the centre of the zone to X, and on to W. */
const WAY = Array.from({ length: 21 }, (_, at) =>
  at <= 10 ? [at / 20, 0, at / 20] : [0.5, ((at - 10) * 0.25) / 10, 0.5 + ((at - 10) * 0.25) / 10],
)
const BANDS = {
  name: 'band_structure',
  xAxis: { label: 'kpoints', units: 'crystal' },
  yAxis: { label: 'energy', units: 'eV' },
  xDataArray: WAY,
  yDataSeries: [5.6, 6.2, 5.5, 6.3].map((energy) => WAY.map((_, at) => energy + at / 100)),
  spin: [0.5, 0.5, -0.5, -0.5],
}
const DENSITY = {
  name: 'density_of_states',
  xAxis: { label: 'energy', units: 'eV' },
  yAxis: { label: 'density of states', units: 'states/unitcell' },
  xDataArray: [-2, 0, 2, 4, 6],
  yDataSeries: [
    [0, 1, 3, 1, 0],
    [0, 0.5, 1, 0.5, 0],
  ],
  legend: [{}, { element: 'Si', electronicState: 's' }],
}

describe.skipIf(missing !== null)(`properties in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let id: string
  let bareId: string
  let jobId: string
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer({ symmetry: true }), launchChromium()])
    id = await made('materials', material('Silicon', { bandGap: 1.11, phase: 'diamond' }))
    bareId = await made('materials', material('Germanium', {}, 4.002))
    const about = { _material: { _id: id }, _materials: [{ _id: id }] }
    jobId = await made('jobs', { name: 'Si vasp pbe', workflow: { subworkflows: [] }, ...about })
    await property({ name: 'total_energy', value: -10.849, units: 'eV' }, PBE)
    await property(
      {
        name: 'band_gaps',
        values: [
          { type: 'indirect', value: 0.6233 },
          { type: 'direct', value: 2.5568 },
        ],
      },
      PBE,
    )
    await property({ name: 'band_gaps', values: [{ type: 'indirect', value: 1.153 }] }, HSE, {
      kgrid: [4, 4, 4],
      cutoff: 400,
    })
    await property(
      {
        name: 'stress_tensor',
        value: [
          [-1.5, 0, 0],
          [0, -1.5, 0],
          [0, 0, 2],
        ],
        units: 'kbar',
      },
      PBE,
    )
    await property({ name: 'fermi_energy', value: 5.7, units: 'eV' }, PBE)
    await property(BANDS, PBE)
    await property(DENSITY, PBE)
    await property({ name: 'convergence_electronic', data: [[-8, -10, -10.8, -10.849]], units: 'eV' }, PBE)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function made(collection: string, body: object): Promise<string> {
    const { body: answer } = await server.call('POST', collection, { body })
    return answer.data._id
  }

  function property(data: object, group: string, precision: object = { kgrid: [9, 9, 9], kppra: 1458, cutoff: 520 }) {
    const source = { type: 'exabyte', info: { jobId } }
    return made('properties', { data, group, precision, exabyteId: [id], source })
  }

  async function open(path: string, seen: string): Promise<void> {
    const { page } = watched
    await enter(window, server.origin)
    await page.goto(`${server.origin}${path}`)
    await page.getByText(seen).first().waitFor()
  }

  describe('in a window', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
    })
    afterEach(() => window.close())

    it('are what a material shows first, with the fields that its owner invented apart', async () => {
      await open(`/materials/${id}`, '0.623 eV indirect')
      const { page } = watched
      const cards = page.getByRole('article')
      const labels = await cards.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
      expect(labels).toEqual([
        'Band gap',
        'Total energy',
        'Fermi energy',
        'Band structure',
        'Density of states',
        'Electronic convergence',
        'Stress tensor',
        'Band gap',
        'Phase',
      ])
      expect(await cards.first().innerText()).toContain('PBE (GGA), DFT with VASP')
      expect(await cards.last().innerText()).toContain('diamond')
      await expectSoundInAllLooks(watched)
    })

    it('are compared by method with the keyboard', async () => {
      await open(`/materials/${id}`, '0.623 eV indirect')
      const { page } = watched
      const compare = page.getByRole('button', { name: 'Compare methods: Band gap' })
      await compare.focus()
      await page.keyboard.press('Enter')
      const table = page.getByRole('region', { name: 'Band gap by method' })
      await table.getByText('4 × 4 × 4').waitFor()
      expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([
        'PBE (GGA), DFT with VASP',
        'HSE06 (hybrid), DFT with VASP',
      ])
      expect(await table.getByRole('cell').allInnerTexts()).toEqual(
        expect.arrayContaining(['0.623 eV indirect', '9 × 9 × 9', '520', '1.153 eV indirect', '400']),
      )
      await expectSoundInAllLooks(watched)
      await page.keyboard.press('Enter')
      await expect.poll(() => table.count()).toBe(0)
    })

    it('have tables of their data, and records of their own', async () => {
      await open(`/materials/${id}`, '0.623 eV indirect')
      const { page } = watched
      await page.getByRole('button', { name: 'Show table: Stress tensor' }).click()
      await page.getByRole('region', { name: 'Stress tensor' }).getByText('−1.5').first().waitFor()
      await page.getByRole('link', { name: 'Record of Stress tensor' }).click()
      await page.getByRole('heading', { name: 'Stress tensor', level: 1 }).waitFor()
      await page.getByRole('region', { name: 'Stress tensor' }).waitFor()
      await expectSoundInAllLooks(watched)
      await page.getByRole('link', { name: 'Silicon', exact: true }).click()
      await page.getByRole('heading', { name: 'Silicon', level: 1 }).waitFor()
    })

    it('have plots that are read, zoomed and set back by keys, whose data come when they are opened', async () => {
      const { page } = watched
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await open(`/materials/${id}`, '0.623 eV indirect')
      const data = () => asked.filter((url) => /\/properties\/\w/.test(url)).length
      expect(data()).toBe(0)
      await page.getByRole('button', { name: 'Show plot: Band structure' }).click()
      const plot = page.getByRole('application', { name: /Band structure: Energy − Fermi energy/ })
      await plot.getByText('W', { exact: true }).waitFor()
      expect(data()).toBe(1)
      await plot.focus()
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key)
      const told = page.getByRole('article', { name: 'Band structure' }).getByRole('status')
      await expect
        .poll(() => told.innerText())
        .toBe('band 2, spin up, k (0.050, 0.000, 0.050): 0.510 eV from the Fermi energy')
      const before = await plot.locator('.axes').first().textContent()
      await page.keyboard.press('+')
      await page.keyboard.press('+')
      await expect.poll(() => plot.locator('.axes').first().textContent()).not.toBe(before)
      await page.keyboard.press('0')
      await expect.poll(() => plot.locator('.axes').first().textContent()).toBe(before)
      await expectSoundInAllLooks(watched)
      await page.getByRole('checkbox', { name: 'spin down' }).uncheck()
      await expect.poll(() => plot.locator('.curve').count()).toBe(2)
    })

    it('have plots that are zoomed by wheel and by drawing, and saved', async () => {
      await open(`/materials/${id}`, '0.623 eV indirect')
      const { page } = watched
      await page.getByRole('button', { name: 'Show plot: Density of states' }).click()
      const card = page.getByRole('article', { name: 'Density of states' })
      const plot = card.getByRole('application')
      await plot.locator('.curve').first().waitFor()
      await card.getByRole('checkbox', { name: 'Si s' }).check()
      await expect.poll(() => plot.locator('polyline').count()).toBe(2)
      await plot.scrollIntoViewIfNeeded()
      const axis = () => plot.locator('.axes').last().textContent()
      const first = await axis()
      await plot.hover()
      await page.mouse.wheel(0, -400)
      await expect.poll(axis).not.toBe(first)
      await card.getByRole('button', { name: 'Reset zoom' }).click()
      await expect.poll(axis).toBe(first)
      const box = await plot.boundingBox()
      if (box === null) throw new Error('The plot is not shown.')
      await page.mouse.move(box.x + 100, box.y + 60)
      await page.mouse.down()
      await page.mouse.move(box.x + 180, box.y + 200)
      await page.mouse.up()
      await expect.poll(axis).not.toBe(first)
      const [table] = await Promise.all([
        page.waitForEvent('download'),
        card.getByRole('button', { name: 'Save as CSV' }).click(),
      ])
      expect(table.suggestedFilename()).toBe('density-of-states.csv')
      expect(readFileSync(await table.path(), 'utf8')).toMatch(/^Energy − Fermi energy \/ eV,total,Si s\n-7\.7,0,0\n/)
      const [drawing] = await Promise.all([
        page.waitForEvent('download'),
        card.getByRole('button', { name: 'Save as SVG' }).click(),
      ])
      const text = readFileSync(await drawing.path(), 'utf8')
      expect(text).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/)
      expect(text).toContain('stroke="rgb(')
      await expectSoundInAllLooks(watched)
    })

    it('follow steps by the distance from their end', async () => {
      await open(`/materials/${id}`, '0.623 eV indirect')
      const { page } = watched
      await page.getByRole('button', { name: 'Show plot: Electronic convergence' }).click()
      await page.getByLabel('distance from the last').check()
      await page.getByRole('application', { name: /Distance from the last energy/ }).waitFor()
      await expectSoundInAllLooks(watched)
    })

    it('are columns and filters of the list by title and unit', async () => {
      const gap = 'properties.band_gap.value'
      await open(`/materials?columns=formula,${gap}`, '0.6233')
      const { page } = watched
      await page.getByRole('columnheader', { name: 'Band gap eV' }).waitFor()
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('checkbox', { name: 'Total energy eV' }).check()
      await page.getByRole('columnheader', { name: 'Total energy eV' }).waitFor()
      await page.getByText('−10.849').or(page.getByText('-10.849')).first().waitFor()
      await expectSoundInAllLooks(watched)
      await page.goto(`${server.origin}/materials?query={"${gap}":{"$gte":0.5}}`)
      await page.getByRole('button', { name: 'Without: Band gap ≥ 0.5' }).waitFor()
    })

    it('are no section where there are none', async () => {
      await open(`/materials/${bareId}?section=properties`, 'Lattice vectors')
      const sections = watched.page.getByRole('navigation', { name: 'Sections' })
      expect(await sections.getByRole('link', { name: 'Properties' }).count()).toBe(0)
    })
  })
})
