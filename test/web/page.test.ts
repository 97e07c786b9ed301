import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LiveServer, PASSWORD, startServer } from '../http/support/live-server.ts'
import { material, method } from '../http/support/records.ts'
import { type Visit, visit } from './browser.ts'

const HOSTILE = '<img src=x onerror="alert(1)"> & <b>bold</b>'

let server: LiveServer
let page: Visit

beforeAll(async () => {
  server = await startServer()
  for (const [name, a] of [
    ['Silicon', 3.867],
    ['Germanium', 4.002],
    ['Tin', 4.5],
  ] as const) {
    await server.call('POST', 'materials', { body: material(name, { tags: ['cubic'] }, a) })
  }
  await server.call('POST', 'materials', { body: material(HOSTILE, {}, 5.1) })
  await server.call('POST', 'methods', { body: method('Norm-conserving') })
})
afterAll(() => server.close())

beforeEach(async () => {
  page = await visit(`${server.origin}/`)
})
afterEach(() => page.close())

async function logIn(password = PASSWORD): Promise<void> {
  page.fill('username', 'ada@example.org')
  page.fill('password', password)
  await page.click('Log in')
}

/** The ids of her sessions, but for that of the test. */
async function sessionsOfAda(): Promise<readonly string[]> {
  const { body } = await server.call('GET', 'tokens')
  const tokens = body.data as readonly { _id: string; kind: string; isCurrent: boolean }[]
  return tokens.filter(({ kind, isCurrent }) => kind === 'session' && !isCurrent).map(({ _id }) => _id)
}

const rowNames = () => page.texts('tbody th')

describe('the login', () => {
  test('comes first, and leads to the materials', async () => {
    expect(page.texts('h1')).toEqual(['Log in'])
    await logIn()
    expect(page.texts('h1')).toEqual(['Materials'])
    expect(page.texts('#navigation a')).toEqual(['Materials', 'Methods', 'Account: ada', 'API reference'])
  })

  test('with a wrong password is refused in the words of the server', async () => {
    await logIn('wrong password')
    const { body } = await server.call('POST', 'login', { as: 'guest', body: { username: 'ada', password: 'wrong' } })
    expect(page.texts('[role=alert]')[0]).toContain(body.message)
    expect(page.kept()).toBe('{}')
  })

  test('keeps nothing that a script could read, and the session ends with the logout', async () => {
    const before = await sessionsOfAda()
    await logIn()
    expect([page.kept(), page.cookies()]).toEqual(['{}', ''])
    expect((await sessionsOfAda()).length).toBe(before.length + 1)

    await page.click('Log out')
    expect(page.text()).toContain('You are logged out.')
    expect(await sessionsOfAda()).toEqual(before)
  })

  test('comes back when the session has ended elsewhere', async () => {
    await logIn()
    for (const id of await sessionsOfAda()) await server.call('DELETE', `tokens/${id}`)
    await page.goTo('#/methods')
    expect(page.text()).toContain('Your session has ended. Log in again.')
    await logIn()
    expect(page.texts('h1')).toEqual(['Methods'])
  })
})

