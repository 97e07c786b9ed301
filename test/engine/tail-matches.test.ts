import { describe, expect, it } from 'vitest'
import type { TailRecord } from '../../src/engine/page-documents.ts'
import { TailMatches } from '../../src/engine/tail-matches.ts'
import type { Json } from '../../src/kernel/json.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'

let arrivals = 0
const recordOf = (n: number, a: Json): TailRecord => ({ home: 0, n, arrival: arrivals++, document: { a } })
const filterOf = (json: Json) => parseFilter(json, DEFAULT_QUERY_BOUNDS)
const sortOf = (sort: Json) => parseProjection({ sort }, DEFAULT_QUERY_BOUNDS).sort

const LARGE = filterOf({ a: { $gt: 1 } })
const [one, two, three, four] = [1, 2, 3, 4].map((n) => recordOf(n, n)) as [
  TailRecord,
  TailRecord,
  TailRecord,
  TailRecord,
]

function judge(tail: readonly TailRecord[], before: TailMatches | null) {
  const judged: number[] = []
  const matches = new TailMatches(tail, LARGE, { before, spend: ({ n }) => judged.push(n) })
  return { matches, judged }
}

const numbersOf = (matches: TailMatches, sort: Json) => matches.inOrder(sortOf(sort)).map(({ record }) => record.n)

describe('the records of a tail that match', () => {
  it('are in the order of each sort that is asked for', () => {
    const { matches } = judge([one, four, two, three], null)
    expect(numbersOf(matches, {})).toEqual([2, 3, 4])
    expect(numbersOf(matches, { a: -1 })).toEqual([4, 3, 2])
    expect(numbersOf(matches, { a: 1 })).toEqual([2, 3, 4])
  })

  it('are known from before where the tail has the same record, and judged where it has another one of the same number', () => {
    const first = judge([one, two, three], null)
    expect(first.judged).toEqual([1, 2, 3])
    expect(numbersOf(first.matches, { a: -1 })).toEqual([3, 2])
    const changed = recordOf(3, 0)
    const second = judge([one, two, changed, four], first.matches)
    expect(second.judged).toEqual([3, 4])
    expect(second.matches.records).toEqual([two, four])
    expect(numbersOf(second.matches, { a: -1 })).toEqual([4, 2])
    expect(numbersOf(first.matches, { a: -1 })).toEqual([3, 2])
  })

  it('are sorted anew when the tail has changed, by what they have now', () => {
    const first = judge([two, three], null)
    expect(numbersOf(first.matches, { a: 1 })).toEqual([2, 3])
    const second = judge([recordOf(2, 9), three], first.matches)
    expect(numbersOf(second.matches, { a: 1 })).toEqual([3, 2])
  })

  it('are judged where somebody else has looked at the shelf meanwhile, and has made other records of the same', () => {
    const [early, late] = [recordOf(2, 2), recordOf(2, 2)]
    const other = judge([one, late], null)
    const own = judge([one, early, three], other.matches)
    expect(own.matches.records).toEqual([early, three])
    expect(judge([early], own.matches).judged).toEqual([])
  })
})
