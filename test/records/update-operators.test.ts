import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { applyUpdate } from '../../src/records/work/edit-document.ts'
import { parseUpdate } from '../../src/records/work/parse-update.ts'

function updated(document: JsonObject, update: JsonObject): Json {
  return applyUpdate(structuredClone(document), parseUpdate(update))
}

/** What MongoDB's manual says of each operator, and what its server does at the corners. */
const CASES: readonly (readonly [document: JsonObject, update: JsonObject, outcome: JsonObject])[] = [
  [{ a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
  [{ a: 1 }, { $inc: { b: -2, 'c.d': 1 } }, { a: 1, b: -2, c: { d: 1 } }],
  [{ a: 0.5 }, { $inc: { a: 0.25 } }, { a: 0.75 }],
  [{ a: [1, 2] }, { $inc: { 'a.1': 5 } }, { a: [1, 7] }],
  [{ a: 2 ** 53 - 2 }, { $inc: { a: 1 } }, { a: 2 ** 53 - 1 }],
  [{ a: 1e300 }, { $inc: { a: 0.5 } }, { a: 1e300 }],
  [{ a: 3 }, { $mul: { a: 2, b: 7 } }, { a: 6, b: 0 }],
  [{ a: 3 }, { $min: { a: 2, b: 1 } }, { a: 2, b: 1 }],
  [{ a: 3 }, { $min: { a: 4 } }, { a: 3 }],
  [{ a: 3 }, { $max: { a: 4, b: null } }, { a: 4, b: null }],
  // By BSON order: numbers before texts, texts before objects, null before all.
  [{ a: 3 }, { $max: { a: '1' } }, { a: '1' }],
  [{ a: 3 }, { $min: { a: null } }, { a: null }],
  [{ a: null }, { $min: { a: 1 } }, { a: null }],
  [{ a: [1] }, { $max: { a: true } }, { a: true }],
  [{ a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
  [{ a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
  [{ a: { x: 1, y: 2 } }, { $rename: { 'a.x': 'b.x' } }, { a: { y: 2 }, b: { x: 1 } }],
  [{ a: 1 }, { $rename: { b: 'c', 'a.b': 'd' } }, { a: 1 }],
  [{ a: [1] }, { $rename: { a: 'b' } }, { b: [1] }],
  [{ a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
  [{}, { $push: { 'a.b': [1] } }, { a: { b: [[1]] } }],
  [{ a: [1] }, { $push: { a: { x: 1 } } }, { a: [1, { x: 1 }] }],
  [{ a: [1] }, { $push: { a: { $each: [] } } }, { a: [1] }],
  [{}, { $push: { a: { $each: [] } } }, { a: [] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [8, 9], $position: 1 } } }, { a: [1, 8, 9, 2] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [8], $position: 7 } } }, { a: [1, 2, 8] }],
  [{ a: [1, 2, 3] }, { $push: { a: { $each: [8, 9], $position: -2 } } }, { a: [1, 8, 9, 2, 3] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [8], $position: -7 } } }, { a: [8, 1, 2] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: 0 } } }, { a: [] }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2, 'x', null], $sort: 1 } } }, { a: [null, 1, 2, 3, 'x'] }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2], $sort: -1, $slice: 2 } } }, { a: [3, 2] }],
  [
    { a: [{ n: 2, m: 1 }, { n: 1 }] },
    { $push: { a: { $each: [{ n: 2, m: { k: 0 } }, 5], $sort: { n: -1, 'm.k': 1 } } } },
    { a: [{ n: 2, m: 1 }, { n: 2, m: { k: 0 } }, { n: 1 }, 5] },
  ],
  [{ a: [1] }, { $addToSet: { a: { $each: [1, 2, 2] } } }, { a: [1, 2] }],
  [{}, { $addToSet: { a: { x: 1 } } }, { a: [{ x: 1 }] }],
  [{ a: [1, 2, 3] }, { $pop: { a: 1, b: 1 } }, { a: [1, 2] }],
  [{ a: [1, 2, 3], b: [] }, { $pop: { a: -1, b: -1 } }, { a: [2, 3], b: [] }],
  [{ a: [1, 2, 1, '1'] }, { $pull: { a: 1, b: 1 } }, { a: [2, '1'] }],
  [{ a: [1, 5, 9, 'x'] }, { $pull: { a: { $gte: 5 } } }, { a: [1, 'x'] }],
  [{ a: [1, 5, 9] }, { $pull: { a: { $in: [1, 9] } } }, { a: [5] }],
  [{ a: ['ab', 'b'] }, { $pull: { a: { $regex: '^a' } } }, { a: ['b'] }],
  // An object is a query on elements: others may have more fields.
  [{ a: [{ x: 1, y: 2 }, { x: 2 }, 1] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }, 1] }],
  [{ a: [{ x: 1 }, { x: 7 }] }, { $pull: { a: { x: { $gt: 5 } } } }, { a: [{ x: 1 }] }],
  [{ a: { b: [{ x: [1, 2] }, { x: [3] }] } }, { $pull: { 'a.b': { x: 2 } } }, { a: { b: [{ x: [3] }] } }],
  [{ a: [1, [1, 2], [2]] }, { $pull: { a: [1, 2] } }, { a: [1, [2]] }],
  [{ a: [1, 2, 1, { x: 1 }] }, { $pullAll: { a: [1, { x: 1 }], b: [1] } }, { a: [2] }],
  [{ a: [{ n: 1 }, { n: 2 }] }, { $push: { 'a.1.tags': 'x' } }, { a: [{ n: 1 }, { n: 2, tags: ['x'] }] }],
  [
    { a: 1, b: [1], c: 'x' },
    { $inc: { a: 1 }, $push: { b: 2 }, $unset: { c: '' }, $set: { d: 4 } },
    { a: 2, b: [1, 2], d: 4 },
  ],
]

