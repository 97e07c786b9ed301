import { describe, expect, it } from 'vitest'
import { type TailSize, tailsToSeal } from '../../src/store/segments/segment-sizes.ts'

const homes = (count: number, rows: number, first = 0): readonly TailSize[] =>
  Array.from({ length: count }, (_, at) => ({ home: first + at, collection: 1, rows }))

/** How often it is sealed until nothing is left to do, and what stays in tails. */
function sealAll(tails: readonly TailSize[], sizes = {}): { readonly commits: number; readonly left: number } {
  let left = [...tails]
  for (let commits = 0; ; commits += 1) {
    const sealed = new Set(tailsToSeal(left, sizes).map(({ home }) => home))
    if (sealed.size === 0) return { commits, left: left.reduce((sum, { rows }) => sum + rows, 0) }
    left = left.filter(({ home }) => !sealed.has(home))
  }
}

describe('tails become segments in a quiet time', () => {
  it.each([
    ['one of 64 records does', homes(1, 64), 0],
    ['one of 63 stays', homes(1, 63), 63],
    ['one of more than are sealed together does, alone', homes(1, 600), 0],
    ['of 2,000 accounts with 100 records each, none stays', homes(2000, 100), 0],
    ['of 2,000 accounts with 20 records each, no more stays than all may have together', homes(2000, 20), 4080],
    [
      'of 10,000 accounts with 7 records each, all stay: they would be no segments worth having',
      homes(10_000, 7),
      70_000,
    ],
    ['some of the larger ones go, and the smaller ones stay', [...homes(100, 50), ...homes(100, 10, 100)], 4000 + 50],
  ])('%s', (_, tails, left) => {
    expect(sealAll(tails).left).toBe(left)
  })

  it('some hundred records at a time, so that a write that comes meanwhile need not wait long', () => {
    expect(sealAll(homes(20, 500)).commits).toBe(20)
    expect(sealAll(homes(20, 100)).commits).toBe(4)
  })

  it('the larger ones first', () => {
    const sealed = tailsToSeal([...homes(100, 10, 100), ...homes(100, 50)], {})
    expect(sealed.length).toBeGreaterThan(0)
    for (const { home } of sealed) expect(home).toBeLessThan(100)
  })

  it('as soon as tests want it', () => {
    expect(sealAll(homes(3, 1), { quietRows: 1 }).left).toBe(0)
  })
})
