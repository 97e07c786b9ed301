import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, test } from 'vitest'
import {
  assertNewPassword,
  type IsCommon,
  isVariantOfCommon,
  loadCommonPasswords,
} from '../../src/accounts/new-password.ts'
import { refusalOf } from './support/account-room.ts'

const ADA = { name: 'ada.lovelace', email: 'countess@example.org' }
const LEAST = 12

describe('a new password', () => {
  test.each([
    ['eleven characters', 'q7#vRt9!mZx'],
    ['1025 characters', 'xk'.repeat(513).slice(0, 1025)],
    ['nothing', ''],
    ['eleven characters of two code units each', '🔑🔒🧲🧪🔭🧬🪨💎🧊🪵🧯'],
  ])('is refused with %s', async (_what, password) => {
    expect(await refusalOf(() => assertNewPassword(password, ADA))).toMatchObject({
      code: 40072,
      message: expect.stringContaining('A password has 12 to 1024 characters'),
    })
  })

  test.each([
    ['a common one', '1qaz2wsx3edc'],
    ['one in capitals', 'ADMINISTRATOR'],
    ['one in full width', 'ｍｏｔｈｅｒｆｕｃｋｅｒ'],
    ['one with digits behind it', 'Password1234'],
    ['one with a year and an exclamation mark', 'Elephant2024!'],
    ['one with characters around it', '!!monkey2001'],
    ['one with a long sequence behind it', 'dragon12345678'],
    ['one that ends in a digit, with more', 'trustno1-2024'],
    ['digits in place of letters', '4dm1n1str4t0r'],
    ['signs in place of letters, and more behind', 'P@$$w0rd!!!!'],
    ['the digit one in place of an l', '1etmein!2024'],
    ['one backwards', 'drowssap4321'],
    ['one twice', 'hunterhunter'],
    ['one three times with dots between', 'dragon.dragon.dragon'],
    ['one twice and a digit', 'monkeymonkey1'],
    ['one with spaces between its words', 'i love you 123'],
    ['one character over and over', 'xxxxxxxxxxxxxxxx'],
    ['a few characters over and over', 'xk7xk7xk7xk7'],
    ['the digits', '012345678901'],
    ['the digits down', '987654321098'],
    ['the alphabet', 'abcdefghijklmno'],
    ['a row of the keyboard', 'qwertyuiopoi'],
    ['two rows of the keyboard', 'asdfghjkzxcvbn'],
    ['a row of a German keyboard', 'qwertzuiopqwertz'],
  ])('is refused when it is %s', async (_what, password) => {
    expect(await refusalOf(() => assertNewPassword(password, ADA))).toMatchObject({
      code: 40083,
      message: expect.stringContaining('guessed first'),
      data: { path: 'password', hint: expect.any(String) },
    })
  })

  test.each([
    ['the name', 'ada.lovelace'],
    ['the name in capitals with digits', 'ADA.LOVELACE1815'],
    ['the name twice', 'ada.lovelaceada.lovelace'],
    ['the e-mail address', 'countess@example.org'],
    ['the front of the e-mail address', 'Countess-1815'],
    ['name and address', 'countessada.lovelace'],
    ['the name of the program', 'quarry-quarry-1'],
  ])('is refused when it is little more than %s', async (_what, password) => {
    expect(await refusalOf(() => assertNewPassword(password, ADA))).toMatchObject({
      code: 40083,
      message: expect.stringContaining('name'),
    })
  })

  test.each([
    'correct horse',
    'trombone-lattice',
    'Xk9-elephant-vw',
    'tim-2938471920',
    'ada.lovelace rides a bicycle',
    'q7#vRt9!mZxw',
    'пароль из песни',
    '合言葉は山と川そして海です',
    '🔑🗝️🔒🧲🧪⚗️🔭🧬🪨💎🧊🪵',
  ])('may be %s', async (password) => {
    await assertNewPassword(password, ADA)
  })

  test('may not be shown by its refusal', async () => {
    const refusal = await refusalOf(() => assertNewPassword('Password1234', ADA))
    expect(JSON.stringify(refusal)).not.toContain('Password1234')
  })
})

describe('the list of common passwords', () => {
  const first = dictionary['passwords-common'].slice(0, 10_000)
  const dresses: readonly [string, (password: string) => string][] = [
    ['as they are', (password) => password],
    ['in capitals', (password) => password.toUpperCase()],
    ['with an exclamation mark', (password) => `${password}!`],
    ['with three digits', (password) => `${password}123`],
    ['with a capital and a year', (password) => `${password.charAt(0).toUpperCase()}${password.slice(1)}2024!`],
    ['twice', (password) => password + password],
  ]
  let isCommon: IsCommon

  test('has the ten thousand most common ones', async () => {
    isCommon = await loadCommonPasswords()
    expect(first).toHaveLength(10_000)
    expect(first.filter((password) => !isCommon(password.toLowerCase()))).toEqual([])
  })

  test.each(['', '# the', '!qaz2wsw', '1234567890123456789', '\u{fffd}'])('has not %j', async (text) => {
    isCommon = await loadCommonPasswords()
    expect([isCommon(text), isCommon('!qaz2wsx'), isCommon('password')]).toEqual([false, true, true])
  })

  test.each(dresses)('lets none of the ten thousand pass %s', async (_what, dress) => {
    isCommon = await loadCommonPasswords()
    const dressed = first.map(dress).filter((password) => password.length >= LEAST)
    expect(dressed.length).toBeGreaterThan(20)
    expect(dressed.filter((password) => !isVariantOfCommon(password, isCommon))).toEqual([])
  })
})
