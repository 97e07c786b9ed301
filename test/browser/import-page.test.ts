import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, startServer } from '../http/support/live-server.ts'
import {
  enter,
  expectSound,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()
const poscar = (element: string, a = 2.7) =>
  `${element} cell\n1.0\n0 ${a} ${a}\n${a} 0 ${a}\n${a} ${a} 0\n${element}\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n`
const step = (a: number, element: string) => `1\nLattice="${a} 0 0 0 ${a} 0 0 0 ${a}"\n${element} 0 0 0\n`

describe.skipIf(missing !== null)(`an import of structures${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let watched: Watched
  let page: Page

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, { theme: 'light', width: 390 })
    await enter(window, server.origin)
    watched = await watchedPage(window, server.origin)
    page = watched.page
    watched.askedFor.push(/^POST .*\/structures\/analyze 422$/)
    await page.goto(`${server.origin}/import`)
    await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
  })
  afterEach(async () => {
    expect(watched.faults).toEqual([])
    await window.close()
  })

  const choose = (files: Readonly<Record<string, string>>) =>
    page
      .getByLabel('Structure files')
      .setInputFiles(
        Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
      )
  const told = (text: string | RegExp) => page.locator('main').getByText(text).first().waitFor()
  const found = async (query: object, account?: string) => {
    const headers = account === undefined ? {} : { 'x-account-id': account }
    return (await server.call('POST', 'materials/search', { body: { query }, headers })).body.data
  }
  const pasteAnywhere = (text: string) =>
    page.evaluate(`{
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', ${JSON.stringify(text)})
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }`)

  it('shows what is pasted anywhere, and stores it when told to; the second time it is there already', async () => {
    await pasteAnywhere(poscar('Si'))
    const row = page.getByRole('row').filter({ hasText: 'Not stored' })
    await row.getByText('Si', { exact: true }).first().waitFor()
    expect(await found({ formula: 'Si' })).toEqual([])
    await row.getByRole('button', { name: 'Details of pasted' }).click()
    await page.locator('.crystal-view').waitFor()
    await expectSound(watched)
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    await told('Stored as')
    await pasteAnywhere(poscar('Si'))
    await told('2 files: 1 is stored, 1 can be stored.')
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    await told('There already:')
    expect(await found({ formula: 'Si' })).toHaveLength(1)
  })

  it('asks before it is left while structures are on their way', async () => {
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.route('**/materials/import?*', () => undefined)
    await pasteAnywhere(poscar('Ge'))
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    await told('1 file: 1 is being stored.')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toEqual(['beforeunload'])
  })

  it('says first how many can be stored, folds the others together, and stores what is chosen as it is said', async () => {
    const { body } = await server.call('POST', 'accounts', { body: { name: 'surface-lab' } })
    const account = body.data._id
    await page.evaluate('localStorage.clear()')
    await page.reload()
    await page.getByLabel('Import into the account').selectOption('surface-lab')
    await choose({
      'Ge.vasp': poscar('Ge', 2.9),
      'Sn.vasp': poscar('Sn', 3.2),
      'C.vasp': poscar('C', 1.8),
      'notes.txt': 'dear diary',
      'todo.txt': 'nothing',
      'plan.txt': 'later',
      'bad.cif': 'data_x\n_cell_length_a nothing\n',
    })
    await told(/^7 files: 3 can be stored, 4 cannot\.$/)
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByText('4 files cannot be stored').click()
    await told('If it is one, choose its format.')
    await expectSound(watched)
    await page.getByLabel('Name of Ge.vasp').fill('Germanium')
    await page.getByLabel('Store C.vasp').uncheck()
    await page.getByLabel('Tags').fill('imported, checked')
    await page.getByLabel('Into the set').selectOption('a new one…')
    await page.getByLabel('Name of the set').fill('From files')
    await page.getByLabel('Who sees them').selectOption('everybody')
    await page.getByRole('button', { name: 'Store 2' }).click()
    await told(/^7 files: 2 are stored, 1 is not chosen, 4 cannot\.$/)
    await page.getByRole('link', { name: 'Show the 2 materials' }).waitFor()
    const stored = await found({ tags: { $all: ['imported', 'checked'] }, isPublic: true }, account)
    expect(stored.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Germanium', 'Sn cell'])
    const sets = async () => found({ name: 'From files', isEntitySet: true }, account)
    await expect.poll(async () => (await sets()).length).toBe(1)
    const [set] = await sets()
    // They come into the set when all are stored.
    await expect.poll(async () => (await found({ 'inSet._id': set._id }, account)).length).toBe(2)
  })

  it('takes the frame that is said of a file of several, or all as a set', async () => {
    await choose({ 'relax.xyz': [step(3.1, 'Po'), step(3.2, 'Jj'), step(3.3, 'Po')].join('') })
    await page.getByRole('button', { name: 'Details of relax.xyz' }).click()
    await told('The file holds 3 structures')
    await page.getByLabel('Frame of relax.xyz').fill('2')
    await page.keyboard.press('Tab')
    await told('3.300, 3.300, 3.300 Å')
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    await told('Stored as')
    expect((await found({ formula: 'Po' }))[0].lattice.a).toBeCloseTo(3.3)
    await page.getByRole('button', { name: 'Take all off the list' }).click()
    await choose({ 'relax.xyz': [step(3.1, 'Po'), step(3.2, 'Jj'), step(3.4, 'Po')].join('') })
    await page.getByLabel('Of a file of several structures').selectOption('all are stored, as a set')
    await page.getByRole('button', { name: 'Store', exact: true }).click()
    await page.getByRole('link', { name: 'a set of 3 structures' }).waitFor()
    await page.getByRole('button', { name: 'Details of relax.xyz' }).click()
    await told('relax.xyz #1: refused: Line 3')
    await page.getByRole('link', { name: 'a set of 3 structures' }).first().click()
    await page.getByRole('heading', { name: 'relax.xyz' }).waitFor()
    expect(await page.locator('.sets a').allTextContents()).toEqual(['Po #0', 'Po #2'])
  })

  it('may be tried again where that can help', async () => {
    watched.askedFor.push(/analyze 429$/)
    let asked = 0
    const busy = { status: 'error', code: 42900, message: 'The server is busy.', data: {} }
    await page.route('**/structures/analyze', (route) =>
      ++asked === 1 ? route.fulfill({ status: 429, json: busy }) : route.continue(),
    )
    await choose({ 'Mg.vasp': poscar('Mg', 2.8) })
    await page.getByText('1 file cannot be stored').click()
    await told('The server is busy.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await told('1 file: 1 can be stored.')
  })
})
