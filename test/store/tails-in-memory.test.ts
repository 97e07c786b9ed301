import { describe, expect, it } from 'vitest'
import { ENDLESS_EFFORT, shortEffort, TooLongHere } from '../../src/store/segments/effort.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../src/store/segments/segment-sizes.ts'
import { plainSqlite } from '../support/plain-sqlite.ts'
import { insertion, planOf } from '../support/plans.ts'

describe('the tail, which threads have in memory', () => {
  it('has no records with large texts: they go into a segment at once, and all that was there with them', () => {
    const store = plainSqlite(DEFAULT_SEGMENT_SIZES)
    const tail = (name: string) => store.find(planOf('c', { name }), ENDLESS_EFFORT).report.tail
    store.applyEach([insertion('c', 'small', { name: 'small' })])
    expect(tail('small')).toBe(1)
    store.applyEach([insertion('c', 'large', { name: 'large', text: 'x'.repeat(20_000) })])
    expect(tail('small')).toBe(0)
    expect(store.find(planOf('c', { name: { $in: ['small', 'large'] } }), ENDLESS_EFFORT).count).toBe(2)
    expect(store.check()).toEqual([])
    store.close()
  })

  it('is not searched on the request thread when its texts are long together', () => {
    const store = plainSqlite(DEFAULT_SEGMENT_SIZES)
    const text = 'x'.repeat(16_000)
    for (const from of [0, 250]) {
      store.applyEach(Array.from({ length: 250 }, (_, i) => insertion('c', `${from + i}`, { i: from + i, text })))
    }
    expect(store.find(planOf('c', { i: 7 }), ENDLESS_EFFORT).report).toMatchObject({ tail: 500, segments: 0 })
    expect(() => store.find(planOf('c', { text: { $regex: 'y$' } }, { limit: 500 }), shortEffort())).toThrow(
      TooLongHere,
    )
    store.close()
  })
})
