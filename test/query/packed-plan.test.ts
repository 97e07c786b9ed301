import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { projectDocument } from '../../src/query/fields/project-document.ts'
import { matches } from '../../src/query/match/matches.ts'
import { packPlan, unpackPlan } from '../../src/query/plan/packed-plan.ts'
import { planOf } from '../support/plans.ts'

const DOCUMENT: JsonObject = { _id: '1', name: 'Silicon', a: [1, 2, 3], sites: [{ e: 'Si' }, { e: 'O' }], n: 7 }

const QUERIES: readonly (readonly [Json, boolean])[] = [
  [{ name: { $regex: '^sil', $options: 'i' } }, true],
  [{ name: { $not: { $regex: 'icon$' } } }, false],
  [{ name: { $in: ['x', { $regex: 'con' }] } }, true],
  [{ a: { $all: [1, { $regex: 'x' }] } }, false],
  [{ sites: { $elemMatch: { e: { $regex: '^O' } } } }, true],
  [{ a: { $elemMatch: { $gt: 2, $not: { $gt: 5 } } } }, true],
  [{ $or: [{ $expr: { $gt: ['$n', 100] } }, { $nor: [{ n: { $mod: [7, 0] } }] }] }, false],
  [{ $expr: { $eq: [{ $add: ['$n', 1] }, 8] } }, true],
  [{ n: { $bitsAllSet: [0, 1, 2] } }, true],
]

describe('a packed plan', () => {
  it.each(QUERIES)('means the same after the journey to another thread: %j', (query, selected) => {
    const plan = planOf('c', query)
    expect(matches(plan.filter, DOCUMENT)).toBe(selected)
    const arrived = unpackPlan(structuredClone(packPlan(plan)))
    expect(matches(arrived.filter, DOCUMENT)).toBe(selected)
    expect(arrived.narrowing).toEqual(plan.narrowing)
  })

  it.each<[Json, JsonObject]>([
    [{ 'a.$': 1 }, { _id: '1', a: [2] }],
    [{ sites: { $elemMatch: { e: { $regex: 'O' } } } }, { _id: '1', sites: [{ e: 'O' }] }],
    [
      { a: { $slice: -1 }, sites: 0, name: 0 },
      { _id: '1', a: [3], n: 7 },
    ],
  ])('carries sort, bounds, scope and the fields %j', (asked, given) => {
    const plan = planOf('c', { a: { $gt: 1 } }, { sort: { n: -1 }, skip: 3, limit: 4, fields: asked })
    const arrived = unpackPlan(structuredClone(packPlan(plan)))
    expect(arrived).toMatchObject({ sort: plan.sort, skip: 3, limit: 4, scope: plan.scope, collection: 'c' })
    const { fields } = arrived
    if (fields === null) throw new Error('the fields were lost')
    expect(projectDocument(DOCUMENT, fields, arrived.filter)).toEqual(given)
  })
})
