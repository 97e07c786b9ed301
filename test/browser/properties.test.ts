import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import {
  expectSound,
  type Look,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()
const WIDTHS: readonly Look[] = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 360 },
  { theme: 'dark', width: 360 },
]
const PBE = 'vasp:dft:gga:pbe'
const HSE = 'vasp:dft:hybrid:hse06'

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
    await page.goto(`${server.origin}/`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
    await page.goto(`${server.origin}${path}`)
    await page.getByText(seen).first().waitFor()
  }

  describe.each(WIDTHS)('$theme, $width pixels wide,', (look) => {
    beforeEach(async () => {
      window = await newWindow(browser, look)
      watched = await watchedPage(window, server.origin)
    })
    afterEach(() => window.close())

    it('are what a material shows first, with the fields that its owner invented apart', async () => {
      await open(`/materials/${id}`, '0.623 eV indirect')
      const { page } = watched
      const cards = page.getByRole('article')
      const labels = await cards.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
      expect(labels).toEqual(['Band gap', 'Total energy', 'Stress tensor', 'Band gap', 'Phase'])
      expect(await cards.first().innerText()).toContain('PBE (GGA), DFT with VASP')
      expect(await cards.last().innerText()).toContain('diamond')
      await expectSound(watched)
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
      await expectSound(watched)
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
      await expectSound(watched)
      await page.getByRole('link', { name: id }).click()
      await page.getByRole('heading', { name: 'Silicon', level: 1 }).waitFor()
    })

    it('are no section where there are none', async () => {
      await open(`/materials/${bareId}?section=properties`, 'Lattice vectors')
      expect(await watched.page.getByRole('link', { name: 'Properties' }).count()).toBe(0)
    })
  })
})
