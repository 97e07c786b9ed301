import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { compilePattern } from '../../src/query/patterns/compile-pattern.ts'
import { bsonTypeOf, compareBson, compareText, equalBson } from '../../src/query/values/compare-bson.ts'

/** Each is smaller than the next. */
const ascending = [
  null,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  -1,
  0,
  0.5,
  2,
  Number.POSITIVE_INFINITY,
  '',
  'A',
  'a',
  'a\u0000',
  'aa',
  'é',
  '\ue000',
  '😀',
  {},
  { b: null },
  { a: 1 },
  { a: 1, b: 0 },
  { b: 1 },
  { a: 'x' },
  { a: [] },
  [],
  [null],
  [1],
  [1, 2],
  [2],
  ['a'],
  [{}],
  [[]],
  false,
  true,
  new Date(0),
  new Date(1),
  compilePattern({ source: 'a', flags: '' }),
  compilePattern({ source: 'a', flags: 'i' }),
  compilePattern({ source: 'b', flags: '' }),
] as const

describe('compareBson', () => {
  it('orders values of every type', () => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) expect(Math.sign(compareBson(a, b)), `${i} ${j}`).toBe(Math.sign(i - j))
    }
  })

  it('ties missing with null, and -0 with 0', () => {
    expect(compareBson(undefined, null)).toBe(0)
    expect(compareBson(-0, 0)).toBe(0)
    expect(compareBson({ a: -0 }, { a: 0 })).toBe(0)
  })

  it('tells objects apart by the order of their fields', () => {
    expect(equalBson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false)
    expect(equalBson({ a: 1, b: [{ c: null }] }, { a: 1, b: [{ c: null }] })).toBe(true)
  })

  it('is an order: what is equal or smaller stays so', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(json, json, json, (a, b, c) => {
        expect(Math.sign(compareBson(a, b))).toBe(-Math.sign(compareBson(b, a)) + 0)
        if (compareBson(a, b) <= 0 && compareBson(b, c) <= 0) expect(compareBson(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })
})

describe('compareText', () => {
  it('agrees with the bytes of UTF-8', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𝒳')).map((all) => all.join(''))
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })
})

describe('bsonTypeOf', () => {
  it.each([
    [1, 'int'],
    [-2147483648, 'int'],
    [2147483648, 'long'],
    [2 ** 63, 'double'],
    [0.5, 'double'],
    [Number.NaN, 'double'],
    [-0, 'int'],
    [null, 'null'],
    [[], 'array'],
    [{}, 'object'],
    [undefined, null],
  ] as const)('calls %j %s', (value, name) => {
    expect(bsonTypeOf(value)).toBe(name)
  })
})
