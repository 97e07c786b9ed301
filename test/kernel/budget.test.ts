import { describe, expect, it } from 'vitest'
import { Budget, latestMs, ownThreadClock } from '../../src/kernel/clock.ts'

const BUDGET_MS = 5000

/** A budget of work that began so long ago and has spent so much since. */
function after(passedMs: number, spentMs: number | null, budgetMs = BUDGET_MS): Budget {
  const clock = { spentMs: spentMs === null ? null : 1_000_000 }
  const budget = new Budget(budgetMs, { clock, began: performance.now() - passedMs })
  if (spentMs !== null) clock.spentMs = 1_000_000 + spentMs
  return budget
}

describe('a budget', () => {
  it.each([
    ['goes on while there is some left', 4_900, 4_800, null],
    ['goes on where a busy machine has left little of a processor to the work', 29_000, 4_900, null],
    ['ends when it is used up', 5_100, 5_050, 'used'],
    ['ends as used up, however late that is', 40_000, 5_001, 'used'],
    ['ends where the work had no processor for six times as long', 30_001, 100, 'late'],
  ])('%s', (_what, passed, spent, end) => {
    expect(after(passed, spent).end).toBe(end)
  })

  it.each([
    ['goes on', 9_000, null],
    ['ends when half of the time by the clock on the wall is more', 10_001, 'used'],
  ])('where the system tells of no processor time: %s', (_what, passed, end) => {
    expect(after(passed, null).end).toBe(end)
  })

  it('leaves a short one a second more, as the system tells of processor time in steps', () => {
    expect([latestMs(1), latestMs(100), latestMs(5000)]).toEqual([1001, 1100, 30_000])
    expect(after(900, 0, 1).end).toBeNull()
    expect(after(1002, 0, 1).end).toBe('late')
  })

  it('is looked at again as soon as it can be used up', () => {
    const clock = { spentMs: 0 }
    const budget = new Budget(20, { clock, began: performance.now() - 25 })
    clock.spentMs = 15
    expect(budget.end).toBeNull()
    // Five are left.
    expect(budget.leftMs).toBeLessThanOrEqual(5)
  })

  it('is not asked of the system again before it can be used up', () => {
    let asked = 0
    const clock = {
      get spentMs() {
        asked += 1
        return 0
      },
    }
    const budget = new Budget(BUDGET_MS, { clock, began: performance.now() - 6000 })
    for (let looks = 0; looks < 1000; looks += 1) expect(budget.end).toBeNull()
    expect(asked).toBe(2)
    expect(budget.leftMs).toBeGreaterThan(4000)
  })

  it.runIf(process.platform === 'linux')('counts what the calling thread spends', () => {
    const before = ownThreadClock().spentMs ?? Number.NaN
    const budget = new Budget(20)
    let looks = 0
    while (budget.end === null) looks += 1
    expect(looks).toBeGreaterThan(0)
    expect(budget.end).toBe('used')
    expect((ownThreadClock().spentMs ?? 0) - before).toBeGreaterThanOrEqual(20)
  })
})
