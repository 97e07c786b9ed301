import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AccountDeps } from '../../src/accounts/deps.ts'
import { logIn } from '../../src/accounts/sessions.ts'
import { createUser, disableUser } from '../../src/accounts/users.ts'
import { type AccountRoom, openAccountRoom, refusalOf } from './support/account-room.ts'

const PASSWORD = 'a good password'
const HOME = '198.51.100.7'
const WINDOW_S = 60
const PER_PAIR = 3
const PER_NAME = 6
const PER_ADDRESS = 9

let room: AccountRoom
beforeEach(async () => {
  room = await openAccountRoom({
    loginFailuresPerPair: PER_PAIR,
    loginFailuresPerName: PER_NAME,
    loginFailuresPerAddress: PER_ADDRESS,
    loginWindowSeconds: WINDOW_S,
  })
  await createUser(room.deps, { name: 'ada', email: 'ada@example.org', password: PASSWORD })
  await createUser(room.deps, { name: 'bob', password: PASSWORD })
})
afterEach(() => room.close())

function attempt(login: string, password: string, address: string, deps: AccountDeps = room.deps) {
  return logIn(deps, { login, password, address })
}

const guess = (login: string, address: string, deps?: AccountDeps) =>
  refusalOf(() => attempt(login, 'wrong', address, deps))

/** As many addresses as are wanted, none of which anybody has used. */
const elsewhere = (n: number) => `203.0.113.${n}`

/** The real passwords, with a count of how many were verified. */
function counted(deps: AccountDeps): { deps: AccountDeps; verified: () => number } {
  let count = 0
  const passwords: AccountDeps['passwords'] = {
    ...deps.passwords,
    hash: deps.passwords.hash,
    verify: (hash, password) => {
      count++
      return deps.passwords.verify(hash, password)
    },
  }
  return { deps: { ...deps, passwords }, verified: () => count }
}

