import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { ENDLESS_EFFORT, shortEffort, TooLongHere } from '../../src/store/segments/effort.ts'
import { DEFAULT_SEGMENT_SIZES } from '../../src/store/segments/segment-sizes.ts'
import { plainSqlite } from '../support/plain-sqlite.ts'
import { accountScope, insertion, planOf } from '../support/plans.ts'

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

  it('goes with the view of its shelf, whatever was asked of it: lists, their orders, and what is known of fields', () => {
    const store = plainSqlite(DEFAULT_SEGMENT_SIZES)
    const text = 'x'.repeat(100)
    const fields = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field${i}`, [text, i]]))
    const accountIds = Array.from({ length: 400 }, (_, n) => `account${n}`)
    for (const accountId of accountIds) {
      const ids = Array.from({ length: 20 }, (_, i) => `${accountId} ${i}`)
      store.applyEach(ids.map((id, i) => insertion('c', id, { name: id, i, ...fields }, { accountId })))
    }
    const before = heapInUse()
    for (const scope of accountIds.map(accountScope)) {
      for (const i of [1, 2])
        expect(store.find(planOf('c', { i: { $gt: i } }, { sort: { name: 1 } }, scope), ENDLESS_EFFORT).count).toBe(
          19 - i,
        )
      expect(store.knowledge({ collection: 'c', scope }, ENDLESS_EFFORT)?.kindsAt('i')).toEqual(new Set(['number']))
    }
    expect((heapInUse() - before) / 2 ** 20).toBeLessThan(25)
    store.close()
  })
})

/** Bytes after garbage was collected. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