describe('updates', () => {
  test.each(CASES)('of %j by %j give %j', (document, update, outcome) => {
    expect(JSON.stringify(updated(document, update))).toBe(JSON.stringify(outcome))
  })

  test.each<[JsonObject, JsonObject, number, string]>([
    [{ a: 'x' }, { $inc: { a: 1 } }, 40050, '$inc of "a" changes a number, and here is "x".'],
    [{ a: null }, { $inc: { a: 1 } }, 40050, 'changes a number, and here is null'],
    [{ a: 1 }, { $inc: { a: '1' } }, 40050, '$inc of "a" takes a number, not "1".'],
    [{ a: 2 ** 53 - 1 }, { $inc: { a: 2 } }, 40050, 'a number that cannot be kept exactly'],
    [{ a: 2 ** 52 + 1 }, { $mul: { a: 3 } }, 40050, 'a number that cannot be kept exactly'],
    [{ a: 1e300 }, { $mul: { a: 1e300 } }, 40050, 'a number that cannot be kept exactly'],
    [{ a: 1 }, { $push: { a: 1 } }, 40050, '$push of "a" changes a list, and here is 1.'],
    [{ a: null }, { $addToSet: { a: 1 } }, 40050, 'changes a list, and here is null'],
    [{ a: 1 }, { $pop: { a: 1 } }, 40050, 'changes a list'],
    [{ a: 1 }, { $pull: { a: 1 } }, 40050, 'changes a list'],
    [{ a: [] }, { $pop: { a: 2 } }, 40050, 'takes 1 for the last element or -1 for the first'],
    [{ a: [] }, { $pullAll: { a: 1 } }, 40050, 'takes a list of values'],
    [{ a: [] }, { $push: { a: { $slice: 1 } } }, 40050, 'takes $position, $sort and $slice beside {"$each":[…]} alone'],
    [{ a: [] }, { $push: { a: { $each: 1 } } }, 40050, 'alone'],
    [{ a: [] }, { $push: { a: { $each: [], $limit: 1 } } }, 40050, 'does not know "$limit" beside $each'],
    [{ a: [] }, { $push: { a: { $each: [], $slice: 1.5 } } }, 40050, 'takes a whole number for $slice'],
    [{ a: [] }, { $push: { a: { $each: [], $position: 'x' } } }, 40050, 'takes a whole number for $position'],
    [{ a: [] }, { $push: { a: { $each: [], $sort: 2 } } }, 40050, 'takes for $sort 1 or -1'],
    [{ a: [] }, { $push: { a: { $each: [], $sort: { b: 'asc' } } } }, 40050, 'takes for $sort 1 or -1'],
    [{ a: [] }, { $addToSet: { a: { $in: [1] } } }, 40050, 'takes a value, or {"$each":[…]} for several'],
    [{ a: [] }, { $pull: { a: { $foo: 1 } } }, 40003, '$foo'],
    [{ a: 1 }, { $rename: { a: 1 } }, 40050, '$rename of "a" takes the new path, a text.'],
    [{ a: [{ b: 1 }] }, { $rename: { 'a.0.b': 'c' } }, 40050, 'a is a list'],
    [{ a: [1], b: 1 }, { $rename: { b: 'a.0' } }, 40050, 'a is a list'],
    [{ a: 1 }, { $rename: { a: 'a' } }, 40050, '$rename of "a" gives it the name that it has'],
    [{ a: 1 }, { $rename: { a: 'b' }, $set: { 'b.c': 1 } }, 40051, 'changes both "b" and "b.c"'],
    [{ a: 1 }, { $inc: { a: 1 }, $set: { a: 1 } }, 40051, 'changes "a" twice'],
    [{ a: [1] }, { $push: { a: 1 }, $pop: { 'a.0': 1 } }, 40051, 'changes both "a" and "a.0"'],
    [{ a: [1] }, { $set: { 'a.$[]': 1 } }, 40050, 'Positions ($, $[], $[name]) are not resolved'],
    [{ a: [1] }, { $set: { 'a.$[one].b': 1 } }, 40050, 'Positions ($, $[], $[name]) are not resolved'],
    [{ a: 1 }, { $currentDate: { a: true } }, 40050, 'Write the time'],
    [{ a: 1 }, { $setOnInsert: { a: 1 } }, 40050, 'An update inserts nothing'],
    [{ a: 1 }, { $bit: { a: { and: 1 } } }, 40050, 'Read the number'],
  ])('of %j by %j are refused with %i', (document, update, code, words) => {
    const run = () => updated(document, update)
    expect(run).toThrow(AppError)
    try {
      run()
    } catch (error) {
      const { message, data, spec } = error as AppError
      expect(spec.code).toBe(code)
      expect(`${message} ${data.hint}`).toContain(words)
    }
  })

  test('by $inc and back again leave whole numbers as they were', () => {
    const whole = fc.integer({ min: -(2 ** 52), max: 2 ** 52 })
    fc.assert(
      fc.property(whole, whole, (a, by) => {
        const there = updated({ a }, { $inc: { a: by } }) as JsonObject
        expect(updated(there, { $inc: { a: -by } })).toEqual({ a: a + 0 })
      }),
    )
  })
})
