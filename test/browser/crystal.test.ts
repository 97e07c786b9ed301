import { readFileSync } from 'node:fs'
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

/** In the page: where each atom is that nothing hides, from the upper left corner of the window, with the hue of its element. */
const SEEN = `(() => {
  const view = document.querySelector('crystal-view')
  const { scene, camera } = view
  const { left, top } = view.getBoundingClientRect()
  const [right, up, towards] = camera.rotation
  const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
  const places = scene.positions.map((place) => {
    const arm = place.map((along, axis) => along - camera.center[axis])
    return [camera.width / 2 + camera.scale * dot(right, arm), camera.height / 2 - camera.scale * dot(up, arm), dot(towards, arm)]
  })
  const radius = (atom) => scene.radii[scene.kinds[atom]] * camera.scale
  const isFree = (atom) => places.every((other, i) => i === atom || other[2] < places[atom][2] ||
    Math.hypot(other[0] - places[atom][0], other[1] - places[atom][1]) > radius(i) + 3)
  return places.flatMap(([x, y], atom) => isFree(atom)
    ? [{ x: left + x, y: top + y, element: scene.structure.species[scene.atoms[atom].site] }] : [])
})()`

/** In an empty page: the colours of a picture at some places. */
const READ = `async ([picture, places]) => {
  const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return places.map(({ x, y }) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3))
}`

interface SeenAtom {
  readonly x: number
  readonly y: number
  readonly element: string
}

