// `npm run screenshots`: pictures of the page in both themes, as docs/images/NAME-THEME.png, from a server of its own with the library of crystals. `-- --only plot` makes those of one name.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { type Look, launchChromium, missingChromium, newWindow } from '../test/browser/support/chromium.ts'
import { ROOT, say } from './command.mjs'
import { SHOTS, type Shot } from './screenshots/shots.ts'
import { startShownServer } from './screenshots/shown-server.ts'

const IMAGES = join(ROOT, 'docs', 'images')
/** Bytes; a larger one has no place among the sources. */
const LARGEST = 220 * 1024
/** Milliseconds in which what is drawn last, a crystal or a curve, is there. */
const DRAWN_AFTER = 1500

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const missing = missingChromium()
if (missing !== null) {
  say(missing)
  process.exit(1)
}
const shots = SHOTS.filter(({ name }) => only === undefined || name === only)
if (shots.length === 0) throw new Error(`--only ${only}: there are ${SHOTS.map(({ name }) => name).join(', ')}`)
mkdirSync(IMAGES, { recursive: true })
const server = await startShownServer()
try {
  const browser = await launchChromium()
  try {
    for (const shot of shots) {
      for (const look of shot.looks) {
        const window = await newWindow(browser, look)
        await take(await window.newPage(), shot, look)
        await window.close()
      }
    }
  } finally {
    await browser.close()
  }
} finally {
  await server.close()
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.origin}/`)
  await page.getByLabel('User name or e-mail').fill(server.user)
  await page.getByLabel('Password').fill(server.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
}

async function take(page: Page, { name, path, shows, from, key, isGuest }: Shot, { theme }: Look): Promise<void> {
  if (isGuest !== true) await signIn(page)
  const { materialId, organizationId } = server
  await page.goto(`${server.origin}${path.replace('ORGANIZATION', organizationId).replace('ID', materialId)}`)
  await page.getByText(shows).filter({ visible: true }).first().waitFor()
  if (from !== undefined)
    await page
      .getByText(from, { exact: true })
      .first()
      .evaluate((at) => at.scrollIntoView())
  if (key !== undefined) await page.keyboard.press(key)
  await page.waitForTimeout(DRAWN_AFTER)
  const file = join(IMAGES, `${name}-${theme}.png`)
  await page.screenshot({ path: file })
  const { size } = statSync(file)
  say(`${name}-${theme}: ${Math.round(size / 1024)} KB`)
  if (size <= LARGEST) return
  say(`that is more than ${LARGEST / 1024} KB`)
  process.exitCode = 1
}
