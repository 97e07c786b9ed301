import { describe, expect, test } from 'vitest'
import { contentResponse } from '../../src/http/exchange/response.ts'
import { ResponseCache } from '../../src/http/response/response-cache.ts'

const SCOPE = { kind: 'account', accountId: 'ada' } as const
const KIB = 1024

function cacheOf(capacity: number) {
  const cache = new ResponseCache(capacity)
  const put = (target: string, bytes: number, counter = 1) =>
    cache.put(SCOPE, target, counter, { ...contentResponse('text/plain', ''), body: Buffer.alloc(bytes) })
  const has = (target: string, counter = 1) => cache.get(SCOPE, target, counter) !== null
  return { cache, put, has }
}

describe('the cache of answers', () => {
  test('never holds more than its bytes, however many answers come', () => {
    const { cache, put } = cacheOf(100 * KIB)
    for (let n = 0; n < 1000; n++) {
      put(`/${n % 700}`, 3 * KIB)
      expect(cache.bytes).toBeLessThanOrEqual(100 * KIB)
    }
    expect(cache.bytes).toBeGreaterThan(80 * KIB)
  })

  test('counts an answer that takes the place of another once', () => {
    const { cache, put } = cacheOf(100 * KIB)
    put('/', KIB)
    const { bytes } = cache
    for (let counter = 1; counter < 100; counter++) put('/', KIB, counter)
    expect(cache.bytes).toBe(bytes)
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

  test('keeps a large answer when it is asked for the second time, so that one that nobody asks for again costs nothing', () => {
    const { cache, put, has } = cacheOf(1024 * KIB)
    put('/once', 20 * KIB)
    expect([has('/once'), cache.bytes]).toEqual([false, 0])
    put('/once', 20 * KIB, 2)
    expect(has('/once', 2)).toBe(true)
  })

  test('does not take an answer that would push out most others', () => {
    const { put, has } = cacheOf(100 * KIB)
    put('/large', 20 * KIB)
    expect(has('/large')).toBe(false)
  })

  test('keeps nothing with a capacity of 0', () => {
    const { cache, put, has } = cacheOf(0)
    put('/', 1)
    expect([has('/'), cache.bytes]).toEqual([false, 0])
  })

  test('gives an answer under its own counter only, and forgets it under another', () => {
    const { cache, put, has } = cacheOf(100 * KIB)
    put('/', 1, 7)
    expect([has('/', 7), has('/', 8), has('/', 7), cache.bytes]).toEqual([true, false, false, 0])
    put('/', 1, 7)
    expect(has('/', 6)).toBe(false)
  })
})
