import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type RowRanks, smallest, sortRows } from '../../src/engine/sort-rows.ts'

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

it('the first of many rows are those that a sort puts first, whatever they share', () => {
  const ranked = (most: number, direction: 1 | -1, seed: number): RowRanks => {
    const ofRow = Uint16Array.from({ length: 5000 }, (_, row) => ((row * seed) % 4999) % most)
    return { direction, ofRow, most }
  }
  fc.assert(
    fc.property(
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3000 })),
      fc.constantFrom<1 | -1>(1, -1),
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 300 }),
      ([most, other], direction, count, want) => {
        const rows = Uint16Array.from({ length: count }, (_, at) => at)
        const keys = [ranked(most, direction, 7919), ranked(other, 1, 104_729)]
        const placeOf = ({ ofRow, direction: way }: RowRanks, row: number) => (ofRow[row] as number) * way
        const sorted = Array.from(rows).sort((a, b) => {
          const orders = keys.map((ranks) => placeOf(ranks, a) - placeOf(ranks, b))
          return orders.find((order) => order !== 0) ?? a - b
        })
        expect(Array.from(sortRows(rows, keys, want))).toEqual(sorted.slice(0, want))
      },
    ),
    { numRuns: 200 },
  )
})
