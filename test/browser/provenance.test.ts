import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
import { material, method } from '../http/support/records.ts'
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
const NAMES = ['total_energy', 'fermi_energy', 'pressure', 'total_force', 'bulk_modulus', 'shear_modulus', 'band_gap']

describe.skipIf(missing !== null)(`provenance and lists${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let [builtId, relaxedId, jobId, bareId, propertyId] = ['', '', '', '', '']
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    builtId = await made('materials', material('Built'))
    bareId = await made('materials', material('Alone', {}, 5.1))
    const model = { type: 'dft', subtype: 'gga', functional: 'pbe' }
    jobId = await made('jobs', {
      name: 'A relaxation',
      status: 'finished',
      isConverged: true,
      workflow: { subworkflows: [{ application: { name: 'vasp', version: '6.4.2' }, model }] },
      _material: { _id: builtId },
      _method: { _id: await made('methods', method('A method of PAW')) },
    })
    await made('jobs', { name: 'Another job', status: 'error', workflow: { subworkflows: [] } })
    const madeFrom = [{ _id: builtId, collection: 'materials', how: 'relaxation', jobId }]
    relaxedId = await made('materials', material('Relaxed', { madeFrom }, 3.9))
    for (const name of NAMES)
      propertyId = await made('properties', {
        data: { name, value: 1 },
        group: 'vasp:dft:gga:pbe',
        exabyteId: [relaxedId],
        source: { type: 'exabyte', info: { jobId } },
      })
    await server.call('POST', `materials/${relaxedId}/copy`)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function made(collection: string, body: object): Promise<string> {
    const { body: answer } = await server.call('POST', collection, { body })
    return answer.data._id
  }

  async function open(path: string): Promise<void> {
    const { page } = watched
    await enter(window, server.origin)
    await page.goto(`${server.origin}${path}`)
  }

  const graph = () => watched.page.getByRole('region', { name: 'Graph of provenance' })

  describe('in a window', () => {
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
    })
    afterEach(() => window.close())

    it('is a graph of links from left to right, of which what is alike is gathered', async () => {
      await open(`/materials/${relaxedId}?section=provenance`)
      await graph().waitFor()
      const { page } = watched
      const links = () => graph().getByRole('link').allInnerTexts()
      const first = (await links()).map((text) => text.split('\n')[0])
      expect(first.slice(0, 3).sort()).toEqual(['A method of PAW', 'A relaxation', 'Built'])
      expect(first).toContain('Total energy')
      expect(await graph().locator('text').allTextContents()).toEqual(
        expect.arrayContaining(['relaxation', 'result', 'input', 'method', 'property', 'copy']),
      )
      await expectSoundInAllLooks(watched)
      await graph().getByRole('button', { name: '2 more' }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await links()).length).toBe(first.length + 2)
      // The focus goes on with what was hidden.
      expect(await page.evaluate('document.activeElement?.className')).toBe('provenance-node')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: '← Properties' }).waitFor()
    })

    it('is a list within lists, and a file', async () => {
      await open(`/materials/${relaxedId}?section=provenance`)
      const { page } = watched
      await page.getByText('As a list').click()
      const from = page.locator('section', { has: page.getByRole('heading', { name: 'Made from' }) }).last()
      expect(await from.getByRole('listitem').allInnerTexts()).toEqual([
        'relaxation: material Built',
        expect.stringMatching(/^result: job A relaxation\n/),
        'input: material Built, told of already',
        'method: method A method of PAW',
      ])
      await expectSoundInAllLooks(watched)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as PROV-JSON' }).click(),
      ])
      expect(file.suggestedFilename()).toBe(`${relaxedId}.prov.json`)
      expect(Object.keys(JSON.parse(readFileSync(await file.path(), 'utf8')))).toContain('entity')
    })

    it.each([
      ['a job', () => `/jobs/${jobId}`, 'A relaxation'],
      ['a property', () => `/properties/${propertyId}`, 'Band gap'],
    ])('is on the page of %s, which the graph marks', async (_of, path, name) => {
      await open(path())
      await graph().waitFor()
      expect((await graph().locator('.current').innerText()).split('\n')[0]).toBe(name)
      await expectSoundInAllLooks(watched)
    })

    it('is said to be none where nothing names the record', async () => {
      await open(`/materials/${bareId}?section=provenance`)
      await watched.page.getByText('It names nothing that it was made from, and nothing names it.').waitFor()
      await expectSoundInAllLooks(watched)
    })

    it.each([
      ['jobs', '2 jobs', ['A relaxation', 'Si', 'finished, converged'], 'Another job'],
      ['properties', '7 properties', ['Total energy', '1.000 eV', 'Si', 'PBE (GGA), DFT with VASP'], 'Band gap'],
    ])('the list of %s is reached from the bar, and searched', async (name, summary, row, other) => {
      await open('/materials')
      const { page } = watched
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: false }).click()
      await page.getByRole('heading', { name: summary }).waitFor()
      const [first] = row
      const cells = page.getByRole('row').filter({ has: page.getByRole('link', { name: first ?? '', exact: true }) })
      for (const text of row) await cells.getByText(text, { exact: true }).first().waitFor()
      await expectSoundInAllLooks(watched)
      await page.getByLabel('Search', { exact: true }).fill(name === 'jobs' ? 'another' : '{"data.name": "band_gap"}')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /^1 / }).waitFor()
      await page.getByRole('link', { name: other, exact: true }).click()
      await page.getByRole('heading', { name: other, level: 1 }).waitFor()
    })
  })
})
