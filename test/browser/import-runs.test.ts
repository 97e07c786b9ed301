import { createHash, randomBytes } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { vasprunText } from '../calculations/vasprun-text.ts'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { carryOnOnce, carryOutAll } from '../http/support/many.ts'
import {
  expectSound,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  watchedPage,
} from './support/chromium.ts'
import { type LocalFolder, makeFolder } from './support/runs-folder.ts'

const missing = missingChromium()
const SILICON = 'Silicon\n1.0\n0 2.7 2.7\n2.7 0 2.7\n2.7 2.7 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'
/** What a browser itself says of a request that was cut, or answered by a test. */
const CUT = /ERR_(?:FAILED|CONNECTION)|status of 507/

/** A calculation like no other here. */
let made = 0
const output = () => vasprunText({ incar: `<i name="ENCUT"> ${500 + ++made}.0</i>` })

describe.skipIf(missing !== null)(
  `an import of calculations${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: LiveServer
    let browser: Browser
    let window: BrowserContext
    let watched: Watched
    let page: Page
    const folders: LocalFolder[] = []

    beforeAll(async () => {
      ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    })
    afterAll(async () => {
      await browser.close()
      await server.close()
      await Promise.all(folders.map((folder) => folder.remove()))
    })
    beforeEach(async () => {
      window = await newWindow(browser, { theme: 'light', width: 1280 })
      watched = await watchedPage(window, server.origin)
      page = watched.page
      await page.goto(`${server.origin}/import`)
      await page.getByLabel('User name or e-mail').fill('ada')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
    })
    afterEach(async () => {
      expect(watched.faults.filter((fault) => !CUT.test(fault))).toEqual([])
      await window.close()
    })

    async function folderOf(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
      const folder = await makeFolder(name, files)
      folders.push(folder)
      return folder.path
    }
    const choose = (path: string) => page.getByLabel('Folder of calculations').setInputFiles(path)
    const told = (text: string | RegExp) => page.locator('main').getByText(text).first().waitFor()
    /** Has the server carry out what the page has begun. */
    async function carriedOut(): Promise<void> {
      await expect.poll(() => carryOnOnce(server)).toBe(true)
      await carryOutAll(server)
    }
    const jobs = async (): Promise<number> =>
      (await server.call('POST', 'jobs/count', { body: { query: {} } })).body.data.count

    it('is nothing new the second time, and of two that are the same one is stored', async () => {
      const text = output()
      const path = await folderOf('twins', { 'a/vasprun.xml': text, 'b/vasprun.xml': text })
      const before = await jobs()
      await choose(path)
      await told('1 calculation is new, 1 is the same as another one here.')
      await told('The same as twins/a/vasprun.xml: it is stored once.')
      await page.getByRole('button', { name: 'Store 1 calculation' }).click()
      await carriedOut()
      await told('1 calculation is stored, 1 is the same as another one here.')
      expect(await jobs()).toBe(before + 1)
      await page.getByRole('button', { name: 'Take twins off the list' }).click()
      await choose(path)
      await told('1 calculation is there already, 1 is the same as another one here.')
      const row = page.getByRole('row').filter({ hasText: 'There already' })
      expect(await row.innerText()).toMatch(/−10\.450 eV[\s\S]*3\.000 eV indirect/)
      await row.getByRole('link', { name: 'XeMg2' }).waitFor()
      expect(await page.getByRole('button', { name: /^Store/ }).count()).toBe(0)
      await page.getByRole('link', { name: 'Job of twins/a/vasprun.xml' }).click()
      await page.getByRole('heading', { name: /vasp/ }).waitFor()
    })

    it('is cancelled and gone on with, before it is stored and while it is', async () => {
      const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}/vasprun.xml`, output()]))
      const path = await folderOf('many', files)
      const before = await jobs()
      let asked = 0
      // The second request of each kind is never answered.
      await page.route('**/jobs/import', (route) => (++asked % 3 === 2 ? undefined : route.continue()))
      await choose(path)
      await told(/Looked at: 12 of 30 folders/)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await told('Broken off after 12 of 30 folders.')
      await told('12 calculations are new.')
      await expectSound(watched)
      await page.unroute('**/jobs/import')
      await page.getByRole('button', { name: 'Go on' }).click()
      await told('30 calculations are new.')
      await page.getByLabel('Store many/29/vasprun.xml').uncheck()
      await page.getByRole('button', { name: 'Store 29 calculations' }).click()
      await expect.poll(() => carryOnOnce(server)).toBe(true)
      await told('Storing: 12 of 29 calculations. It goes on when this page is closed.')
      await expectSound(watched)
      await page.locator('main').getByRole('button', { name: 'Cancel' }).click()
      const isCancelled = async () => {
        const [{ _id }] = (await server.call('GET', 'bulk-changes')).body.data
        return (await server.call('GET', `bulk-changes/${_id}`)).body.data.isCancelled
      }
      await expect.poll(isCancelled).toBe(true)
      await carryOutAll(server)
      await told('Broken off after 12 of 29 calculations.')
      await told('12 calculations are stored, 18 are new.')
      expect(await jobs()).toBe(before + 12)
      await page.getByRole('button', { name: 'Go on' }).click()
      await carriedOut()
      await told('29 calculations are stored, 1 is new.')
      expect(await jobs()).toBe(before + 29)
      await page.getByLabel('Store many/29/vasprun.xml').check()
      await page.getByRole('button', { name: 'Store 1 calculation' }).click()
      await carriedOut()
      await told('30 calculations are stored.')
      expect(await jobs()).toBe(before + 30)
    })

    it('goes on when its page is closed, and tells how far it is when that is opened again', async () => {
      const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}/vasprun.xml`, output()]))
      const before = await jobs()
      await choose(await folderOf('left', files))
      await page.getByRole('button', { name: 'Store 20 calculations' }).click()
      await expect.poll(() => carryOnOnce(server)).toBe(true)
      await told('Storing: 12 of 20 calculations.')
      const bar = () => page.getByRole('region', { name: 'What is done in the background' })
      expect(await bar().count()).toBe(0)
      await page.getByRole('link', { name: 'Methods' }).click()
      await bar().getByText('Storing 20 calculations: 12 done').waitFor()
      await page.close()
      expect(await jobs()).toBe(before + 12)
      page = await window.newPage()
      await page.goto(`${server.origin}/methods`)
      await bar().getByText('Storing 20 calculations: 12 done').waitFor()
      await carryOutAll(server)
      await bar().getByText('20 calculations stored.').waitFor()
      expect([await jobs(), await bar().getByRole('button', { name: 'Undo' }).count()]).toEqual([before + 20, 0])
    })

    it('goes on with a file that breaks off, and keeps it whole', async () => {
      const content = randomBytes(20 * 1024 * 1024)
      const path = await folderOf('large', { 'vasprun.xml': output(), WAVECAR: content })
      let sent = 0
      await page.route('**/uploads/*WAVECAR', (route) =>
        route.request().method() === 'PUT' && ++sent === 2 ? route.abort('failed') : route.continue(),
      )
      await choose(path)
      await told('1 calculation is new.')
      expect(sent).toBe(4)
      await page.getByRole('button', { name: 'Store 1 calculation' }).click()
      await carriedOut()
      await told('1 calculation is stored.')
      const query = encodeURIComponent(JSON.stringify({ 'files.name': 'WAVECAR' }))
      const { body } = await server.call('GET', `jobs?query=${query}`)
      const file = body.data[0].files.find(({ name }: { name: string }) => name === 'WAVECAR')
      expect(file.sha256).toBe(createHash('sha256').update(content).digest('hex'))
    })

    it('says why it stands still, and goes on', async () => {
      watched.askedFor.push(/^PUT .*\/uploads\/tired%2Fvasprun\.xml 507$/)
      const path = await folderOf('tired', { 'vasprun.xml': output() })
      const full = { status: 'error', code: 50700, message: 'The disk is full.', data: {} }
      await page.route('**/uploads/*', (route) => route.fulfill({ status: 507, json: full }))
      await choose(path)
      await page.getByRole('alert').getByText('The disk is full.').waitFor()
      await expectSound({ ...watched, faults: [] })
      await page.unroute('**/uploads/*')
      await page.getByRole('button', { name: 'Go on' }).click()
      await told('1 calculation is new.')
    })

    it('asks before much is sent, and leaves out what is large', async () => {
      const path = await folderOf('much', { 'vasprun.xml': output(), WAVECAR: '' })
      await truncate(join(path, 'WAVECAR'), 600_000_000)
      await choose(path)
      await told('These files are large: 600 MB in all.')
      await expectSound(watched)
      await page.getByRole('button', { name: 'Leave out the file above 100 MB (600 MB)' }).click()
      await told('1 calculation is new.')
      await page.getByText('1 file is passed over').click()
      await told('Larger than 100 MB, and left out as you said.')
    })

    it('takes archives, tells of one that is damaged, and folders of many files', async () => {
      watched.askedFor.push(/^POST .*\/jobs\/import 422$/)
      const archive = zipSync({ 'a/vasprun.xml': strToU8(output()), 'a/INCAR': strToU8('x'), 'read.me': strToU8('x') })
      const many = Object.fromEntries(
        Array.from({ length: 200 }, (_, at) => [`many/x.save/wfc${at}.dat`, `wave ${at}`]),
      )
      const path = await folderOf('mixed', {
        'good.zip': archive,
        'bad.zip': archive.subarray(0, archive.length - 30),
        'many/vasprun.xml': output(),
        ...many,
      })
      await choose(path)
      await told('2 calculations are new, 1 cannot be read.')
      const damaged = page.getByRole('row').filter({ hasText: 'bad.zip' })
      await damaged.waitFor()
      await told('The archive cannot be read')
      await page.getByRole('row').filter({ hasText: 'many' }).getByText('201', { exact: true }).waitFor()
      await expectSound(watched)
      await page.getByRole('button', { name: 'Store 2 calculations' }).click()
      await carriedOut()
      await told('2 calculations are stored, 1 cannot be read.')
      await page.getByRole('link', { name: 'Job of mixed/many/vasprun.xml' }).click()
      await page.getByRole('button', { name: 'Save x.save/wfc199.dat' }).waitFor()
    })

    it('leaves structures to the import of structures, wherever they are', async () => {
      const path = await folderOf('both', {
        'run/vasprun.xml': output(),
        'start/si.vasp': SILICON,
        'start/read.me': 'x',
      })
      await choose(path)
      await told('1 calculation is new.')
      await page.getByRole('heading', { name: 'Structures' }).waitFor()
      await page.getByRole('row').filter({ hasText: 'si.vasp' }).getByText('Not stored').waitFor()
      await told('1 file is passed over')
      await expectSound(watched)
      await page.getByRole('button', { name: 'Take both off the list' }).click()
      await page.getByRole('button', { name: 'Take si.vasp off the list' }).click()
      const zip = zipSync({ 'si.vasp': strToU8(SILICON) })
      await page
        .getByLabel('Structure files')
        .setInputFiles([{ name: 'all.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) }])
      await page.getByRole('row').filter({ hasText: 'all.zip' }).getByText('Not stored').waitFor()
      expect(await page.getByText('passed over').count()).toBe(0)
    })

    it('takes folders that are dropped on any page', async () => {
      const path = await folderOf('dropped', { 'a/vasprun.xml': output(), 'b/c/vasprun.xml': output() })
      await page.getByRole('link', { name: 'Methods' }).click()
      await page.getByRole('heading', { name: 'Methods', level: 1 }).waitFor()
      const devtools = await window.newCDPSession(page)
      const data = { items: [], files: [path], dragOperationsMask: 1 }
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data })
      await told('2 calculations are new.')
      expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['a\nvasprun.xml', 'b/c\nvasprun.xml'])
    })
  },
)
