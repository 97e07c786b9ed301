import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
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

describe.skipIf(missing !== null)(`in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let recordId: string
  let methodId: string
  let setId: string
  let organizationId: string

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    for (const [name, a] of [
      ['Silicon', 3.867],
      ['Germanium', 4.002],
    ] as const) {
      const { body } = await server.call('POST', 'materials', { body: material(name, { tags: ['cubic'] }, a) })
      recordId = body.data._id
    }
    methodId = (await server.call('POST', 'methods', { body: method('Norm-conserving') })).body.data._id
    const set = { name: 'Semiconductors', entitySetType: 'ordered' }
    setId = (await server.call('PUT', 'materials/create-set', { body: set })).body.data._id
    await server.call('POST', 'tokens', { body: { name: 'notebook' } })
    organizationId = (await server.call('POST', 'accounts', { body: { name: 'surface-lab' } })).body.data._id
    await server.call('PUT', `accounts/${organizationId}/members/bob`)
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  async function signIn({ page }: Pick<Watched, 'page'>, of: LiveServer = server): Promise<void> {
    await page.goto(`${of.origin}/`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
  }

  async function logOut({ page }: Pick<Watched, 'page'>): Promise<void> {
    await page.getByRole('button', { name: 'ada' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
  }

  describe('in both themes and widths', () => {
    let window: BrowserContext
    let watched: Watched
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
      watched = await watchedPage(window, server.origin)
    })
    afterEach(() => window.close())

    it('the page of a guest is sound', async () => {
      await watched.page.goto(`${server.origin}/`)
      await watched.page.getByRole('heading', { name: 'Log in' }).waitFor()
      await expectSoundInAllLooks(watched)
    })

    it.each<[page: string, path: () => string, shown: string, refused?: RegExp]>([
      ['the list of materials', () => '/materials', 'Silicon'],
      ['a query as people type it', () => `/materials?query={formula:'Si'}`, 'Silicon'],
      ['a plot', () => '/materials?x=volume&y=density&color=formula', '2 points of 3 records'],
      [
        'a query that is refused',
        () => '/materials?query={"a":{"$gtt":1}}',
        '"$gtt"',
        /^(GET|POST) .*\/materials(\?|\/facets).*400$/,
      ],
      ['a material', () => `/materials/${recordId}`, 'Germanium'],
      ['the powder pattern of a material', () => `/materials/${recordId}?section=diffraction`, 'Save peaks as CSV'],
      ['the versions of a material', () => `/materials/${recordId}?section=history`, 'There is one version'],
      ['a material that is not there', () => '/materials/nothing', 'Error 404', /^GET .*\/materials\/nothing\b.* 404$/],
      ['the list of methods', () => '/methods', 'Norm-conserving'],
      ['the list of jobs', () => '/jobs', 'There is no job yet'],
      ['the list of properties', () => '/properties', 'There is no property yet'],
      ['phase diagrams of nothing', () => '/phase-diagram', 'There is no compound with one yet'],
      ['a material that is edited', () => `/materials/${recordId}/edit`, 'All other fields'],
      ['the sets', () => '/sets', 'New set'],
      ['a method', () => `/methods/${methodId}`, 'Norm-conserving'],
      ['a method that is edited', () => `/methods/${methodId}/edit`, 'All other fields'],
      ['a new method', () => '/methods/new', 'All other fields'],
      ['a set', () => `/sets/${setId}`, 'Semiconductors'],
      ['the import', () => '/import', 'Drop files or folders here'],
      ['what was deleted', () => '/removed', 'Changes that can be undone'],
      ['the account with its tokens', () => '/account', 'notebook'],
      ['an organization', () => `/accounts/${organizationId}`, 'Members'],
      ['an operation of the reference', () => '/docs#updateMaterial', 'Send PATCH'],
      ['a page of the reference', () => '/docs/query-language', 'This page as text'],
      ['a guide', () => '/docs/run-it-for-a-lab', 'This page as text'],
    ])('%s is sound', async (_page, path, shown, refused) => {
      await enter(window, server.origin)
      if (refused !== undefined) watched.askedFor.push(refused)
      await watched.page.goto(`${server.origin}${path()}`)
      await watched.page.getByText(shown).first().waitFor()
      await expectSoundInAllLooks(watched)
    })

    it('the menu is sound', async () => {
      await enter(window, server.origin)
      await watched.page.goto(`${server.origin}/materials`)
      await watched.page.getByRole('button', { name: 'ada' }).click()
      await expectSoundInAllLooks(watched)
    })

    it('the reference is sound', async () => {
      await watched.page.goto(`${server.origin}/docs`)
      await watched.page.locator('#logIn').waitFor()
      await expectSoundInAllLooks(watched)
    })
  })

  describe('who signs in', () => {
    let window: BrowserContext
    beforeEach(async () => {
      window = await newWindow(browser, WIDE)
    })
    afterEach(() => window.close())

    it('is signed in in every tab, after a reload too, until logging out in one of them', async () => {
      const first = await watchedPage(window, server.origin)
      await signIn(first)
      const second = await watchedPage(window, server.origin)
      await second.page.goto(`${server.origin}/materials/${recordId}`)
      await second.page.getByText('Germanium').first().waitFor()
      await first.page.reload()
      await first.page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()

      await logOut(first)
      await first.page.getByText('You are logged out.').waitFor()
      await second.page.reload()
      await second.page.getByRole('heading', { name: 'Log in' }).waitFor()
      expect([first.faults, second.faults]).toEqual([[], []])
    })

    it('finds the record that an old address meant', async () => {
      const { page } = await watchedPage(window, server.origin)
      await signIn({ page })
      await page.goto(`${server.origin}/#/materials/${recordId}`)
      await page.getByRole('heading', { name: 'Germanium' }).waitFor()
      expect(page.url()).toBe(`${server.origin}/materials/${recordId}`)
    })

    it('chooses the theme for good', async () => {
      const { page } = await watchedPage(window, server.origin)
      await page.goto(server.origin)
      const paper = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      const before = await paper()
      await page.getByRole('button', { name: 'Theme' }).click()
      await page.getByLabel('dark').check()
      expect(await paper()).not.toBe(before)
      const dark = await paper()
      await page.reload()
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      expect(await paper()).toBe(dark)
    })

    it('comes back to the list as it was, in its place, with the focus on what was left', async () => {
      const { page } = await watchedPage(window, server.origin)
      await signIn({ page })
      await page.setViewportSize({ width: 390, height: 400 })
      await page.goto(`${server.origin}/materials?sort=-lattice.a`)
      const link = page.getByRole('link', { name: 'Silicon' })
      await link.waitFor()
      await page.setViewportSize({ width: 390, height: 200 })
      await page.evaluate('scrollTo(0, 100)')
      const y = await page.evaluate<number>('scrollY')
      expect(y).toBeGreaterThan(0)
      await link.click()
      await page.getByRole('heading', { name: 'Silicon' }).waitFor()
      expect(await page.evaluate('scrollY')).toBe(0)
      await page.getByRole('link', { name: '← Materials' }).click()
      const place = () => page.evaluate('[scrollY, document.activeElement.textContent]')
      await expect.poll(place).toEqual([y, 'Silicon'])
      expect(page.url()).toBe(`${server.origin}/materials?sort=-lattice.a`)
    })

    it('leaves nothing that a script of the page could read but who it is', async () => {
      const { page } = await watchedPage(window, server.origin)
      await signIn({ page })
      const readable = await page.evaluate('[document.cookie, { ...sessionStorage }, Object.keys(localStorage)]')
      expect(readable).toEqual(['', {}, ['quarry.me /']])
      const [cookie] = await window.cookies()
      expect(await page.evaluate(`localStorage.getItem('quarry.me /')`)).not.toContain(cookie?.value)
      expect(cookie).toMatchObject({ name: `quarry_${server.port}`, httpOnly: true, sameSite: 'Strict', path: '/' })
    })

    it('is signed in to one of two servers of a host, whatever happens at the other', async () => {
      const other = await startServer()
      try {
        const here = await watchedPage(window, server.origin)
        const there = await watchedPage(window, other.origin)
        await signIn(here)
        await signIn(there, other)
        await logOut(there)
        await there.page.getByText('You are logged out.').waitFor()
        await here.page.reload()
        await here.page.getByText('Silicon').waitFor()
      } finally {
        await other.close()
      }
    })

    it('is nobody to a page of another origin, which can neither use the cookie nor sign in', async () => {
      const own = await watchedPage(window, server.origin)
      await signIn(own)
      const other = await startServer()
      try {
        const { page } = await watchedPage(window, other.origin)
        await page.goto(`${other.origin}/docs/api.md`)
        const address = JSON.stringify(`${server.origin}/api/2018-10-01/materials`)
        const ask = (headers: object) =>
          page.evaluate(
            `fetch(${address}, { credentials: 'include', headers: ${JSON.stringify(headers)} }).then(({ status }) => status, () => 'stopped')`,
          )
        const answers = [await ask({}), await ask({ 'x-quarry-page': '1' })]
        expect(answers).toEqual(['stopped', 'stopped'])
      } finally {
        await other.close()
      }
    })
  })
})
