import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ranksOf } from '../../src/engine/ranks.ts'
import { SegmentOrder } from '../../src/engine/segment-order.ts'
import { allBits, countBits, noBits, setBit } from '../../src/engine/selection.ts'
import { columnsOf } from './support/columns.ts'

/** So many values under each of three keys that their ranks and the row are more than one double tells exactly. */
const VALUES = 5300
const ROWS = VALUES + 500

it('an order by three keys of thousands of values each is exact, and equal rows are in natural order', () => {
  const documents = Array.from({ length: ROWS }, (_, n) => {
    const row = n % VALUES
    return { a: (row * 7) % VALUES, b: (row * 11) % VALUES, c: row }
  })
  const source = columnsOf(documents, new Set(['a', 'b', 'c']))
  const sort = (['a', 'b', 'c'] as const).map((text) => ({ path: { text, parts: [text] }, direction: -1 as const }))
  const { keys } = ranksOf(source, sort)
  const numbers = Float64Array.from(documents.keys())
  const order = new SegmentOrder({ bits: allBits(ROWS), count: ROWS, keys, numbers, want: ROWS, after: null })
  const rows = allOf(order, 1000)
  const right = [...documents.entries()].sort(([n, one], [m, other]) => other.a - one.a || n - m)
  expect(rows).toEqual(right.map(([row]) => row))
})

/** All rows, so many at a time. */
function allOf(order: SegmentOrder, atATime: number): readonly number[] {
  const rows: number[] = []
  for (let taken = order.take(atATime); taken.length > 0; taken = order.take(atATime)) rows.push(...taken)
  return rows
}

describe('an order of some of many rows', () => {
  const MANY = 6000
  const numberIn = (row: number): number => (row * 7919) % MANY
  const documents = Array.from({ length: MANY }, (_, row) => ({ a: numberIn(row), b: row % 3, c: row % 2 }))
  const source = columnsOf(documents, new Set(['a', 'b', 'c']))
  const numbers = Float64Array.from(documents, (_, row) => 10 * row)
  const keysOf = (sort: readonly (readonly [string, 1 | -1])[]) =>
    ranksOf(
      source,
      sort.map(([text, direction]) => ({ path: { text, parts: [text] }, direction })),
    ).keys

  /** Rows whose values lie together, rows here and there, or all. */
  const chosen = fc.oneof(
    fc.tuple(fc.nat(MANY), fc.nat(200)).map(([from, count]) => (row: number) => {
      const value = numberIn(row)
      return value >= from && value < from + count
    }),
    fc.integer({ min: 1, max: 900 }).map((step) => (row: number) => row % step === 0),
  )
  const sorts = fc.constantFrom<readonly (readonly [string, 1 | -1])[]>(
    [['a', 1]],
    [['a', -1]],
    [['b', 1]],
    [['c', -1]],
    [
      ['b', 1],
      ['a', -1],
    ],
    [
      ['c', -1],
      ['b', 1],
      ['a', 1],
    ],
    [],
  )

  it('gives them in their order, however few are wanted at first or at a time, and says how many come before any of them', () => {
    fc.assert(
      fc.property(
        chosen,
        sorts,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(1, 7, 40, MANY),
        (isChosen, sort, want, atATime) => {
          const bits = noBits(MANY)
          for (let row = 0; row < MANY; row++) if (isChosen(row)) setBit(bits, row)
          const keys = keysOf(sort)
          const begin = () => new SegmentOrder({ bits, count: countBits(bits), keys, numbers, want, after: null })
          const right = documents
            .map((document, row) => ({ ...document, row }))
            .filter(({ row }) => isChosen(row))
            .sort((one, other) => {
              for (const [key, direction] of sort) {
                const name = key as 'a' | 'b' | 'c'
                if (one[name] !== other[name]) return (one[name] - other[name]) * direction
              }
              return one.row - other.row
            })
            .map(({ row }) => row)
          expect(allOf(begin(), atATime)).toEqual(right)
          const first = sort[0]
          // Those of another segment may be any values.
          for (const milestone of [...begin().milestones(20), 1, 1777, 4031, 5999]) {
            const ahead = begin()
            const before = right.findIndex((row) => {
              if (first === undefined) return (numbers[row] as number) >= (milestone as number)
              // Before all values, where there is none.
              if (milestone === undefined || milestone === null) return first[1] === 1
              const value = (documents[row] as { a: number; b: number; c: number })[first[0] as 'a' | 'b' | 'c']
              return (value - (milestone as number)) * first[1] >= 0
            })
            expect(ahead.countBefore(milestone)).toBe(before < 0 ? right.length : before)
            ahead.skipTo(milestone)
            expect(Array.from(ahead.take(3))).toEqual(before < 0 ? [] : right.slice(before, before + 3))
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
