import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
import {
  enter,
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
const QUARTZ = JSON.parse(readFileSync(new URL('../../samples/materials/sio2-quartz.json', import.meta.url), 'utf8'))

/** Caesium chloride, which is cubic, with fewer operators than it has. */
const CIF = `data_x
_cell_length_a 4.12
_cell_length_b 4.12
_cell_length_c 4.12
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_space_group_name_H-M_alt 'P 4 m m'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Cs1 Cs 0 0 0
Cl1 Cl 0.5 0.5 0.5
`

/** Copper and gold on one site, which is empty in some cells, beside iron of two charges. */
const ALLOY = {
  name: 'A disordered alloy',
  basis: {
    elements: [
      { id: 0, value: 'Cu', occurrence: 0.6 },
      { id: 1, value: 'Au', occurrence: 0.3 },
      { id: 2, value: 'Fe', oxidationState: 3 },
    ],
    coordinates: [
      { id: 0, value: [0, 0, 0] },
      { id: 1, value: [0, 0, 0] },
      { id: 2, value: [0.5, 0.5, 0.5] },
    ],
  },
  lattice: { a: 3, b: 3, c: 3, alpha: 90, beta: 90, gamma: 90 },
}

describe.skipIf(missing !== null)(`a material in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let id: string
  let alloyId: string
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer({ symmetry: true }), launchChromium()])
    const { body } = await server.call('POST', 'materials', { body: { ...QUARTZ, tags: ['sample'] } })
    id = body.data._id
    await server.call('PATCH', `materials/${id}`, { body: { name: 'Quartz, renamed' } })
    const { lattice } = QUARTZ
    const larger = { ...lattice, a: lattice.a * 1.1, b: lattice.b * 1.1, c: lattice.c * 1.1 }
    const alloy = await server.call('POST', 'materials', { body: ALLOY })
    alloyId = alloy.body.data._id
    await server.call('POST', 'materials', { body: { ...QUARTZ, name: 'Quartz once more' } })
    await server.call('POST', 'materials', { body: { ...QUARTZ, name: 'Swollen quartz', lattice: larger } })
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function open(search = ''): Promise<void> {
    const { page } = watched
    await enter(window, server.origin)
    await page.goto(`${server.origin}/materials/${id}${search}`)
    await page.getByRole('heading', { name: 'Quartz, renamed' }).waitFor()
  }

  /** What is seen when a section has come. */
  const SECTIONS: readonly (readonly [section: string, seen: string])[] = [
    ['structure', 'Lattice vectors'],
    ['symmetry', 'Wyckoff positions'],
    ['bonds', '2 Si'],
    ['diffraction', 'Save peaks as CSV'],
    ['zone', 'Lattice variation'],
    ['build', 'What to build'],
    ['similar', 'Swollen quartz'],
    ['history', 'From version 1 to 2'],
    ['json', 'scaledHash'],
  ]

  describe('in both themes and widths', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
    })
    afterEach(() => window.close())

    it('has sound sections', async () => {
      await open()
      for (const [section, seen] of SECTIONS) {
        await watched.page.goto(`${server.origin}/materials/${id}?section=${section}`)
        await watched.page.getByText(seen).first().waitFor()
        await expectSoundInAllLooks(watched)
      }
    })

    it('shows disorder: slices in the legend, shares in the table of sites, and what it is among the facts', async () => {
      await open()
      const { page } = watched
      await page.goto(`${server.origin}/materials/${alloyId}`)
      await page.getByText('Cu 60 %, Au 30 %, empty 10 %').first().waitFor()
      expect(await page.locator('.fact-rows').first().innerText()).toMatch(
        /species share sites; sites are empty in some cells/,
      )
      const rows = await page.getByRole('region', { name: 'Sites' }).locator('tbody tr').allInnerTexts()
      expect(rows.map((row) => row.split(/\s+/).slice(1, 4))).toEqual([
        ['Cu', 'Cu', '0.6'],
        ['Au', 'Au', '0.3'],
        ['Fe', 'Fe3+', '1'],
      ])
      await expectSoundInAllLooks(watched)
      await page.goto(`${server.origin}/materials/${alloyId}?section=diffraction&radiation=neutron`)
      await page.getByText('λ = 1.798 Å').waitFor()
      await page.getByText('Bound coherent scattering lengths').waitFor()
      await expectSoundInAllLooks(watched)
    })
  })

  describe('who looks at it', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
    })
    afterEach(() => window.close())

    const text = (selector: string) => watched.page.locator(selector).first().innerText()

    it('reads its facts with units, and the formula and the space group as they are printed', async () => {
      await open()
      const facts = await text('.fact-rows')
      expect(facts).toMatch(/4\.916, 4\.916, 5\.4054 Å/)
      expect(facts).toMatch(/113\.\d+ Å³/)
      expect(facts).toMatch(/2\.6\d+ g\/cm³/)
      expect(facts).toMatch(/Prototype\s+.*[qQ]uartz.*hP9/)
      const printed = await watched.page.locator('.fact-rows .space-group sub').allInnerTexts()
      expect(printed).toHaveLength(1)
      expect(await watched.page.locator('.fact-rows .formula sub').first().innerText()).toBe('2')
    })

    it('goes from section to section without losing the place, and back', async () => {
      await open()
      await watched.page.getByRole('link', { name: 'Symmetry' }).click()
      await watched.page.getByRole('heading', { name: 'Wyckoff positions' }).waitFor()
      expect(watched.page.url()).toContain('section=symmetry')
      expect(await watched.page.evaluate('document.activeElement.textContent')).toBe('Symmetry')
      await watched.page.getByLabel('primitive').check()
      await watched.page.goBack()
      await watched.page.getByRole('heading', { name: 'Lattice vectors' }).waitFor()
    })

    it('names peaks by keys, changes the radiation in the address, and lays a measured pattern over them', async () => {
      await open('?section=diffraction')
      const { page } = watched
      const plot = page.getByRole('application', { name: /Powder pattern/ })
      await plot.focus()
      await page.keyboard.press('ArrowRight')
      await page.getByText(/^100 ×6: 2θ 20\.8\d+°/).waitFor()
      const before = await plot.locator('.peak').count()
      await page.getByLabel('Radiation').selectOption('MoKa')
      await page.getByText('λ = 0.71073 Å').waitFor()
      expect(page.url()).toContain('radiation=MoKa')
      expect(await page.locator('.diffraction .peak').count()).toBeGreaterThan(before)
      const pattern = Array.from({ length: 900 }, (_, index) => `${index / 10} ${index % 50}`).join('\n')
      const weak = page.locator('.diffraction .peak').first().locator('line')
      const height = async () => Number(await weak.getAttribute('y1')) - Number(await weak.getAttribute('y2'))
      const linear = await height()
      await page.getByLabel('Intensity').selectOption('root')
      await expect.poll(height).toBeGreaterThan(1.5 * linear)
      const file = { name: 'quartz.xy', mimeType: 'text/plain', buffer: Buffer.from(`# measured\n${pattern}`) }
      await page.getByLabel('Measured pattern').setInputFiles(file)
      await page.getByText('quartz.xy, 900 points').waitFor()
      expect(await page.locator('.diffraction .measured').getAttribute('points')).toContain(',')
      expect(watched.faults).toEqual([])
    })

    it('turns the zone by keys', async () => {
      await open('?section=zone')
      const zone = watched.page.getByRole('application', { name: /Brillouin zone of HEX with 8 faces/ })
      await zone.focus()
      const corner = () => zone.locator('.edge').first().getAttribute('points')
      const before = await corner()
      await watched.page.keyboard.press('ArrowLeft')
      await expect.poll(corner).not.toBe(before)
      await watched.page.keyboard.press('Home')
      await expect.poll(corner).toBe(before)
    })

    it('makes a material of a standard cell, which says what it was made from', async () => {
      await open('?section=symmetry')
      const { page } = watched
      await page.getByRole('radio', { name: 'primitive' }).click()
      await page.getByRole('button', { name: 'Make a material of the primitive cell' }).click()
      await page.getByRole('heading', { name: 'Quartz, renamed, primitive cell' }).waitFor()
      await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`))
      const made = new URL(page.url()).pathname.split('/').at(-1)
      const { body } = await server.call('GET', `materials/${made}/provenance`)
      expect(body.data.links).toMatchObject([
        { from: `materials/${made}`, to: `materials/${id}`, how: 'primitive cell' },
      ])
      await server.call('DELETE', `materials/${made}?purge=true`)
    })

    it('reads the space groups within other tolerances, and the one that the file declares', async () => {
      await open('?section=symmetry')
      const { page } = watched
      const groups = page.getByRole('region', { name: 'Space groups by tolerance' }).locator('tbody tr')
      await groups.first().waitFor()
      expect(await groups.locator('th').allInnerTexts()).toEqual(['0.001', '0.01', '0.03', '0.1'])
      const { body } = await server.call('POST', 'materials/import', { body: { content: CIF, format: 'cif' } })
      await page.goto(`${server.origin}/materials/${body.data._id}?section=symmetry`)
      await page.getByText(': another one than was found.').waitFor()
      await expectSound(watched)
    })

    it('finds the same crystal and those of like geometry, with how near they are', async () => {
      await open('?section=similar')
      const rowOf = (region: string, name: string) =>
        watched.page.getByRole('region', { name: region }).locator('tr').filter({ hasText: name })
      const same = rowOf('The same crystal', 'Quartz once more')
      await same.waitFor()
      expect(await same.locator('td').allInnerTexts()).toEqual([
        expect.stringContaining('Si'),
        expect.any(String),
        '0.0000',
        'same',
      ])
      await rowOf('Similar geometry', 'Swollen quartz').waitFor()
      expect(await rowOf('The same crystal', 'Swollen quartz').count()).toBe(0)
    })

    it('sees what changed from one version to the next', async () => {
      await open('?section=history')
      const row = watched.page.locator('.differences tbody tr').filter({ hasText: 'name' }).first()
      expect(await row.innerText()).toContain('Quartz, renamed')
    })

    it('saves it in a format of its choice', async () => {
      await open()
      const { page } = watched
      await page.getByRole('button', { name: 'Export' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CIF', exact: true }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/\.cif$/)
      expect(readFileSync((await download.path()) ?? '', 'utf8')).toContain('_cell_length_a')
      expect(watched.faults).toEqual([])
    })
  })
})
