import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { PASSWORD } from '../../http/support/live-server.ts'

/** Where packages of Linux distributions put it. First the one without a frame: each window of a whole browser takes 0.8 processor seconds before it shows anything. */
const INSTALLED = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

function programOf(): string | null {
  return process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? null
}

/** Why there is no browser to test with; null where there is. */
export function missingChromium(): string | null {
  return programOf() === null ? `no Chromium at ${INSTALLED.join(', ')}, and CHROMIUM names none` : null
}

export function launchChromium(parameters: readonly string[] = []): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  // Chromium has no sandbox for root.
  return chromium.launch({
    executablePath: programOf() ?? '',
    args: [...(isRoot ? ['--no-sandbox'] : []), ...parameters],
  })
}

/** How a page is looked at. */
export interface Look {
  readonly theme: 'light' | 'dark'
  /** CSS pixels. */
  readonly width: number
}

export const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  [1440, 390].map((width) => ({ theme, width })),
)

/** Where the look does not matter. */
export const WIDE: Look = { theme: 'light', width: 1440 }

/** A window of a person's own: what was signed in elsewhere is not here. */
export function newWindow(browser: Browser, { theme, width }: Look): Promise<BrowserContext> {
  return browser.newContext({ colorScheme: theme, viewport: { width, height: 844 }, reducedMotion: 'reduce' })
}

/** Signs somebody in who has the password of tests, without the page: it is tried elsewhere. */
export async function enter(window: BrowserContext, origin: string, username = 'ada'): Promise<void> {
  const headers = { 'x-quarry-page': '1' }
  const answer = await window.request.post(`${origin}/api/2018-10-01/session`, {
    headers,
    data: { username, password: PASSWORD },
  })
  expect(answer.status()).toBe(200)
}

/** A page, and all that went wrong on it since it was opened. */
export interface Watched {
  readonly page: Page
  readonly faults: readonly string[]
  /** Refusals that a test asks for, as `GET /api/2018-10-01/materials/nope 404`; every other one is a fault. */
  readonly askedFor: RegExp[]
}

/** What browsers themselves note of every answer that is a refusal: it names no address. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d /

/** Runs in the page, before its own scripts. */
const NOTE_VIOLATIONS = `
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    window.noteViolation(violatedDirective + ' ' + blockedURI)
  })`

/** Opens an empty page that notes what the console says, what the server refuses, what the policy of contents stops, and what is asked of any other server. */
export async function watchedPage(window: BrowserContext, origin: string): Promise<Watched> {
  const page = await window.newPage()
  const faults: string[] = []
  const askedFor: RegExp[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!REFUSED.test(message.text())) faults.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    const told = `${response.request().method()} ${response.url().slice(origin.length)} ${response.status()}`
    if (response.status() >= 400 && !askedFor.some((one) => one.test(told))) faults.push(`refused: ${told}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`outside: ${request.url()}`)
  })
  await page.exposeFunction('noteViolation', (text: string) => faults.push(`policy: ${text}`))
  await page.addInitScript({ content: NOTE_VIOLATIONS })
  return { page, faults, askedFor }
}

/** Runs in the page. What passes is not asked for: to tell of it takes four times as long as to find what does not. */
const VIOLATIONS = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`

/** Holds what is shown to the rules of axe-core, and to its width. */
export async function expectSound({ page, faults }: Pick<Watched, 'page' | 'faults'>): Promise<void> {
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source)
  expect(await page.evaluate(VIOLATIONS)).toEqual([])
  const [shown, width] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  expect(shown).toBeLessThanOrEqual(width)
  expect(faults).toEqual([])
}

/** The same in both themes and widths, of a page that is opened once; it is left as it was. */
export async function expectSoundInAllLooks({ page, faults }: Pick<Watched, 'page' | 'faults'>): Promise<void> {
  const before = page.viewportSize() ?? { width: WIDE.width, height: 844 }
  for (const { theme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ ...before, width })
    await expectSound({ page, faults })
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(before)
}
