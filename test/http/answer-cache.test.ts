import { describe, expect, test } from 'vitest'
import { makeAnswer } from '../../src/http/fast-lane/answer.ts'
import { AnswerCache } from '../../src/http/fast-lane/answer-cache.ts'

const SCOPE = { kind: 'account', accountId: 'ada' } as const
const KIB = 1024

function cacheOf(capacity: number) {
  const state = { mark: 1, counter: 1 }
  const cache = new AnswerCache({ changeMark: () => state.mark, changeCounter: () => state.counter }, capacity)
  const put = (target: string, bytes: number) =>
    cache.put(SCOPE, target, cache.momentOf(SCOPE), makeAnswer(Buffer.alloc(bytes), '"1"'))
  const has = (target: string) => cache.get(SCOPE, target) !== null
  return { cache, state, put, has }
}

describe('the cache of answers', () => {
  test('never holds more than its bytes, however many answers come', () => {
    const { cache, put } = cacheOf(100 * KIB)
    for (let n = 0; n < 1000; n++) {
      put(`/${n}`, 3 * KIB)
      expect(cache.bytes).toBeLessThanOrEqual(100 * KIB)
    }
    expect(cache.bytes).toBeGreaterThan(80 * KIB)
  })

  test('lets those go first that nobody asked for again', () => {
    const { put, has } = cacheOf(100 * KIB)
    put('/wanted', 3 * KIB)
    put('/unwanted', 3 * KIB)
    for (let n = 0; n < 30; n++) {
      expect(has('/wanted')).toBe(true)
      put(`/${n}`, 3 * KIB)
    }
    expect(has('/unwanted')).toBe(false)
  })

  test('does not take an answer that would push out most others', () => {
    const { put, has } = cacheOf(100 * KIB)
    put('/large', 20 * KIB)
    expect(has('/large')).toBe(false)
  })

  test('keeps nothing with a capacity of 0', () => {
    const { cache, put, has } = cacheOf(0)
    put('/', 1)
    expect([has('/'), cache.bytes, cache.isOn]).toEqual([false, 0, false])
  })

  test('forgets what has changed, and what a writer has overtaken', () => {
    const { cache, state, put, has } = cacheOf(100 * KIB)
    put('/', 1)
    state.mark += 1
    expect(has('/')).toBe(true)
    state.mark += 1
    state.counter += 1
    expect([has('/'), cache.bytes]).toEqual([false, 0])
    const before = cache.momentOf(SCOPE)
    state.mark += 1
    state.counter += 1
    cache.put(SCOPE, '/', before, makeAnswer('', '"1"'))
    expect(has('/')).toBe(false)
  })
})
