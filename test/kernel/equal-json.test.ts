import { describe, expect, it } from 'vitest'
import { equalJson, type Json } from '../../src/kernel/json.ts'

const same: readonly (readonly [string, Json | undefined, Json | undefined])[] = [
  ['numbers', 1, 1],
  ['0 and -0', 0, -0],
  ['nothing', undefined, undefined],
  ['fields in another order', { a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 }],
  ['fields that are called as those of JavaScript', JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
]

const different: readonly (readonly [string, Json | undefined, Json | undefined])[] = [
  ['a number and its text', 1, '1'],
  ['null and nothing', null, undefined],
  ['elements in another order', [1, 2], [2, 1]],
  ['arrays of other lengths', [1], [1, 2]],
  ['an array and an object with its indexes', [1], { 0: 1 }],
  ['an object and an array', { 0: 1 }, [1]],
  ['objects with a field more', { a: 1 }, { a: 1, b: 2 }],
  ['objects with other fields', { a: null }, { b: null }],
  ['a field and what objects inherit', { constructor: 1 }, {}],
  ['objects and null', {}, null],
  ['values within', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
]

describe('two JSON values', () => {
  it.each(same)('are the same: %s', (_, one, other) => {
    expect(equalJson(one, other)).toBe(true)
    expect(equalJson(other, one)).toBe(true)
  })

  it.each(different)('differ: %s', (_, one, other) => {
    expect(equalJson(one, other)).toBe(false)
    expect(equalJson(other, one)).toBe(false)
  })
})
