import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameKey } from '../../src/kernel/names.ts'

describe('the key of a name', () => {
  test.each([
    ['capitals', 'DAVE', 'dave'],
    ['mathematical letters', '𝐝𝐚𝐯𝐞', 'dave'],
    ['mathematical capitals', '𝕯𝕬𝖁𝕰', 'dave'],
    ['full-width letters', 'ｄａｖｅ', 'dave'],
    ['letters in circles', 'ⓓⓐⓥⓔ', 'dave'],
    ['a ligature', 'ﬁona', 'fiona'],
    ['a long s', 'ſam', 'sam'],
    ['the sign of the kelvin', '\u212Aurt', 'kurt'],
    ['an accent by itself', 'rene\u0301', 'ren\u00E9'],
    ['a capital whose small letter is composed', 'J\u030Ca', '\u01F0a'],
    ['an e-mail address in full width', 'ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ', 'ada@example.org'],
    ['space around', ' \u00A0dave\u3000\n', 'dave'],
  ])('is the same for %s', (_what, spelling, name) => {
    expect(nameKey(spelling)).toBe(nameKey(name))
  })

  test.each([
    ['a dotless i and an i', '\u0131da', 'ida'],
    ['a Turkish capital with its dot and an i', '\u0130da', 'ida'],
    ['a Cyrillic а and an a', '\u0430da', 'ada'],
    ['space within and none', 'da ve', 'dave'],
  ])('tells %s apart: they are other letters', (_what, one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other))
  })

  test('of a key is that key, so that whatever is found by one spelling is found by all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(nameKey(nameKey(name))).toBe(nameKey(name))
      }),
      { numRuns: 3000 },
    )
  })
})
