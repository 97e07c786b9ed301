import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material } from '../http/support/records.ts'
import { makeStale } from '../http/support/stale.ts'
import {
  expectSound,
  expectSoundInAllLooks,
  launchChromium,
  missingChromium,
  newWindow,
  type Watched,
  WIDE,
  watchedPage,
} from './support/chromium.ts'

const missing = missingChromium()

describe.skipIf(missing !== null)(`who curates${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: LiveServer
  let browser: Browser
  let window: BrowserContext
  let watched: Watched
  let page: Page
  let made = 0

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer(), launchChromium()])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })
  beforeEach(async () => {
    window = await newWindow(browser, WIDE)
    watched = await watchedPage(window, server.origin)
    page = watched.page
    await page.goto(`${server.origin}/`)
    await page.getByLabel('User name or e-mail').fill('ada')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Materials', level: 1 }).waitFor()
  })
  afterEach(async () => {
    expect(watched.faults).toEqual([])
    await window.close()
  })

  const create = async (name: string, fields: object = {}): Promise<string> =>
    (await server.call('POST', 'materials', { body: material(name, fields, 4 + ++made / 100) })).body.data._id
  const read = async (id: string) => (await server.call('GET', `materials/${id}`)).body.data
  const countOf = async (query: object): Promise<number> =>
    (await server.call('POST', 'materials/count', { body: { query } })).body.data.count
  const focused = () => page.evaluate<string>('document.activeElement.tagName')

  it('is told of a change that somebody else has made meanwhile, sees both, and chooses', async () => {
    watched.askedFor.push(/^PATCH .*\/materials\/\w+ 412$/)
    const id = await create('Before', { tags: ['a'], rank: 1 })
    await page.goto(`${server.origin}/materials/${id}/edit`)
    await page.getByLabel('Name').fill('Mine')
    await page.getByLabel('Tags').fill('a, b')
    await server.call('PATCH', `materials/${id}`, { body: { name: 'Theirs', rank: 2 } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Somebody else has changed this meanwhile' }).waitFor()
    expect(await focused()).toBe('H2')
    await expectSound(watched)
    await page.getByRole('group', { name: 'name' }).getByLabel('Theirs').check()
    await page.getByRole('button', { name: 'Save what is chosen' }).click()
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    expect(await read(id)).toMatchObject({ name: 'Theirs', rank: 2, tags: ['a', 'b'] })
  })

  it('makes a method, and is told what it lacks', async () => {
    watched.askedFor.push(/^POST .*\/methods 422$/)
    await page.goto(`${server.origin}/methods`)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ultrasoft, PBE')
    const subtype = page.getByLabel('Subtype (required)')
    await subtype.fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('is missing: give a string').waitFor()
    // What is wrong is marked, and the focus goes there.
    expect(await page.evaluate('[document.activeElement.ariaInvalid, document.activeElement.value]')).toEqual([
      'true',
      '',
    ])
    await subtype.fill('us')
    await page.getByRole('button', { name: 'Add pseudopotential' }).click()
    const entry = page.getByRole('group', { name: 'Pseudopotential 1' })
    await entry.getByLabel('Element').fill('Si')
    await entry.getByLabel('Functional').fill('pbe')
    await entry.getByLabel('File name').fill('si_pbe_us.upf')
    await expectSound(watched)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Ultrasoft, PBE' }).waitFor()
    const { data } = (await server.call('GET', page.url().split('/').slice(-2).join('/'))).body
    expect(data).toMatchObject({
      type: 'pseudopotential',
      subtype: 'us',
      data: {
        pseudo: [{ element: 'Si', exchangeCorrelation: { functional: 'pbe' }, filename: 'si_pbe_us.upf' }],
      },
    })
    await page.getByRole('cell', { name: 'si_pbe_us.upf' }).waitFor()
  })

  it('sees what is wrong with a record where it is', async () => {
    watched.askedFor.push(/^PATCH .*\/materials\/\w+ 422$/)
    const id = await create('Wrong')
    await page.goto(`${server.origin}/materials/${id}/edit`)
    const json = page.getByLabel('All other fields')
    const text = await json.inputValue()
    await json.fill(text.replace('"FCC"', '7'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.violations').getByText('lattice.type').click()
    const marked = () =>
      page.evaluate<string>(`{
        const { value, selectionStart, selectionEnd, shadowRoot } = document.activeElement
        shadowRoot === null ? value.slice(selectionStart, selectionEnd) : shadowRoot.getSelection().toString()
      }`)
    await expect.poll(marked).toBe('"type"')
    expect((await read(id)).lattice.type).toBe('FCC')
  })

  it('tags what is chosen in a list after seeing what it does, and takes it back', async () => {
    const ids = [await create('One', { tags: ['bulk'] }), await create('Two', { tags: ['bulk'] })]
    await page.goto(`${server.origin}/materials?query={"tags":"bulk"}`)
    await page.getByLabel('Choose One').check()
    await page.getByLabel('Choose Two').check()
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByLabel('Add tags').fill('checked')
    await page.getByText('2 materials will change.').waitFor()
    await expectSound(watched)
    await page.getByRole('button', { name: 'Tag: 2 materials' }).click()
    await page.getByText('2 materials tagged.').first().waitFor()
    await expect.poll(focused).not.toBe('BODY')
    for (const id of ids) expect((await read(id)).tags).toEqual(['bulk', 'checked'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 records put back.').first().waitFor()
    for (const id of ids) expect((await read(id)).tags).toEqual(['bulk'])
  })

  it('has computed again what is out of date, after seeing what that is, with no undo where there is none', async () => {
    const [stale, fresh] = [await create('Aged', { tags: ['aged'] }), await create('Fresh', { tags: ['aged'] })]
    await makeStale(server, 'materials', stale, 'anonymousFormula')
    await page.goto(`${server.origin}/materials?query={"tags":"aged"}`)
    await page.getByLabel('Choose all that are shown').check()
    await page.getByRole('button', { name: 'Compute again' }).click()
    await page.getByText('1 material will be brought up to date. 1 is so already.').waitFor()
    await page.getByText('Aged: anonymousFormula A').waitFor()
    await expectSoundInAllLooks(watched)
    await page.getByRole('button', { name: 'Compute again: 1 material' }).click()
    const bar = page.getByRole('region', { name: 'What was done last' })
    await bar.getByText('1 material brought up to date.').waitFor()
    expect([await bar.getByRole('button', { name: 'Undo' }).count(), (await read(stale)).anonymousFormula]).toEqual([
      0,
      'A',
    ])
    expect((await read(fresh)).anonymousFormula).toBe('A')
  })

  it('deletes all that a query matches, and finds it among what was deleted', async () => {
    await Promise.all(['x', 'y', 'z'].map((name) => create(`Gone ${name}`, { tags: ['gone'] })))
    await page.goto(`${server.origin}/materials?query={"tags":"gone"}&limit=2`)
    await page.getByLabel('Choose all that are shown').check()
    await page.getByLabel('all 3 that match').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete: 3 materials' }).click()
    await page.getByText('3 materials deleted.').first().waitFor()
    expect(await countOf({ tags: 'gone' })).toBe(0)
    const { body } = await server.call('POST', 'projects', { body: { name: 'Gone, too' } })
    await server.call('DELETE', `projects/${body.data._id}`)
    await page.getByRole('button', { name: /^ada/ }).click()
    await page.getByRole('link', { name: 'Deleted and changed' }).click()
    await page.getByRole('button', { name: 'Restore Gone x' }).click()
    await expect.poll(() => countOf({ tags: 'gone' })).toBe(1)
    // It would put back what was put back here.
    await expect.poll(() => page.getByRole('region', { name: 'What was done last' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Restore Gone, too' }).click()
    await expect.poll(async () => (await server.call('GET', `projects/${body.data._id}`)).status).toBe(200)
    await expect.poll(focused).not.toBe('BODY')
  })

  it('takes what is chosen away as a file', async () => {
    await create('Saved', { tags: ['saved'] })
    await page.goto(`${server.origin}/materials?query={"tags":"saved"}`)
    await page.getByLabel('Choose Saved').check()
    const selection = page.getByRole('region', { name: 'Selection' })
    await selection.getByRole('button', { name: 'Export' }).click()
    const saving = page.waitForEvent('download')
    await selection.getByRole('button', { name: 'Whole records (NDJSON)' }).click()
    const text = await readFile(await (await saving).path(), 'utf8')
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['Saved'])
  })

  it('is told of what is new in a list that is open', async () => {
    await create('First', { tags: ['news'] })
    const listening = page.waitForResponse(/\/events$/)
    await page.goto(`${server.origin}/materials?query={"tags":"news"}`)
    await page.getByRole('link', { name: 'First' }).waitFor()
    await listening
    await create('Second', { tags: ['news'] })
    await page.getByText('1 new.').first().waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('link', { name: 'Second' }).waitFor()
  })

  it('is not told of what is changed here: the list has it when the stream tells of it', async () => {
    await create('Own', { tags: ['own'] })
    const listening = page.waitForResponse(/\/events$/)
    await page.goto(`${server.origin}/materials?query={"tags":"own"}`)
    await page.getByLabel('Choose Own').check()
    await listening
    let asked = 0
    page.on('request', (request) => {
      if (/\/materials\?.*count=true/.test(request.url())) asked += 1
    })
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Seen by its account alone everybody').waitFor()
    await page.getByRole('button', { name: 'Publish: 1 material' }).click()
    // Once behind the write, and once when it is heard of.
    await expect.poll(() => asked).toBe(2)
    expect(await page.getByText('Something has changed.').count()).toBe(0)
  })

  it('deletes a record and takes it back', async () => {
    const id = await create('Regretted', { tags: ['regretted'] })
    await page.goto(`${server.origin}/materials/${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Regretted deleted.').first().waitFor()
    expect(await countOf({ tags: 'regretted' })).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Regretted is restored.').first().waitFor()
    expect(await countOf({ tags: 'regretted' })).toBe(1)
  })

  it('publishes a record and copies it', async () => {
    const id = await create('Shown')
    await page.goto(`${server.origin}/materials/${id}`)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('button', { name: 'Publish: 1 material' }).click()
    await page.getByRole('button', { name: 'Make private' }).waitFor()
    expect((await read(id)).isPublic).toBe(true)
    await page.getByRole('toolbar').getByRole('button', { name: 'Make a copy' }).click()
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    expect(page.url()).not.toContain(id)
  })

  it('keeps a query with its order, and finds it again', async () => {
    await page.goto(`${server.origin}/materials?query={"formula":"Si"}&sort=-density`)
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByLabel('Save this query as').fill('Dense silicon')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Dense silicon' }).waitFor()
    await page.goto(`${server.origin}/materials`)
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('link', { name: 'Dense silicon' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-density')
    expect(new URL(page.url()).searchParams.get('query')).toBe('{"formula":"Si"}')
  })

  it('makes a set, moves a material into it and takes it out again', async () => {
    const id = await create('Member')
    await page.goto(`${server.origin}/sets`)
    await page.getByLabel('New set').fill('Shelf')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText('Nothing is in it yet').waitFor()
    await page.goto(`${server.origin}/materials`)
    await page.getByRole('row', { name: 'Shelf' }).getByRole('cell', { name: 'set', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Shelf' }).click()
    await page.getByText('Nothing is in it yet').waitFor()
    expect(page.url()).toContain('/sets/')
    await page.goto(`${server.origin}/materials/${id}`)
    await page.getByRole('button', { name: 'Move to set' }).click()
    await page.getByLabel('Into the set').selectOption({ label: 'Shelf' })
    await page.getByRole('button', { name: 'Move to set: 1 material' }).click()
    await page.getByText('1 material moved.').first().waitFor()
    const [{ _id: set }] = (await read(id)).inSet
    await page.goto(`${server.origin}/sets/${set}`)
    await page.getByLabel('Choose Member').check()
    await page.getByRole('button', { name: 'Take out 1' }).click()
    await page.getByText('Nothing is in it yet').waitFor()
    expect((await read(id)).inSet).toEqual([])
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Shelf deleted.').first().waitFor()
    await page.getByText('There is no set yet').waitFor()
  })
})
