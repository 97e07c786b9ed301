import fc from 'fast-check'
import { expect, it } from 'vitest'
import { smallest } from '../../src/engine/sort-rows.ts'

it('the smallest of some numbers are those that a sort puts first', () => {
  const some = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 })
  fc.assert(
    fc.property(some, fc.nat(45), (numbers, count) => {
      const sorted = numbers.toSorted((a, b) => a - b)
      expect(Array.from(smallest(Float64Array.from(numbers), count))).toEqual(sorted.slice(0, count))
    }),
    { numRuns: 2000 },
  )
})
