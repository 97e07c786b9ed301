import { describe, expect, test } from 'vitest'
import { BoundedCache } from '../../src/kernel/bounded-cache.ts'

const value = { kept: true }
const namesIn = (cache: BoundedCache<object>, names: readonly string[]) =>
  names.filter((name) => cache.get(name) !== undefined)

describe('a bounded cache', () => {
  test('keeps what was asked for last, within its weight', () => {
    const cache = new BoundedCache<object>({ most: 3 })
    for (const name of ['a', 'b', 'c']) cache.set(name, value)
    cache.get('a')
    cache.set('d', value)
    expect([cache.weight, namesIn(cache, ['a', 'b', 'c', 'd'])]).toEqual([3, ['a', 'c', 'd']])
  })

  test('makes room for one that is heavy, and does not keep one that is too heavy', () => {
    const cache = new BoundedCache<object>({ most: 10, heaviest: 5 })
    for (const name of ['a', 'b', 'c']) cache.set(name, value, 3)
    cache.set('d', value, 5)
    cache.set('e', value, 6)
    expect([cache.weight, namesIn(cache, ['a', 'b', 'c', 'd', 'e'])]).toEqual([8, ['c', 'd']])
  })

  test('weighs what takes the place of another once, and what is gone not at all', () => {
    const cache = new BoundedCache<object>({ most: 10 })
    for (let time = 0; time < 5; time++) cache.set('a', value, 4)
    cache.set('b', value, 2)
    expect(cache.weight).toBe(6)
    cache.delete('a')
    cache.delete('never there')
    expect([cache.weight, cache.get('a')]).toEqual([2, undefined])
  })

  test('forgets everything when it is cleared, and goes on', () => {
    const cache = new BoundedCache<number>({ most: 2 })
    for (const [name, number] of Object.entries({ a: 1, b: 2 })) cache.set(name, number)
    cache.clear()
    cache.set('c', 0)
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.weight]).toEqual([undefined, undefined, 0, 1])
  })

  test('keeps nothing where nothing may be kept', () => {
    const cache = new BoundedCache<object>({ most: 0 })
    cache.set('a', value)
    expect([cache.get('a'), cache.weight]).toEqual([undefined, 0])
  })
})
