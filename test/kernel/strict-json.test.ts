import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStrictJson, StrictJsonError } from '../../src/kernel/strict-json.ts'

const limits = { maxDepth: 8 }

function errorOf(text: string): StrictJsonError {
  try {
    readStrictJson(text, limits)
  } catch (error) {
    if (error instanceof StrictJsonError) return error
    throw error
  }
  throw new Error('the text was accepted')
}

describe('readStrictJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        expect(readStrictJson(text, limits)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([' {"a" : [ 1 , 2.5e-3 , -0 ] , "b":\t"\\u00e9\\n\\/"}\n', '""', 'null', '[]', '{}', '-1E+2'])(
    'reads %j as JSON.parse does',
    (text) => {
      expect(readStrictJson(text, limits)).toEqual(JSON.parse(text))
    },
  )

  it('keeps __proto__ as plain data', () => {
    const value = readStrictJson('{"__proto__":{"a":1}}', limits) as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('takes back the digits that JSON.stringify writes for a large number', () => {
    expect(readStrictJson('[24597982588859870]', limits)).toEqual([24597982588859870])
  })

  it.each([
    ['{"a":1,"a":2}', 'duplicateKey', [1, 8], 'a'],
    ['{"a":{"b":1,\n "b":2}}', 'duplicateKey', [2, 2], 'a.b'],
    ['{"__proto__":1,"__proto__":2}', 'duplicateKey', [1, 16], '__proto__'],
    ['[[[[[[[[[1]]]]]]]]]', 'depth', [1, 9], '[0][0][0][0][0][0][0][0]'],
    ['{"a":9007199254740993}', 'inexactNumber', [1, 6], 'a'],
    ['[1e999]', 'inexactNumber', [1, 2], '[0]'],
    ['[0, 1e-400]', 'inexactNumber', [1, 5], '[1]'],
    ['[-0.0001E-9999]', 'inexactNumber', [1, 2], '[0]'],
    ['{"a":"\\ud800"}', 'syntax', [1, 6], 'a'],
    ['{"a":"\\ude00\\ud83d"}', 'syntax', [1, 6], 'a'],
    ['', 'syntax', [1, 1], ''],
    ['{"a":1}}', 'syntax', [1, 8], ''],
    ['{"$and":[{"a":1},]}', 'syntax', [1, 18], '$and[1]'],
    ['{"a":01}', 'syntax', [1, 6], 'a'],
    ['{"a":.5}', 'syntax', [1, 6], 'a'],
    ['{"a":1.}', 'syntax', [1, 6], 'a'],
    ['{"a":"b\nc"}', 'syntax', [1, 8], 'a'],
    ['{"a":"\\x41"}', 'syntax', [1, 7], 'a'],
  ] as const)('refuses %j, saying where', (text, problem, [line, column], path) => {
    const error = errorOf(text)
    expect({ problem: error.problem, line: error.line, column: error.column, path: error.path }).toEqual({
      problem,
      line,
      column,
      path,
    })
  })

  it.each([
    ["{'a':1}", /double quotes/],
    ['{a:1}', /double quotes/],
    ['{"a":\'b\'}', /not single ones/],
    ['{"a":1,}', /comma/],
    ['[1,]', /comma before \] out/],
    ['{"a":True}', /true/],
    ['{"a":None}', /null/],
    ['{"a":NaN}', /leave the field out, or write null.*allow_nan=False/],
    ['{"a":[1,Infinity]}', /leave the field out, or write null/],
    ['{"a":-Infinity}', /leave the field out, or write null/],
    ['{"a":-inf}', /leave the field out, or write null/],
    ['{"a":nan}', /leave the field out, or write null/],
    ['{"a":-x}', /Strings stand in double quotes/],
    ['{"a":ObjectId("x")}', /\$oid/],
    ['{"a":/x/}', /\$regex/],
    ['{"a":1 // one\n}', /comments/],
    ['{"a":1', /close every/],
    ['{"a" 1}', /"key": value/],
    ['{"a":"b', /End it/],
    ['{"a":9007199254740993}', /9007199254740991/],
  ])('hints at the right form of %j', (text, hint) => {
    expect(errorOf(text).hint).toMatch(hint)
  })

  it('refuses deep nesting before it can exhaust the stack', () => {
    expect(errorOf('['.repeat(1_000_000)).problem).toBe('depth')
    expect(errorOf('{"a":'.repeat(100_000)).problem).toBe('depth')
  })

  it('agrees with JSON.parse on what is no JSON', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '0',
      '.',
      'e',
      'true',
      ' ',
      '\\',
      'null',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        if (!isJson(text)) expect(errorOf(text).problem).toMatch(/syntax|depth|duplicateKey/)
      }),
      { numRuns: 2_000 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
