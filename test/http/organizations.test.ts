import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logIn } from '../../src/accounts/sessions.ts'
import { createToken } from '../../src/accounts/tokens.ts'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { type LiveServer, PASSWORD, startServer } from './support/live-server.ts'
import { material } from './support/records.ts'

const PEOPLE = ['owner', 'administrator', 'member', 'stranger'] as const
type Person = (typeof PEOPLE)[number]
type Who = Person | 'guest'

let server: LiveServer
const pairs = {} as Record<Person, Record<string, string>>
const ids = {} as Record<Person, { user: string; account: string }>
let lab = ''
let count = 0

beforeAll(async () => {
  server = await startServer()
  const { accounts } = server.services
  for (const name of PEOPLE) {
    const user = await createUser(accounts, { name, password: PASSWORD })
    const { accountId, token } = await logIn(accounts, { login: name, password: PASSWORD, address: '127.0.0.1' })
    pairs[name] = { 'x-account-id': accountId, 'x-auth-token': token }
    ids[name] = { user: user.id, account: accountId }
  }
})
afterAll(() => server.close())

/** Every test has an organization of its own with the three of them. */
beforeEach(async () => {
  count += 1
  const { body } = await send('owner', 'POST accounts', { name: `lab-${count}`, email: 'lab@example.org' })
  lab = body.data._id
  await send('owner', `PUT accounts/${lab}/members/administrator`, { role: 'administrator' })
  await send('owner', `PUT accounts/${lab}/members/member`)
})

/** `line` is a method and a path. */
const send = (who: Who, line: string, body?: unknown, headers: Record<string, string> = {}) =>
  server.call(...methodAndPath(line), {
    as: 'guest',
    headers: { ...(who === 'guest' ? {} : pairs[who]), ...headers },
    body,
  })
function methodAndPath(line: string): [method: string, path: string] {
  const [method = '', path = ''] = line.split(' ')
  return [method, path]
}

const inLab = () => ({ 'x-account-id': lab })
const rolesOf = async () => {
  const { body } = await send('owner', `GET accounts/${lab}/members`)
  return body.data.map(({ user, role }: { user: { name: string }; role: string }) => `${user.name} ${role}`)
}

