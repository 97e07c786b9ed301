import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRelaxed } from '../../web/query/relaxed-json.ts'

function json(text: string): string | undefined {
  const read = readRelaxed(text)
  return 'json' in read ? read.json : undefined
}

/** What is wrong, with what it is about. */
function fault(text: string): string {
  const read = readRelaxed(text)
  return 'fault' in read ? `${read.fault.message} «${text.slice(read.fault.from, read.fault.to)}»` : 'none'
}

describe('relaxed JSON', () => {
  it('is JSON, where it is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\t'), (value, space) => {
        expect(json(JSON.stringify(value, null, space))).toBe(JSON.stringify(value))
      }),
    )
  })

  it.each([
    ["{formula: 'Si'}", '{"formula":"Si"}'],
    [`{'lattice.a': {$gt: 4,}, }`, '{"lattice.a":{"$gt":4}}'],
    [`{name: 'it\\'s "so"\\n'}`, '{"name":"it\'s \\"so\\"\\n"}'],
    ['{name: /^si\\/{2}/i, x: /a b/}', '{"name":{"$regex":"^si/{2}","$options":"i"},"x":{"$regex":"a b"}}'],
    [`['\\"', "it's", '\\\\', '\\u00e9']`, '["\\"","it\'s","\\\\","é"]'],
    ['[1.50, 12345678901234567890, -0]', '[1.50,12345678901234567890,-0]'],
    ['{"__proto__": 1, "a": 1, "a": 2}', '{"__proto__":1,"a":1,"a":2}'],
  ])('of %s is %s', (text, expected) => {
    expect(json(text)).toBe(expected)
  })

  it.each([
    ['{a: 1', 'This { is not closed: } is missing «{»'],
    ['[1, 2', 'This [ is not closed: ] is missing «[»'],
    ['{a: 1 b: 2}', 'A comma is missing before b «b»'],
    ['{formula: SiO2}', 'SiO2 is no value of JSON. Text stands in quotes: "SiO2" «SiO2»'],
    ['{a 1}', 'A colon is missing after a «a»'],
    ['{a: }', 'A value is expected, and } is there «}»'],
    ["{a: 'x}", "This text has no ' at its end «'x}»"],
    ['{a: .5}', '.5 is no number of JSON «.5»'],
    ['{a: 1} {', 'Nothing may follow after the end, and { does «{»'],
    ['{a: ', 'A value is missing at the end «:»'],
    ['{,}', 'A key is expected, and , is there «,»'],
    ['"\\q"', 'This text has an escape that JSON has not: a \\ itself is \\\\ «"\\q"»'],
    ['', 'A value is missing at the end «»'],
  ])('says what is wrong with %s', (text, words) => {
    expect(fault(text)).toBe(words)
  })

  it('refuses what is too deep instead of running out of room', () => {
    expect(fault('['.repeat(100_000))).toMatch(/^There are more than 256 levels/)
  })

  it('reads any text or says a place in it', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ':', ',', '"', "'", '\\', 'a', '"b"', ' ', '\n', '/', '1')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const read = readRelaxed(text)
        if ('json' in read) expect(() => JSON.parse(read.json)).not.toThrow()
        else expect(read.fault.from <= read.fault.to && read.fault.to <= text.length).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
