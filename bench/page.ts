// How soon a browser shows what was asked: `npx tsx bench/page.ts http://127.0.0.1:3000 USER PASSWORD`, on an idle machine, with a server that runs.
// Times are of the browser's own clock: from the start of a navigation to the first row, and from the end of an answer to the frame that shows it.
import type { BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/support/chromium.ts'

const [origin = '', user = '', password = ''] = process.argv.slice(2)
const ROUNDS = 20
const TARGETS = { tableMs: 250, paintMs: 50, firstRequests: 5, warmRequests: 3, phoneY: 200 }

/** Runs in the page, before its own scripts. */
const NOTE_TIMES = `
  window.noted = { firstRow: null, paints: [] }
  let said = ''
  new MutationObserver(() => {
    if (window.noted.firstRow === null && document.querySelector('table.records tbody tr') !== null) window.noted.firstRow = performance.now()
    const now = document.querySelector('table.records tbody th')?.textContent ?? ''
    if (now === '' || now === said) return
    said = now
    const lists = performance.getEntriesByType('resource').filter(({ name }) => /[/]materials[?]/.test(name))
    const end = lists.at(-1)?.responseEnd ?? 0
    requestAnimationFrame(() => setTimeout(() => window.noted.paints.push(performance.now() - end)))
  }).observe(document, { childList: true, subtree: true, characterData: true })`

function sorted(times: readonly number[]): readonly number[] {
  return times.toSorted((a, b) => a - b)
}

function at(times: readonly number[], share: number): number {
  return sorted(times)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

function row(what: string, value: number, unit: string, target: number): void {
  process.stdout.write(`${what.padEnd(52)}${value.toFixed(1).padStart(8)} ${unit.padEnd(4)} at most ${target}\n`)
}

async function signedIn(page: Page): Promise<void> {
  await page.goto(`${origin}/`)
  await page.getByLabel('User name or e-mail').fill(user)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.locator('table.records tbody tr').first().waitFor()
}

async function tableTimes(page: Page): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto(`${origin}/materials`)
    await page.locator('table.records tbody tr').first().waitFor()
    times.push(await page.evaluate<number>('window.noted.firstRow'))
  }
  return times
}

/** The list is sorted one way and the other, a row more each time. */
async function paintTimes(page: Page): Promise<readonly number[]> {
  await page.goto(`${origin}/materials`)
  for (let round = 0; round < ROUNDS; round++) {
    const before = await page.evaluate<number>('window.noted.paints.length')
    await page.locator('table.records thead').getByText('Volume').click()
    while ((await page.evaluate<number>('window.noted.paints.length')) === before) await page.waitForTimeout(5)
  }
  return page.evaluate<number[]>('window.noted.paints.slice(1)')
}

/** Requests that reach the server. */
async function requestsOf(window: BrowserContext, isSignedIn: boolean): Promise<number> {
  const page = await window.newPage()
  await page.goto(`${origin}/materials`)
  await (isSignedIn ? page.locator('table.records tbody tr').first() : page.getByLabel('Password')).waitFor()
  // The stream of events never ends: what there is to filter by comes last.
  if (isSignedIn) await page.locator('.facet-value').first().waitFor()
  const sent = await page.evaluate<number>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter(({ transferSize }) => transferSize > 0).length`,
  )
  await page.close()
  return sent
}

const browser = await launchChromium()
try {
  const guest = await browser.newContext()
  row('requests of a first load', await requestsOf(guest, false), '', TARGETS.firstRequests)
  const window = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await window.addInitScript({ content: NOTE_TIMES })
  const page = await window.newPage()
  await signedIn(page)
  row('requests of a list, files known', await requestsOf(window, true), '', TARGETS.warmRequests)
  row('first row after a navigation, median', at(await tableTimes(page), 0.5), 'ms', TARGETS.tableMs)
  row('from answer to frame, 95 of 100', at(await paintTimes(page), 0.95), 'ms', TARGETS.paintMs)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${origin}/materials`)
  await page.locator('table.records tbody tr').first().waitFor()
  const box = await page.locator('table.records tbody tr').first().boundingBox()
  row('first result on a phone, from the top', box?.y ?? Number.NaN, 'px', TARGETS.phoneY)
} finally {
  await browser.close()
}