describe('the list', () => {
  beforeEach(() => logIn())

  test('shows the records with their number', () => {
    expect(page.text()).toContain('Materials 1 to 4 of 4.')
    expect(page.texts('thead th')).toEqual(['Name', 'Formula', 'Lattice', 'Tags', 'Created'])
    expect(page.texts('tbody tr:first-child td').slice(0, 3)).toEqual(['Si', 'FCC', 'cubic'])
  })

  test('takes a query', async () => {
    page.fill('query', '{"lattice.a": {"$gt": 4}, "tags": "cubic"}')
    page.fill('sort', '-lattice.a')
    await page.click('Search')
    expect(rowNames()).toEqual(['Tin', 'Germanium'])
    expect(page.value('query')).toBe('{"lattice.a": {"$gt": 4}, "tags": "cubic"}')
  })

  test('says that nothing was found', async () => {
    page.fill('query', '{"formula": "Unobtainium"}')
    await page.click('Search')
    expect(page.text()).toContain('No material matches that is yours or public.')
  })

  test('shows a refusal as the server says it, with the place marked', async () => {
    const query = '{"tags": "cubic", "lattice.a": {"$gtt": 4}}'
    page.fill('query', query)
    await page.click('Search')
    const { body } = await server.call('GET', `materials?query=${encodeURIComponent(query)}`)
    const [shown = ''] = page.texts('[role=alert]')
    expect(shown).toContain(body.message)
    expect(shown).toContain('Error 40003')
    expect(page.texts('mark')).toEqual(['"$gtt"'])
    expect(page.value('query')).toBe(query)
  })

  test('marks where JSON ends to be JSON', async () => {
    page.fill('query', '{"formula": Si}')
    await page.click('Search')
    expect(page.texts('mark')).toEqual(['S'])
  })

  test('shows warnings above the answer, with the place marked', async () => {
    page.fill('query', '{"latice.a": 3}')
    await page.click('Search')
    const [shown = ''] = page.texts('.warning')
    expect(shown).toContain('Did you mean "lattice.a"?')
    expect(shown).toContain('Warning 20001')
    expect(page.texts('.warning mark')).toEqual(['"latice.a"'])
    expect(page.texts('.summary')[0]).toContain('No material matches')
  })

  test('shows a refused limit', async () => {
    page.fill('limit', '501')
    await page.click('Search')
    expect(page.texts('[role=alert]')[0]).toContain('500')
  })

  test('turns pages', async () => {
    page.fill('limit', '3')
    page.fill('sort', 'lattice.a')
    await page.click('Search')
    expect(rowNames()).toEqual(['Silicon', 'Germanium', 'Tin'])
    await page.click('Next →')
    expect(rowNames()).toEqual([HOSTILE])
    expect(page.text()).toContain('Materials 4 to 4 of 4.')
    await page.click('← Previous')
    expect(rowNames()).toEqual(['Silicon', 'Germanium', 'Tin'])
  })

  test('sorts by a column, and the other way round', async () => {
    await page.click('Name')
    expect(rowNames().slice(1)).toEqual(['Germanium', 'Silicon', 'Tin'])
    await page.click('Name ↑')
    expect(rowNames().slice(0, 3)).toEqual(['Tin', 'Silicon', 'Germanium'])
    expect(page.element('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
  })

  test('shows what a record says as text, never as HTML', async () => {
    expect(rowNames()).toContain(HOSTILE)
    await page.click(HOSTILE)
    expect(page.texts('h1')).toEqual([HOSTILE])
    expect(page.texts('main img, main b, main script')).toEqual([])
  })

  test('leads to the JSON of a record', async () => {
    await page.click('Methods')
    await page.click('Norm-conserving')
    const shown = JSON.parse(page.element('pre').textContent ?? '')
    expect(shown).toMatchObject({ name: 'Norm-conserving', type: 'pseudopotential', subtype: 'us' })
    expect(page.texts('dt')).toEqual(['Type', 'Subtype', 'Owner', 'Identifier'])
  })

  test('tells that a record is not there', async () => {
    await page.goTo('#/materials/nothing')
    expect(page.texts('[role=alert]')[0]).toContain('Error 404')
  })
})

describe('the account', () => {
  beforeEach(async () => {
    await logIn()
    await page.click('Account: ada')
  })

  const tokenNames = async () => {
    const { body } = await server.call('GET', 'tokens')
    return body.data.filter(({ kind }: { kind: string }) => kind === 'api').map(({ name }: { name: string }) => name)
  }

  test('makes a token that works, shows it once, and deletes it after a question', async () => {
    page.fill('name', 'laptop')
    page.fill('days', '7')
    page.tick('readOnly')
    await page.click('Generate token')

    const [accountId = '', token = '', curl = '', python = ''] = page.texts('.fresh pre')
    expect(accountId).toBe(server.accountIds.ada)
    expect(token).toMatch(/^[\w-]{43}$/)
    for (const lines of [curl, python])
      for (const part of [server.origin, accountId, token]) expect(lines).toContain(part)
    const headers = { 'x-account-id': accountId, 'x-auth-token': token }
    expect((await server.call('GET', 'materials', { as: 'guest', headers })).status).toBe(200)
    expect((await server.call('POST', 'materials', { as: 'guest', headers, body: material('X') })).status).toBe(403)
    expect(page.texts('tr').filter((row) => /^laptop.*never.*readDelete$/.test(row))).toHaveLength(1)

    await page.click('I have copied it')
    expect(page.element('html').textContent).not.toContain(token)
    await page.goTo('#/materials')
    await page.goTo('#/account')
    expect(page.element('html').textContent).not.toContain(token)

    await page.click('Delete laptop')
    await page.click('Keep')
    expect(await tokenNames()).toContain('laptop')
    await page.click('Delete laptop')
    await page.click('Delete it')
    expect(await tokenNames()).not.toContain('laptop')
    expect(page.texts('tbody th')).not.toContain('laptop')
    expect((await server.call('GET', 'materials', { as: 'guest', headers })).status).toBe(401)
  })

  test('shows a token that was refused', async () => {
    page.fill('name', ' ')
    await page.click('Generate token')
    expect(page.texts('[role=alert]')[0]).toMatch(/name.*Error 400/)
    expect(page.texts('.fresh')).toEqual([])
  })

  test('makes a token without an end', async () => {
    page.fill('name', 'endless')
    page.fill('days', '')
    await page.click('Generate token')
    const { body } = await server.call('GET', 'tokens')
    expect(body.data.find(({ name }: { name: string }) => name === 'endless')).toMatchObject({
      expiresAt: null,
      readOnly: false,
    })
  })

  test('does not offer to delete the login that it lives by', () => {
    expect(page.texts('tbody td').filter((text) => text === 'this browser')).toHaveLength(1)
  })
})

test('an address without a page says so', async () => {
  await logIn()
  await page.goTo('#/nowhere')
  expect(page.texts('h1')).toEqual(['There is no such page'])
})

describe('the reference', () => {
  test('has every address of the API, with an example', async () => {
    const docs = await visit(`${server.origin}/docs`)
    const { body } = await server.call('GET', 'openapi.json', { as: 'guest' })
    const addresses = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((verb) => `${verb.toUpperCase()} ${path}`),
    )
    expect(docs.texts('article h3').sort()).toEqual(addresses.sort())
    expect(docs.texts('article pre')).toHaveLength(addresses.length)
    expect(docs.element('#listMaterials').textContent).toContain('array of Material')
    expect(docs.element('#createToken').textContent).toContain('integer or null 1 to 3650, else null')
    expect(docs.element('#logIn').textContent).toContain('Needs no credential.')
    const example = docs.element('#createToken pre').textContent
    expect(example).toContain(`curl -X POST '${server.origin}/api/2018-10-01/tokens'`)
    expect(example).toContain(`-d '{"name":"laptop","expiresInDays":90,"readOnly":true}'`)
    expect(docs.element('#createMaterial pre').textContent).toContain('--data-binary @FILE')
    await docs.close()
  })
})
