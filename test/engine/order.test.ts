import { expect, it } from 'vitest'
import { allBits } from '../../src/engine/bits.ts'
import { ranksOf } from '../../src/engine/ranks.ts'
import { SegmentOrder } from '../../src/engine/segment-order.ts'
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
  const rows = Array.from(documents, () => order.next())
  const right = [...documents.entries()].sort(([n, one], [m, other]) => other.a - one.a || n - m)
  expect(rows).toEqual(right.map(([row]) => row))
  expect(order.next()).toBe(-1)
})