describe('guesses of a password', () => {
  test('from one address are refused after a few, with the seconds to wait, and the right one with them', async () => {
    for (let n = 0; n < PER_PAIR; n++) expect(await guess('ada', elsewhere(1))).toMatchObject({ code: 40102 })
    const refusal = await refusalOf(() => attempt('ADA', PASSWORD, elsewhere(1)))
    expect(refusal).toMatchObject({ code: 42901, data: { retryAfterSeconds: WINDOW_S / PER_PAIR } })
  })

  test('can go on after exactly the time that the refusal names', async () => {
    for (let n = 0; n < PER_PAIR; n++) await guess('ada', elsewhere(1))
    const { data } = await guess('ada', elsewhere(1))
    const { retryAfterSeconds } = data as { retryAfterSeconds: number }
    room.time.now += retryAfterSeconds * 1000 - 1000
    expect(await guess('ada', elsewhere(1))).toMatchObject({ code: 42901, data: { retryAfterSeconds: 1 } })
    room.time.now += 1000
    expect(await attempt('ada', PASSWORD, elsewhere(1))).toBeDefined()
  })

  test('from many addresses at one name are refused as well', async () => {
    for (let n = 0; n < PER_NAME; n++) expect(await guess('ada', elsewhere(n))).toMatchObject({ code: 40102 })
    expect(await guess('ada', elsewhere(PER_NAME))).toMatchObject({ code: 42901 })
    expect(await guess('bob', elsewhere(PER_NAME))).toMatchObject({ code: 40102 })
  })

  test('from one address at many names are refused as well', async () => {
    for (let n = 0; n < PER_ADDRESS; n++) expect(await guess(`name${n}`, elsewhere(1))).toMatchObject({ code: 40102 })
    expect(await refusalOf(() => attempt('ada', PASSWORD, elsewhere(1)))).toMatchObject({ code: 42901 })
    expect(await attempt('ada', PASSWORD, elsewhere(2))).toBeDefined()
  })

  test('that run at the same time count before they are verified', async () => {
    const { deps, verified } = counted(room.deps)
    const results = await Promise.all(Array.from({ length: 20 }, () => guess('ada', elsewhere(1), deps)))
    expect(results.filter(({ code }) => code === 42901)).toHaveLength(20 - PER_PAIR)
    expect(verified()).toBe(PER_PAIR)
  })

  test.each([
    ['a name', ['ada', 'ADA', '𝐚𝐝𝐚', 'ａｄａ', 'ⓐⓓⓐ', ' ada ', '𝔸𝔻𝔸']],
    [
      'an e-mail address',
      ['ada@example.org', 'ADA@EXAMPLE.ORG', '𝐚𝐝𝐚@example.org', 'ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'ada@example.org '],
    ],
  ])('at %s count together, however it is spelled', async (_what, spellings) => {
    const { deps, verified } = counted(room.deps)
    for (const spelling of spellings) await guess(spelling, elsewhere(1), deps)
    expect(verified()).toBe(PER_PAIR)
    room.time.now += WINDOW_S * 1000
    for (const spelling of spellings) expect(await attempt(spelling, PASSWORD, elsewhere(2))).toBeDefined()
  })

  test.each([
    ['IPv6 addresses of one customer', (n: number) => `2001:db8:1:2::${n}`, '2001:db8:1:3::1'],
    ['ways to write an IPv4 address', (n: number) => (n % 2 ? '::ffff:203.0.113.9' : '203.0.113.9'), '203.0.113.8'],
    [
      'ways to write an IPv6 network',
      (n: number) => (n % 2 ? '2001:DB8:0:2::1' : '2001:db8::2:0:0:0:9'),
      '2001:db8::1',
    ],
  ])('from %s count together', async (_what, address, other) => {
    for (let n = 0; n < PER_PAIR; n++) await guess('ada', address(n))
    expect(await guess('ada', address(PER_PAIR))).toMatchObject({ code: 42901 })
    expect(await guess('ada', other)).toMatchObject({ code: 40102 })
  })

  test('are counted for all processes together, and after a restart', async () => {
    const other = await room.besides()
    for (let n = 0; n < PER_PAIR - 1; n++) await guess('ada', elsewhere(1))
    expect(await guess('ada', elsewhere(1), other)).toMatchObject({ code: 40102 })
    expect(await guess('ada', elsewhere(1), other)).toMatchObject({ code: 42901 })
    expect(await guess('ada', elsewhere(1))).toMatchObject({ code: 42901 })
  })

  test('that the server has no time for do not count', async () => {
    const busy: AccountDeps = {
      ...room.deps,
      passwords: { ...room.deps.passwords, verify: () => Promise.reject(new Error('busy')) },
    }
    for (let n = 0; n < PER_PAIR; n++) await expect(attempt('ada', PASSWORD, HOME, busy)).rejects.toThrow('busy')
    expect(await attempt('ada', PASSWORD, HOME)).toBeDefined()
  })
})

describe('at an address from which a user has logged in', () => {
  beforeEach(() => attempt('ada', PASSWORD, HOME))

  test('the right password gets in, however many wrong ones others send for the name', async () => {
    for (let n = 0; n < 100; n++) await guess('ada', elsewhere(n))
    for (let n = 0; n < 100; n++) await guess('ada@example.org', elsewhere(n))
    expect(await attempt('ada', PASSWORD, HOME)).toBeDefined()
    expect(await attempt('ada@example.org', PASSWORD, HOME)).toBeDefined()
    expect(await refusalOf(() => attempt('ada', PASSWORD, elsewhere(101)))).toMatchObject({ code: 42901 })
  })

  test('it gets in however many names others try from that very address', async () => {
    for (let n = 0; n < 100; n++) await guess(`name${n}`, HOME)
    expect(await guess('bob', HOME)).toMatchObject({ code: 42901 })
    expect(await attempt('ada', PASSWORD, HOME)).toBeDefined()
  })

  test('a few more wrong ones for the name are let pass there, and then no more', async () => {
    for (let n = 0; n < PER_ADDRESS; n++) expect(await guess('ada', HOME)).toMatchObject({ code: 40102 })
    expect(await guess('ada', HOME)).toMatchObject({
      code: 42901,
      data: { retryAfterSeconds: Math.ceil(WINDOW_S / PER_ADDRESS) },
    })
  })

  test('what fails there does not count anywhere else', async () => {
    for (let n = 0; n < PER_ADDRESS; n++) await guess('ada', HOME)
    expect(await attempt('ada', PASSWORD, elsewhere(1))).toBeDefined()
    expect(await attempt('bob', PASSWORD, HOME)).toBeDefined()
  })

  test('the user is known after a restart and in other processes', async () => {
    const other = await room.besides()
    for (let n = 0; n < 20; n++) await guess('ada', elsewhere(n))
    expect(await attempt('ada', PASSWORD, HOME, other)).toBeDefined()
  })

  test('nobody else is known', async () => {
    for (let n = 0; n < PER_NAME; n++) await guess('bob', elsewhere(n))
    expect(await refusalOf(() => attempt('bob', PASSWORD, HOME))).toMatchObject({ code: 42901 })
  })
})

describe('a login that is right', () => {
  test('forgives the failures of its name at its address, and none of others', async () => {
    for (let n = 0; n < PER_PAIR - 1; n++) await guess('ada', HOME)
    for (let n = 0; n < PER_PAIR; n++) await guess('ada', elsewhere(1))
    await attempt('ada', PASSWORD, HOME)
    for (let n = 0; n < PER_PAIR; n++) expect(await guess('ada', HOME)).toMatchObject({ code: 40102 })
    expect(await guess('ada', elsewhere(1))).toMatchObject({ code: 42901 })
  })

  test('does not count, so that many scripts can log in at one address', async () => {
    for (let n = 0; n < 20; n++) expect(await attempt('ada', PASSWORD, HOME)).toBeDefined()
    for (let n = 0; n < 20; n++) expect(await attempt('bob', PASSWORD, HOME)).toBeDefined()
  })

  test('makes no address known to a user who is disabled', async () => {
    await disableUser(room.deps, 'bob')
    expect(await refusalOf(() => attempt('bob', PASSWORD, HOME))).toMatchObject({ code: 40102 })
    for (let n = 0; n < PER_NAME; n++) await guess('bob', elsewhere(n))
    expect(await refusalOf(() => attempt('bob', PASSWORD, HOME))).toMatchObject({ code: 42901 })
  })
})
