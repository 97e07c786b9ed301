import { describe, expect, it } from 'vitest'
import { nearestName } from '../../src/kernel/names.ts'

const KNOWN = ['$gt', '$gte', '$elemMatch', '$exists', 'limit']

describe('the nearest name', () => {
  it.each([
    ['$gtt', '$gt'],
    ['$elemmatch', '$elemMatch'],
    ['$exsits', '$exists'],
    ['LIMIT', 'limit'],
    ['lmit', 'limit'],
  ])('of %s is %s', (given, nearest) => {
    expect(nearestName(given, KNOWN)).toBe(nearest)
  })

  it.each(['$sum', 'projection', '', 'x'.repeat(10_000)])('of something else is none', (given) => {
    expect(nearestName(given, KNOWN)).toBeNull()
  })
})