describe('an organization', () => {
  test('is created by a user, who is its owner and stays in the personal account by default', async () => {
    const { status, body, headers } = await send('owner', 'POST accounts', { name: 'Surface.Lab' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${server.origin}/api/2018-10-01/accounts/${body.data._id}`)
    const account = {
      _id: expect.stringMatching(/^\w{17}$/),
      name: 'Surface.Lab',
      slug: 'surface.lab',
      type: 'organization',
      email: null,
      title: null,
      description: null,
      createdAt: expect.stringMatching(/Z$/),
      role: 'owner',
      isDefault: false,
    }
    expect(body.data).toEqual(account)
    expect((await send('owner', `GET accounts/${body.data._id}`)).body.data).toEqual(account)
    const listed = (await send('owner', 'GET accounts')).body.data
    expect(listed[0]).toMatchObject({ name: 'owner', type: 'personal', isDefault: true })
    expect(listed).toContainEqual(account)
    const me = (await send('owner', 'GET /api/v1/users/me')).body.data
    expect(me.accounts.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1)
    expect(me.accounts).toContainEqual(
      expect.objectContaining({ entity: expect.objectContaining({ _id: body.data._id, type: 'organization' }) }),
    )
  })

  test.each([
    ['a name that is taken, also by a user', { name: 'STRANGER' }, 40920],
    ['a name with a space', { name: 'my lab' }, 40076],
    ['no name', {}, 40039],
    ['an address that is none', { name: 'fine', email: 'nowhere' }, 40071],
    ['a field that is not read', { name: 'fine', owner: 'x' }, 40038],
  ])('is refused with %s', async (_what, body, code) => {
    expect((await send('owner', 'POST accounts', body)).body.code).toBe(code)
  })

  test('is told of by a title and a description, which are trimmed, to its members only', async () => {
    const body = { name: `told-${count}`, title: '  Surface Lab 2 ', description: ' Slabs\nand adsorbates\t' }
    const words = { title: 'Surface Lab 2', description: 'Slabs\nand adsorbates' }
    const made = (await send('owner', 'POST accounts', body)).body.data
    expect(made).toMatchObject(words)
    expect((await send('owner', `GET accounts/${made._id}`)).body.data).toEqual(made)
    const me = (await send('owner', 'GET /api/v1/users/me')).body.data
    const { _id, name, slug, type } = made
    expect(me.accounts.map(({ entity }: { entity: object }) => entity)).toContainEqual({
      ...{ _id, name, slug, type },
      title: words.title,
    })
    expect((await send('stranger', `GET accounts/${_id}`)).text).not.toContain('Surface Lab 2')
    // Not unique, as names are.
    expect((await send('owner', 'POST accounts', { ...body, name: `told-again-${count}` })).status).toBe(201)
  })

  test.each<[string, object, object]>([
    ['a title', { title: ' New ' }, { title: 'New', description: 'Of old' }],
    ['a description', { description: 'New' }, { title: 'Old', description: 'New' }],
    ['both', { title: 'Both', description: 'New' }, { title: 'Both', description: 'New' }],
    ['no title', { title: null }, { title: null, description: 'Of old' }],
    ['no description', { description: null }, { title: 'Old', description: null }],
    ['an empty description', { description: ' \n' }, { title: 'Old', description: null }],
    ['a title of 100', { title: 'x'.repeat(100) }, { title: 'x'.repeat(100) }],
    ['a description of 2,000', { description: 'x'.repeat(2000) }, { description: 'x'.repeat(2000) }],
  ])('is given %s', async (_what, change, expected) => {
    await send('owner', `PATCH accounts/${lab}`, { title: 'Old', description: 'Of old' })
    const { status, body } = await send('administrator', `PATCH accounts/${lab}`, change)
    expect([status, body.data]).toEqual([200, expect.objectContaining({ ...expected, role: 'administrator' })])
    expect((await send('member', `GET accounts/${lab}`)).body.data).toEqual({ ...body.data, role: 'member' })
  })

  test.each<[string, object, number, string]>([
    ['an empty title', { title: '' }, 40084, 'title'],
    ['a title of spaces', { title: '  ' }, 40084, 'title'],
    ['a title of 101', { title: 'x'.repeat(101) }, 40084, 'title'],
    ['a title of two lines', { title: 'a\nb' }, 40084, 'title'],
    ['a title with a separator of lines', { title: 'a\u2028b' }, 40084, 'title'],
    ['a description of 2,001', { description: 'x'.repeat(2001) }, 40085, 'description'],
    ['a description with a zero', { description: 'a\u0000' }, 40085, 'description'],
    ['a title that is no text', { title: 2 }, 40039, 'title'],
    ['a description that is no text', { description: ['a'] }, 40039, 'description'],
    ['a field that is not read', { slug: 'x' }, 40038, 'slug'],
  ])('is neither made nor changed with %s', async (_what, words, code, path) => {
    const before = (await send('owner', `GET accounts/${lab}`)).body.data
    for (const [line, fields] of [
      ['POST accounts', { name: 'never-made' }],
      [`PATCH accounts/${lab}`, {}],
    ] as const) {
      const { status, body } = await send('owner', line, { ...fields, ...words })
      expect([line, status, body.code, body.data.path]).toEqual([line, 400, code, path])
    }
    expect((await send('owner', `GET accounts/${lab}`)).body.data).toEqual(before)
  })

  test('is not changed by nothing, nor is a personal account', async () => {
    for (const body of [{}, undefined]) {
      expect((await send('owner', `PATCH accounts/${lab}`, body)).body.code).toBe(40039)
    }
    const personal = `PATCH accounts/${ids.owner.account}`
    expect((await send('owner', personal, { title: 'Me' })).body.code).toBe(40079)
  })

  test('shares its records among its members and with nobody else', async () => {
    const { body } = await send('member', 'POST materials', material('shared'), inLab())
    expect(body.data.owner).toMatchObject({ _id: lab, slug: `lab-${count}`, cls: 'Account' })
    expect(body.data.creator.slug).toBe('member')
    const path = `materials/${body.data._id}`
    for (const [who, reads] of [
      ['owner', 200],
      ['administrator', 200],
      ['member', 200],
      ['stranger', 401],
      ['guest', 401],
    ] as const) {
      expect([who, (await send(who, `GET ${path}`, undefined, inLab())).status]).toEqual([who, reads])
      expect([who, (await send(who, `PATCH ${path}`, { tags: [who] }, inLab())).status]).toEqual([who, reads])
    }
    // In the personal account it is not there.
    expect((await send('owner', `GET ${path}`)).status).toBe(404)
    expect((await send('owner', 'GET materials?name=shared')).body.data).toEqual([])
    expect((await send('owner', 'GET materials?name=shared', undefined, inLab())).body.data).toHaveLength(1)
  })

  test('can be the owner of a record that a member creates from the personal account', async () => {
    const own = material('given', { owner: { _id: lab } })
    const { body } = await send('member', 'PUT materials/create', own)
    expect(body.data.owner._id).toBe(lab)
    expect((await send('stranger', 'PUT materials/create', own)).body.code).toBe(40302)
  })
})

describe('who may do what', () => {
  const each = async (expected: Record<Who, number>, act: (who: Who) => Promise<{ status: number }>) => {
    const answers: Record<string, number> = {}
    for (const who of ['guest', 'stranger', 'member', 'administrator', 'owner'] as const) {
      answers[who] = (await act(who)).status
    }
    expect(answers).toEqual(expected)
  }

  test('members see the account and its members; for strangers it is not there', async () => {
    const expected = { guest: 401, stranger: 404, member: 200, administrator: 200, owner: 200 }
    await each(expected, (who) => send(who, `GET accounts/${lab}`))
    await each(expected, (who) => send(who, `GET accounts/${lab}/members`))
    const hidden = await send('stranger', `GET accounts/${lab}`)
    const never = await send('stranger', `GET accounts/${'2'.repeat(17)}`)
    expect(hidden.body.message.replace(lab, '…')).toBe(never.body.message.replace('2'.repeat(17), '…'))
  })

  test('owner and administrators take users in and change roles', async () => {
    const expected = { guest: 401, stranger: 404, member: 403, administrator: 200, owner: 200 }
    await each(expected, (who) => send(who, `PUT accounts/${lab}/members/bob`))
    await each(expected, (who) => send(who, `PUT accounts/${lab}/members/bob`, { role: 'administrator' }))
    expect(await rolesOf()).toEqual([
      'owner owner',
      'administrator administrator',
      'bob administrator',
      'member member',
    ])
  })

  test('owner and administrators let members go, and a member leaves', async () => {
    await send('owner', `PUT accounts/${lab}/members/bob`)
    await each({ guest: 401, stranger: 404, member: 403, administrator: 200, owner: 404 }, (who) =>
      send(who, `DELETE accounts/${lab}/members/bob`),
    )
    expect((await send('member', `DELETE accounts/${lab}/members/${ids.member.user}`)).status).toBe(200)
    expect(await rolesOf()).toEqual(['owner owner', 'administrator administrator'])
  })

  test('owner and administrators change what it tells of itself', async () => {
    await each({ guest: 401, stranger: 404, member: 403, administrator: 200, owner: 200 }, (who) =>
      send(who, `PATCH accounts/${lab}`, { title: who }),
    )
  })

  test('only the owner passes the ownership on, to a member, and is an administrator then', async () => {
    await each({ guest: 401, stranger: 404, member: 403, administrator: 403, owner: 200 }, (who) =>
      send(who, `PUT accounts/${lab}/members/member`, { role: 'owner' }),
    )
    expect(await rolesOf()).toEqual(['member owner', 'administrator administrator', 'owner administrator'])
    expect((await send('member', `PUT accounts/${lab}/members/stranger`, { role: 'owner' })).body.code).toBe(40423)
  })

  test('only the owner deletes it', async () => {
    await each({ guest: 401, stranger: 404, member: 403, administrator: 403, owner: 200 }, (who) =>
      send(who, `DELETE accounts/${lab}`),
    )
    expect((await send('member', 'GET materials', undefined, inLab())).status).toBe(401)
  })

  test('nobody lets the owner go or makes the owner less', async () => {
    for (const who of ['administrator', 'owner'] as const) {
      expect((await send(who, `DELETE accounts/${lab}/members/owner`)).body.code).toBe(40922)
      expect((await send(who, `PUT accounts/${lab}/members/owner`, { role: 'member' })).body.code).toBe(40922)
    }
    expect((await rolesOf())[0]).toBe('owner owner')
  })

  test('an organization with records is not deleted, and says how many there are', async () => {
    const { body } = await send('owner', 'POST materials', material('last'), inLab())
    const refused = await send('owner', `DELETE accounts/${lab}`)
    expect(refused.body).toMatchObject({ code: 40923, data: { records: expect.any(Number) } })
    expect(refused.body.message).toMatch(/has \d+ records?/)
    expect((await send('owner', `GET materials/${body.data._id}`, undefined, inLab())).status).toBe(200)
  })

  test('a personal account has no other members and stays', async () => {
    const path = `accounts/${ids.owner.account}`
    expect((await send('owner', `PUT ${path}/members/member`)).body.code).toBe(40079)
    expect((await send('owner', `DELETE ${path}/members/owner`)).body.code).toBe(40079)
    expect((await send('owner', `DELETE ${path}`)).body.code).toBe(40079)
  })

  test.each([
    ['a user who does not exist', 'nobody', {}, 40420],
    ['an e-mail address, which would tell who has one', 'bob@example.org', {}, 40420],
    ['a role that there is not', 'bob', { role: 'boss' }, 40077],
    ['a field that is not read', 'bob', { rights: 1 }, 40038],
  ])('%s is refused', async (_what, user, body, code) => {
    expect((await send('owner', `PUT accounts/${lab}/members/${user}`, body)).body.code).toBe(code)
  })

  test('a disabled user is not taken in', async () => {
    await createUser(server.services.accounts, { name: `gone-${count}`, password: PASSWORD })
    await disableUser(server.services.accounts, `gone-${count}`)
    expect((await send('owner', `PUT accounts/${lab}/members/gone-${count}`)).body.code).toBe(40420)
  })
})

describe('a token', () => {
  const api = async (fields: { accountId?: string; oneAccount?: boolean; readOnly?: boolean } = {}) => {
    const { accountId = ids.member.account, ...others } = fields
    const userId = ids.member.user
    const { secret } = await createToken(server.services.accounts, { userId, accountId, name: 'script', ...others })
    return secret
  }
  const withToken = (token: string, line: string, accountId?: string, body?: unknown) =>
    server.call(...methodAndPath(line), {
      as: 'guest',
      headers: { authorization: `Bearer ${token}`, ...(accountId === undefined ? {} : { 'x-account-id': accountId }) },
      body,
    })

  test('of a user works for every account of the user that a request names', async () => {
    const token = await api()
    const { body } = await withToken(token, 'POST materials', lab, material('by script'))
    expect(body.data.owner._id).toBe(lab)
    // Without a name it is the account that the token was made in.
    expect((await withToken(token, 'POST materials', undefined, material('at home'))).body.data.owner._id).toBe(
      ids.member.account,
    )
    expect((await withToken(token, 'GET materials', ids.owner.account)).status).toBe(401)
  })

  test('for one account works for that one only, and makes nothing that reaches further', async () => {
    const token = await api({ accountId: lab, oneAccount: true })
    const home = ids.member.account
    expect((await withToken(token, 'GET materials')).status).toBe(200)
    expect((await withToken(token, 'GET materials', home)).status).toBe(401)
    const elsewhere = material('elsewhere', { owner: { _id: home } })
    expect((await withToken(token, 'PUT materials/create', lab, elsewhere)).body.code).toBe(40304)
    expect((await withToken(token, 'POST accounts', lab, { name: 'another' })).body.code).toBe(40304)
    expect((await withToken(token, `GET accounts/${home}`)).body.code).toBe(40304)
    expect((await withToken(token, 'POST tokens', lab, { name: 'x', accountId: home })).body.code).toBe(40304)
    const made = (await withToken(token, 'POST tokens', lab, { name: 'x' })).body.data
    expect(made.token).toMatchObject({ accountId: lab, oneAccount: true })
  })

  test('for one account lists and revokes those that are kept to it as well, and no other of its user', async () => {
    const wide = await api()
    const kept = await api({ accountId: lab, oneAccount: true })
    const peer = await api({ accountId: lab, oneAccount: true })
    const tokensOf = async (token: string) => (await withToken(token, 'GET tokens')).body.data
    const idOf = async (token: string) =>
      (await tokensOf(token)).find((one: { isCurrent: boolean }) => one.isCurrent)._id
    const seen = await tokensOf(kept)
    expect(new Set(seen.map(({ accountId, oneAccount }: never) => `${accountId} ${oneAccount}`))).toEqual(
      new Set([`${lab} true`]),
    )
    expect((await tokensOf(wide)).length).toBeGreaterThan(seen.length)
    const refused = await withToken(kept, `DELETE tokens/${await idOf(wide)}`)
    expect(refused.body).toMatchObject({ code: 40421, data: { hint: expect.stringContaining('kept to one account') } })
    expect((await withToken(wide, 'GET materials')).status).toBe(200)
    expect((await withToken(kept, `DELETE tokens/${await idOf(peer)}`)).status).toBe(200)
    expect((await withToken(peer, 'GET materials')).status).toBe(401)
  })

  test('is kept to an account with accountId', async () => {
    const { body } = await send('member', 'POST tokens', { name: 'ci', accountId: lab })
    expect(body.data).toMatchObject({ 'X-Account-Id': lab, token: { accountId: lab, oneAccount: true } })
    const foreign = { name: 'ci', accountId: ids.owner.account }
    expect((await send('member', 'POST tokens', foreign)).body.code).toBe(40302)
  })

  test('that is read-only changes neither accounts nor members', async () => {
    const token = await api({ readOnly: true })
    expect((await withToken(token, 'POST accounts', undefined, { name: 'another' })).body.code).toBe(40301)
    expect((await withToken(token, `DELETE accounts/${lab}/members/member`)).body.code).toBe(40301)
    expect((await withToken(token, `DELETE accounts/${lab}`)).body.code).toBe(40301)
    expect((await withToken(token, `PATCH accounts/${lab}`, undefined, { title: 'x' })).body.code).toBe(40301)
  })

  test('of a member who was let go is dead in the account at once, and stays so', async () => {
    const made = await api({ accountId: lab })
    const own = await api()
    for (const token of [made, own]) expect((await withToken(token, 'GET materials', lab)).status).toBe(200)
    await send('owner', `DELETE accounts/${lab}/members/member`)
    for (const token of [made, own]) expect((await withToken(token, 'GET materials', lab)).status).toBe(401)
    expect((await send('member', 'GET materials', undefined, inLab())).status).toBe(401)
    expect((await withToken(own, 'GET materials')).status).toBe(200)
    await send('owner', `PUT accounts/${lab}/members/member`)
    expect((await withToken(made, 'GET materials', lab)).status).toBe(401)
  })
})
