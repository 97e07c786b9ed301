import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import {
  expectSound,
  expectSoundInAllLooks,
  launchChromium,
  missingChromium,
  newWindow,
  WIDE,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()

/** A rock salt of two elements. */
function salt(name: string, [one, other]: readonly [string, string], a: number) {
  const made = material(name, { tags: ['salt'] }, a)
  const elements = [
    { id: 0, value: one },
    { id: 1, value: other },
  ]
  const coordinates = [
    { id: 0, value: [0, 0, 0] },
    { id: 1, value: [0.5, 0.5, 0.5] },
  ]
  return { ...made, basis: { ...made.basis, elements, coordinates } }
}

describe.skipIf(missing !== null)(`materials in a browser${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let page: Page
  let faults: readonly string[]
  let refused: string[]

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
    const made = [
      material('Silicon', { tags: ['cubic'] }, 3.867),
      material('Strained silicon', { tags: ['cubic', 'strained'] }, 4.2),
      { ...salt('Halite', ['Na', 'Cl'], 3.99), bandGap: 8.5 },
      { ...salt('Sylvite', ['K', 'Cl'], 4.45), bandGap: 7.6 },
      salt('Periclase', ['Mg', 'O'], 2.98),
    ]
    for (const body of made) await server.call('POST', 'materials', { body })
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, WIDE)
    ;({ page, faults } = await watchedPage(window, server.origin))
    refused = []
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(`${server.origin}/`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: '5 materials' }).waitFor()
  })
  afterEach(async () => {
    await window.close()
    expect(refused).toEqual([])
  })

  const namesInOrder = () => page.locator('table.records tbody th').allTextContents()
  const names = async () => (await namesInOrder()).sort()
  const chips = () => page.locator('.chips .chip-words').allTextContents()
  const searchNow = () => new URL(page.url()).searchParams.get('search')
  const queryNow = () => JSON.parse(new URL(page.url()).searchParams.get('query') ?? '{}')
  async function search(text: string): Promise<void> {
    await page.getByLabel('Search', { exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }

  it.each<[typed: string, chip: string, found: readonly string[]]>([
    ['ClNa', 'Formula: NaCl', ['Halite']],
    ['Cl, K', 'with Cl, K', ['Sylvite']],
    ['O-Mg', 'system Mg-O', ['Periclase']],
    ['strained', '“strained”', ['Strained silicon']],
    ["{tags: 'strained'}", 'Tags: strained', ['Strained silicon']],
    ['halite or Mg-O', '“halite” or system Mg-O', ['Halite', 'Periclase']],
    ['nacl', '“nacl” or Formula: NaCl', ['Halite']],
    ['Na or K', 'with any of Na, K', ['Halite', 'Sylvite']],
    ['salt, not Cl', 'without Cl', ['Periclase']],
    ['bandGap > 1', 'Band gap > 1', ['Halite', 'Sylvite']],
    ['gap 1-8', 'Band gap 1 – 8', ['Sylvite']],
    ['salt silicon', '“salt”', []],
  ])('%s in the search line finds what is meant', async (typed, chip, found) => {
    await search(typed)
    await expect.poll(names).toEqual(found)
    expect(searchNow()).toBe(typed)
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe(typed)
    await page
      .getByRole('list', { name: 'What is asked' })
      .getByText(chip.split(' ')[0] ?? '')
      .first()
      .waitFor()
    await expect.poll(chips).toContain(chip)
    expect(faults).toEqual([])
  })

  it('a second search takes the place of the first, and filters stay', async () => {
    await search('NaCl')
    await expect.poll(names).toEqual(['Halite'])
    await page.getByRole('group', { name: 'Tags' }).getByLabel('salt').check()
    await search('MgO')
    await expect.poll(names).toEqual(['Periclase'])
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('MgO')
    await expect.poll(chips).toEqual(['Formula: MgO', 'Tags: salt'])
    await page.reload()
    await expect.poll(names).toEqual(['Periclase'])
    await page.goBack()
    await page.goBack()
    await expect.poll(names).toEqual(['Halite'])
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('NaCl')
    expect(faults).toEqual([])
  })

  it('the next search is typed over the last one, at once and when it is gone to by key', async () => {
    await search('NaCl')
    await expect.poll(names).toEqual(['Halite'])
    await page.keyboard.type('MgO')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['Periclase'])
    await page.getByLabel('Choose Periclase').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('NaCl')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['Halite'])
    expect(faults).toEqual([])
  })

  it('what is asked is taken away chip by chip, and the way back is the way there', async () => {
    await search('Cl, K')
    await expect.poll(names).toEqual(['Sylvite'])
    await page.getByRole('button', { name: 'Without: with Cl, K' }).click()
    await page.getByRole('heading', { name: '5 materials' }).waitFor()
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('')
    await page.goBack()
    await expect.poll(names).toEqual(['Sylvite'])
  })

  it('a chip is written anew by keyboard, and taken for what else it may mean', async () => {
    await search('salt, volume > 30')
    await page.getByRole('button', { name: 'Change: Volume > 30 Å³' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Condition').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Change: Volume > 30 Å³' }).press('Enter')
    await page.getByLabel('Condition').fill('volume >')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('A number is expected').waitFor()
    await expectSound({ page, faults })
    await page.getByLabel('Condition').fill('volume < 30')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(['Periclase'])
    expect(searchNow()).toBe('salt, volume < 30')
    await page.getByRole('button', { name: 'Change: “salt”' }).press('Delete')
    await expect.poll(searchNow).toBe('volume < 30')
    await search('B1')
    await page.getByRole('button', { name: /^Change: .*B1/ }).click()
    await page.getByRole('button', { name: 'Take it for: formula: B1' }).click()
    await expect.poll(chips).toEqual(['Formula: B'])
  })

  it('an empty answer says what to leave out', async () => {
    await search('silicon, NaCl, bandGap > 1')
    const ways = page.getByRole('list', { name: 'What else there is' })
    await ways.getByText('without “silicon”: 1').waitFor()
    await expect
      .poll(() => ways.getByRole('listitem').allTextContents())
      .toEqual(['without “silicon”: 1', 'without Formula: NaCl: 0', 'without Band gap > 1: 0'])
    await expectSoundInAllLooks({ page, faults })
    await ways.getByRole('button', { name: 'without “silicon”: 1' }).click()
    await expect.poll(names).toEqual(['Halite'])
    expect(searchNow()).toBe('NaCl, bandGap > 1')
    await search('silicon, NaCl, MgO, density > 90')
    await expect
      .poll(() => ways.getByRole('button').allTextContents())
      .toEqual(['only “silicon”: 2', 'only Formula: NaCl, MgO: 2'])
    await ways.getByRole('button', { name: 'only “silicon”: 2' }).click()
    await expect.poll(names).toEqual(['Silicon', 'Strained silicon'])
  })

  it('suggestions are taken by keyboard', async () => {
    const line = page.getByLabel('Search', { exact: true })
    await line.focus()
    await page.keyboard.type('bandg')
    await page.getByRole('option', { name: /^bandGap/ }).waitFor()
    await expectSoundInAllLooks({ page, faults })
    const chosen = page.locator('[role=option][aria-selected=true]')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await chosen.waitFor()
    const isWanted = async () => (await chosen.textContent())?.startsWith('bandGap')
    if (!(await isWanted())) await page.keyboard.press('ArrowDown')
    await expect.poll(isWanted).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => line.inputValue()).toBe('bandGap > ')
    await page.keyboard.type('1, strai')
    await page.getByRole('option', { name: /^strained/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await page.keyboard.type('n')
    await page.getByRole('option', { name: /^strained/ }).click()
    await expect.poll(() => line.inputValue()).toBe('bandGap > 1, tag: strained')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'What else there is' }).getByText('without Band gap > 1: 1').waitFor()
    expect(faults).toEqual([])
  })

  it('what is wrong in the search line is marked in it', async () => {
    await search('{tags: }')
    await page.getByRole('alert').waitFor()
    expect(await page.locator('#search-fault mark').textContent()).toBe('}')
    expect(await names()).toHaveLength(5)
  })

  it('facets narrow what is found, and others may still be chosen', async () => {
    await page.getByRole('group', { name: 'Tags' }).getByLabel('cubic').check()
    await expect.poll(names).toEqual(['Silicon', 'Strained silicon'])
    await page.getByRole('group', { name: 'Tags' }).getByLabel('salt').check()
    await page.getByRole('heading', { name: '5 materials' }).waitFor()
    expect(queryNow()).toEqual({ tags: { $in: ['cubic', 'salt'] } })
  })

  it('a range is written or drawn over its histogram', async () => {
    await page.getByLabel('Density at least').fill('1.5')
    // Filters that have nothing to choose any more go, and the histogram moves.
    const counted = page.waitForResponse((answer) => answer.url().includes('/materials/facets'))
    await page.keyboard.press('Enter')
    await counted
    await expect.poll(() => queryNow()).toEqual({ density: { $gte: 1.5 } })
    const histogram = page.getByRole('img', { name: /^Volume: / })
    await histogram.hover()
    const box = await histogram.boundingBox()
    if (box === null) throw new Error('the histogram has no place')
    await page.mouse.move(box.x + 2, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 20, { steps: 3 })
    await page.mouse.up()
    await expect.poll(() => Object.keys(queryNow())).toEqual(['density', 'volume'])
  })

  it('elements are chosen from the periodic table, by class too', async () => {
    await page.getByRole('button', { name: 'Elements' }).click()
    await page.getByRole('button', { name: 'Halogens' }).click()
    await page.getByLabel('any of').check()
    await expectSound({ page, faults })
    await page.getByRole('button', { name: /^Show any of/ }).click()
    await expect.poll(names).toEqual(['Halite', 'Sylvite'])
    expect(queryNow()).toEqual({ elements: { $in: ['F', 'Cl', 'Br', 'I', 'At', 'Ts'] } })
  })

  it('j and k go through the records, which are shown beside the table; x selects', async () => {
    await page.goto(`${server.origin}/materials?sort=name`)
    await expect.poll(namesInOrder).toEqual(['Halite', 'Periclase', 'Silicon', 'Strained silicon', 'Sylvite'])
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await preview.getByRole('heading', { name: 'Periclase' }).waitFor()
    await page.keyboard.press('x')
    await page.getByRole('region', { name: 'Selection' }).getByText('1 chosen').waitFor()
    await page.keyboard.press('k')
    await preview.getByRole('heading', { name: 'Halite' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Halite', level: 1 }).waitFor()
  })

  it('any field is a column, and sorts', async () => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Find a field').fill('lattice.a')
    await page.getByTitle('lattice.a', { exact: true }).getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    await page.getByTitle('lattice.a', { exact: true }).click()
    const sorted = ['Periclase', 'Silicon', 'Halite', 'Strained silicon', 'Sylvite']
    await expect.poll(namesInOrder).toEqual(sorted)
    expect(new URL(page.url()).searchParams.get('columns')).toContain('lattice.a')
    await page.goto(`${server.origin}/materials`)
    await page.getByTitle('lattice.a', { exact: true }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('columns')).toContain('lattice.a')
    await page.goto(`${server.origin}/materials?columns=volume`)
    await page.getByRole('columnheader', { name: 'Volume' }).waitFor()
    expect(await page.getByTitle('lattice.a', { exact: true }).count()).toBe(0)
  })

  it('what is drawn around in a plot becomes the query', async () => {
    await page.getByRole('button', { name: 'Plot' }).click()
    await page.getByText('5 points of 5 records').waitFor()
    const box = await page.getByRole('img', { name: /points of/ }).boundingBox()
    if (box === null) throw new Error('the plot has no place')
    await page.mouse.move(box.x + 70, box.y + 15)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 250, { steps: 3 })
    await page.mouse.up()
    await expect.poll(() => Object.keys(queryNow())).toEqual(['volume', 'density'])
    await expect.poll(async () => (await names()).length).toBeLessThan(5)
  })

  it('a query is edited, and a refusal is shown where it is', async () => {
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    const editor = page.getByRole('textbox', { name: 'MongoDB query' })
    const write = async (text: string) => {
      await editor.focus()
      await page.locator('dialog .cm-content').waitFor()
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    }
    await write('{vol')
    await page
      .getByRole('option', { name: /^volume/ })
      .first()
      .click()
    await page.keyboard.type('{$gtt: 3')
    await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await page.locator('dialog mark').textContent()).toContain('$gtt')
    expect(await page.locator('dialog .cm-lintRange-error').textContent()).toBe('$gtt')
    await write('{name: /^s/i')
    await page.getByRole('dialog').getByText('curl -G').waitFor()
    await expectSound({ page, faults })
    await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click()
    await expect.poll(names).toEqual(['Silicon', 'Strained silicon', 'Sylvite'])
  })

  it('a table of what is found is saved', async () => {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Table of these columns (CSV)' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('materials.csv')
    const lines = []
    for await (const chunk of await download.createReadStream()) lines.push(String(chunk))
    expect(lines.join('').split('\r\n')[0]).toBe(
      '_id,name,formula,spaceGroup.symbol,lattice.type,nSites,volume,density,tags',
    )
  })

  it('pages are turned by cursor, there and back', async () => {
    await page.goto(`${server.origin}/materials?limit=2&sort=name`)
    await page.getByRole('link', { name: 'Next →' }).click()
    await expect.poll(namesInOrder).toEqual(['Silicon', 'Strained silicon'])
    await page.getByRole('heading', { name: '3 to 4 of 5 materials' }).waitFor()
    await page.getByRole('link', { name: 'Next →' }).click()
    await expect.poll(names).toEqual(['Sylvite'])
    await page.getByRole('link', { name: '← Previous' }).click()
    await expect.poll(names).toEqual(['Silicon', 'Strained silicon'])
  })

  it('a phone shows the first result at once, and filters in a sheet', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const box = await page.locator('table.records tbody a').first().boundingBox()
    expect(box?.y).toBeLessThanOrEqual(200)
    await page.getByRole('button', { name: 'Filters' }).click()
    await expectSound({ page, faults })
    await page.getByRole('dialog').getByLabel('strained').check()
    await expect.poll(names).toEqual(['Strained silicon'])
  })
})
