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
const OUTCAR = 'vasp.5.2.12\n'

describe.skipIf(missing !== null)(`a job in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let materialId: string
  let jobId: string
  let window: BrowserContext
  let watched: Watched

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    materialId = await made('materials', material('Silicon'))
    const found = await made('materials', material('Relaxed silicon', {}, 3.9))
    const model = {
      type: 'dft',
      subtype: 'gga',
      functional: 'pbe',
      method: { type: 'pseudopotential', subtype: 'paw' },
    }
    jobId = await made('jobs', {
      name: 'Si vasp pbe',
      status: 'finished',
      isConverged: true,
      startedAt: '2014-07-14T16:46:01',
      wallSeconds: 125,
      workflow: { subworkflows: [{ application: { name: 'vasp', version: '5.2.12' }, model }] },
      inputs: { INCAR: { ENCUT: 520 }, KPOINTS: { divisions: [6, 6, 6] } },
      leftOut: ['eigenvalues (160 × 2)'],
      _material: { _id: materialId },
      _method: { _id: await made('methods', method('A method of PAW')) },
    })
    const source = { type: 'exabyte', info: { jobId } }
    const data = { name: 'total_energy', value: -10.849, units: 'eV' }
    await made('properties', { data, group: 'vasp:dft:gga:pbe', exabyteId: [found], source })
    await server.call('PUT', `jobs/${jobId}/files/OUTCAR`, { body: OUTCAR })
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function made(collection: string, body: object): Promise<string> {
    const { body: answer } = await server.call('POST', collection, { body })
    return answer.data._id
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

    it('says what was computed, with what, and what came of it', async () => {
      await open(`/jobs/${jobId}`, 'finished, converged')
      const { page } = watched
      for (const text of [
        'VASP 5.2.12; PBE (GGA), DFT; pseudopotential, paw',
        '2 min',
        '−10.849 eV',
        'eigenvalues (160 × 2)',
      ])
        await page.getByText(text, { exact: true }).waitFor()
      for (const name of ['Silicon', 'Relaxed silicon', 'A method of PAW'])
        await page.getByRole('link', { name, exact: true }).waitFor()
      const inputs = page.getByRole('tree', { name: 'Inputs of this job' })
      expect(await inputs.getByRole('treeitem').allTextContents()).toEqual([
        expect.stringContaining('INCAR'),
        expect.stringContaining('KPOINTS'),
      ])
      await page.getByRole('button', { name: 'Save OUTCAR' }).waitFor()
      await expectSoundInAllLooks(watched)
    })

    it('gives its files one by one and together', async () => {
      await open(`/jobs/${jobId}`, 'OUTCAR')
      const { page } = watched
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save OUTCAR' }).click(),
      ])
      expect([file.suggestedFilename(), readFileSync(await file.path(), 'utf8')]).toEqual(['OUTCAR', OUTCAR])
      const [archive] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save all as zip (12 bytes)' }).click(),
      ])
      expect(
        readFileSync(await archive.path())
          .subarray(0, 2)
          .toString(),
      ).toBe('PK')
    })

    it('that is not there says so', async () => {
      watched.askedFor.push(/^GET .*\/jobs\/nothing 404$/)
      await open('/jobs/nothing', 'There is no such job for you')
      await expectSoundInAllLooks(watched)
    })

    it('is not all that has files: a material takes, gives and loses them', async () => {
      await open(`/materials/${materialId}?section=files`, 'There is no file beside this record.')
      const { page } = watched
      await page.getByLabel('Add files').setInputFiles([
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('seen at 300 K') },
        { name: 'a b.cif', mimeType: 'chemical/x-cif', buffer: Buffer.from('data_x') },
      ])
      await page.getByRole('button', { name: 'Save a b.cif' }).waitFor()
      await expectSoundInAllLooks(watched)
      for (const name of ['notes.txt', 'a b.cif']) {
        await page.getByRole('button', { name: `Delete ${name}` }).click()
        await page.getByRole('button', { name: 'Delete it' }).click()
        await expect.poll(() => page.getByRole('button', { name: `Save ${name}` }).count()).toBe(0)
      }
      await page.getByText('There is no file beside this record.').waitFor()
    })
  })
})