describe.skipIf(missing !== null)(`a crystal in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let watched: Watched
  let page: Page
  let id: string

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    const salt = new URL('../../samples/materials/nacl-rocksalt.json', import.meta.url)
    const { body } = await server.call('POST', 'materials', { body: JSON.parse(readFileSync(salt, 'utf8')) })
    id = body.data._id
    await server.call('POST', 'materials', { body: { ...JSON.parse(readFileSync(salt, 'utf8')), name: 'Salt again' } })
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, WIDE)
    watched = await watchedPage(window, server.origin)
    page = watched.page
    await page.goto(`${server.origin}/materials/${id}`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await drawn()
  })
  afterEach(() => window.close())

  async function drawn(): Promise<void> {
    await page.locator('crystal-view').waitFor()
    await expect.poll(() => page.evaluate(`document.querySelector('crystal-view').drawnBy`)).toMatch(/gl|flat/)
  }

  async function colorsOf(places: readonly SeenAtom[]): Promise<readonly (readonly [number, number, number])[]> {
    const picture = (await page.screenshot()).toString('base64')
    const reader = await browser.newPage()
    try {
      return await reader.evaluate(`(${READ})(${JSON.stringify([picture, places])})`)
    } finally {
      await reader.close()
    }
  }

  it.each(['gl', 'flat'])('has the colour of each atom that is seen where that atom is, drawn by %s', async (name) => {
    await page.evaluate(`(() => {
      const old = document.querySelector('crystal-view')
      const view = document.createElement('crystal-view')
      view.setAttribute('renderer', '${name}')
      view.className = old.className
      view.structure = old.structure
      old.replaceWith(view)
    })()`)
    await drawn()
    // Two frames later it is on the screen.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await page.evaluate(`document.querySelector('crystal-view').drawnBy`)).toBe(name)
    const atoms = await page.evaluate<SeenAtom[]>(SEEN)
    expect(new Set(atoms.map(({ element }) => element))).toEqual(new Set(['Na', 'Cl']))
    for (const [index, [red, green, blue]] of (await colorsOf(atoms)).entries()) {
      const isPurple = blue > red && red > green + 40
      const isGreen = green > red + 40 && green > blue + 40
      expect([atoms[index]?.element, isPurple, isGreen]).toEqual(
        atoms[index]?.element === 'Na' ? ['Na', true, false] : ['Cl', false, true],
      )
    }
  })

  it.each(['gl', 'flat'])('has slices of the species that share a site, drawn by %s', async (name) => {
    await page.evaluate(`(() => {
      const old = document.querySelector('crystal-view')
      const view = document.createElement('crystal-view')
      view.setAttribute('renderer', '${name}')
      view.className = old.className
      const shares = [{ symbol: 'Na', share: 0.5 }, { symbol: 'Cl', share: 0.5 }]
      view.structure = { lattice: [[3, 0, 0], [0, 3, 0], [0, 0, 3]], periodic: [true, true, true], species: ['Na'],
        fractions: [[0.5, 0.5, 0.5]], mixtures: new Map([[0, shares]]) }
      old.replaceWith(view)
    })()`)
    await drawn()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const [atom] = await page.evaluate<SeenAtom[]>(SEEN)
    if (atom === undefined) throw new Error('nothing is drawn')
    const [right, left] = await colorsOf([
      { ...atom, x: atom.x + 15 },
      { ...atom, x: atom.x - 15 },
    ])
    expect((right?.[2] ?? 0) - (right?.[1] ?? 0)).toBeGreaterThan(40)
    expect((left?.[1] ?? 0) - (left?.[2] ?? 0)).toBeGreaterThan(40)
  })

  it('is measured in by the keyboard, says what it finds, and lets the focus go', async () => {
    const view = page.locator('crystal-view')
    await view.focus()
    await page.keyboard.press('m')
    await page.getByText('Pick two atoms for a distance').waitFor()
    await page.keyboard.press('Tab')
    await page
      .getByText(/^Na 1 at 0, 0, 0$/)
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    for (let step = 0; step < 8; step++) await page.keyboard.press('Tab')
    await page
      .getByText(/^Cl 2 at 0.5, 0.5, 0.5$/)
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.crystal-told', { hasText: 'Na 1 – Cl 2: 4.885 Å' }).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.locator('.crystal-told', { hasText: /Na 1 – Cl 2 – Na 1: [\d.]+°/ }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Measure' }).getAttribute('aria-pressed')).toBe('false')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.localName')).not.toBe('crystal-view')
  })

  it('is turned by hand and by key, and looks along an axis that is asked for', async () => {
    const rotation = () => page.evaluate<number[][]>(`document.querySelector('crystal-view').rotation`)
    const first = await rotation()
    const box = await page.locator('crystal-view').boundingBox()
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 90, y + 30, { steps: 4 })
    await page.mouse.up()
    const turned = await rotation()
    expect(turned).not.toEqual(first)
    await page.locator('crystal-view').press('ArrowLeft')
    expect(await rotation()).not.toEqual(turned)
    await page.getByRole('button', { name: 'Look along c' }).click()
    const [, , towards] = await rotation()
    expect(towards?.map((part) => Math.round(part * 1e6) / 1e6 + 0)).toEqual([0, 0, 1])
    await page.locator('crystal-view').press('0')
    expect(await rotation()).toEqual(first)
  })

  it('is saved as PNG at 300 dpi and as SVG', async () => {
    const saved = async (name: string) => {
      await page.getByRole('button', { name: 'Picture' }).click()
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
      await page.keyboard.press('Escape')
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
    }
    const png = await saved('PNG, 300 dpi')
    expect([png.name.endsWith('.png'), png.bytes.readUInt32BE(16)]).toEqual([true, 1890])
    expect(png.bytes.subarray(37, 41).toString()).toBe('pHYs')
    const svg = await saved('SVG')
    expect(svg.bytes.toString()).toContain('<svg xmlns="http://www.w3.org/2000/svg" width="160mm"')
  })

  it('shows polyhedra, more cells and bonds across the cell, and stays sound', async () => {
    const atoms = () => page.evaluate<number>(`document.querySelector('crystal-view').scene.atoms.length`)
    const before = await atoms()
    await page.getByRole('button', { name: 'Polyhedra' }).click()
    await page.getByLabel('Cells along a').fill('2')
    await page.getByLabel('Cells along a').press('Tab')
    await expect.poll(atoms).toBeGreaterThan(before)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByLabel('Bonds').selectOption('across')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(`document.querySelector('crystal-view').scene.polyhedra.length`)).toBeGreaterThan(0)
    await expectSound(watched)
  })

  it('is small beside those that are like it', async () => {
    await page.goto(`${server.origin}/materials/${id}?section=similar`)
    await page.getByText('Salt again').first().scrollIntoViewIfNeeded()
    const ground = () =>
      page.evaluate<number>(`(() => {
        const canvas = document.querySelector('.thumbnail canvas')
        if (canvas.width === 0) return 0
        const read = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
        read.drawImage(canvas, 0, 0)
        return read.getImageData(0, 0, canvas.width, canvas.height).data.filter((part) => part > 0).length
      })()`)
    await expect.poll(ground).toBeGreaterThan(500)
    await expectSound(watched)
  })
})
