import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import {
  expectSound,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  WIDE,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()
const NEW_PASSWORD = 'nine copper kettles'

describe.skipIf(missing !== null)(`the account in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let watched: Watched
  let page: Page

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    server = await startServer()
    window = await newWindow(browser, WIDE)
    watched = await watchedPage(window, server.origin)
    ;({ page } = watched)
    await signIn(page)
    await page.goto(`${server.origin}/account`)
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  })
  afterEach(async () => {
    await window.close()
    await server.close()
  })

  async function signIn(on: Page, name = 'ada', password = PASSWORD): Promise<void> {
    await on.goto(`${server.origin}/`)
    await on.getByLabel('User name or e-mail').fill(name)
    await on.getByLabel('Password').fill(password)
    await on.getByRole('button', { name: 'Log in' }).click()
    await on.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
  }

  const focused = () => page.evaluate<string>('document.activeElement.textContent || document.activeElement.tagName')
  const statusWith = async (token: string) =>
    (await server.call('GET', 'materials', { as: 'guest', headers: { authorization: `Bearer ${token}` } })).status

  it('makes a token with the keyboard alone, which works in a real call, and not after it was deleted', async () => {
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.type('laptop')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Copy the token “laptop” now' }).waitFor()
    await expect.poll(focused).toContain('laptop')
    const token = (await page.getByRole('region', { name: 'token', exact: true }).textContent()) ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await statusWith(token)).toBe(200)
    const curl = await page.getByRole('region', { name: 'curl command' }).textContent()
    expect(curl).toContain(token)

    await page.getByRole('button', { name: 'I have copied it' }).press('Enter')
    await expect.poll(focused).toBe('API tokens')
    expect(await page.content()).not.toContain(token)
    await page.getByRole('button', { name: 'Delete laptop' }).press('Enter')
    await expect.poll(focused).toBe('Keep')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(focused).toBe('Delete it')
    await page.keyboard.press('Enter')
    await page
      .getByText('You have no API tokens.')
      .waitFor({ state: 'detached' })
      .catch(() => null)
    await expect.poll(() => statusWith(token)).toBe(401)
    await expect.poll(focused).toBe('API tokens')
    expect(watched.faults).toEqual([])
  })

  it('makes a token that only reads, in one account, for a while', async () => {
    await page.getByLabel('Name', { exact: true }).fill('reader of one')
    await page.getByLabel('In', { exact: true }).selectOption('ada only')
    await page.getByLabel('May').selectOption('read')
    await page.getByLabel('Works for').selectOption('30 days')
    await page.getByRole('button', { name: 'Generate token' }).click()
    await page.getByText('reads, in ada only').waitFor()
    // What was chosen stays for the next one, but for the name.
    expect(await page.getByLabel('Works for').inputValue()).toBe('30')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    await page.getByText('30 days left').or(page.getByText('29 days left')).waitFor()
    const { body } = await server.call('GET', 'tokens')
    const made = body.data.find(({ name }: { name: string }) => name === 'reader of one')
    expect(made).toMatchObject({ readOnly: true, oneAccount: true, accountId: server.accountIds.ada })
    await expectSound(watched)
  })

  it('ends all other sessions, which are told apart by their programs', async () => {
    const elsewhere = await newWindow(browser, { theme: 'light', width: 390 })
    const other = await watchedPage(elsewhere, server.origin)
    await signIn(other.page)
    await page.reload()
    await page.getByText('this browser').waitFor()
    expect(await page.getByText(/Chrom\w+ on Linux/).count()).toBe(2)
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('button', { name: 'End them' }).click()
    await expect.poll(() => page.getByText(/Chrom\w+ on Linux/).count()).toBe(1)
    await expect.poll(focused).toBe('Sessions')
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Log in' }).waitFor()
    await elsewhere.close()
  })

  it('changes the password, and stays signed in', async () => {
    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The current password is wrong; nothing was changed.').waitFor()

    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.locator('form .good').waitFor()
    expect(await page.locator('form .good').textContent()).toContain('Your password is changed.')
    await expect.poll(focused).toBe('Password')
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    await page.reload()
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    const second = await watchedPage(await newWindow(browser, WIDE), server.origin)
    await signIn(second.page, 'ada', NEW_PASSWORD)
    await second.page.context().close()
  })

  it('makes an organization, takes somebody in, changes the role, lets them go, and deletes it', async () => {
    await page.getByLabel('New organization').fill('Surface Lab 2')
    expect(await page.getByLabel('Its name').inputValue()).toBe('surface-lab-2')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('heading', { name: 'Surface Lab 2', level: 1 }).waitFor()
    await page.getByRole('button', { name: /change the title/ }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('title')
    await page.keyboard.press('End')
    await page.keyboard.type(' of Ada')
    await page.getByLabel('Description', { exact: true }).fill('Slabs\nand adsorbates')
    await expectSound(watched)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Surface Lab 2 of Ada', level: 1 }).waitFor()
    await page.getByText('and adsorbates').waitFor()
    await expect.poll(focused).toBe('Change title and description')
    watched.askedFor.push(/^PUT .*\/members\/nobody-of-that-name 404$/)
    await page.getByLabel('User').fill('nobody-of-that-name')
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByText('There is no user').waitFor()
    await page.getByLabel('User').fill('bob')
    await page.getByRole('button', { name: 'Add member' }).click()
    await page.getByLabel('Role of bob').selectOption('administrator')
    const id = page.url().split('/').at(-1)
    const roles = async () => (await server.call('GET', `accounts/${id}/members`)).body.data
    await expect.poll(async () => (await roles())[1]?.role).toBe('administrator')
    await expectSound(watched)
    await page.getByRole('button', { name: 'Remove bob' }).click()
    await page.getByRole('button', { name: 'Remove them' }).click()
    await expect.poll(async () => (await roles()).length).toBe(1)
    await expect.poll(focused).toBe('Members')

    await page.getByRole('link', { name: 'Account', exact: true }).first().click()
    await page.getByRole('radio', { name: 'Surface Lab 2 of Ada' }).check()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Delete the organization' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    expect(await page.getByRole('radio').count()).toBe(1)
    expect(await page.getByRole('radio', { name: 'ada' }).isChecked()).toBe(true)
  })
})
