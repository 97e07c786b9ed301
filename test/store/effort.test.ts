import { describe, expect, it } from 'vitest'
import { effortUntil } from '../../src/store/segments/effort.ts'

/** More than is done between two looks. */
const MANY_STEPS = 1_000_000

describe('the effort of a reader thread', () => {
  it('ends a query that has used up its budget, and says what would help', () => {
    const effort = effortUntil({ began: Date.now(), budgetMs: 5 })
    const workOn = () => {
      for (;;) effort.spend(MANY_STEPS)
    }
    expect(workOn).toThrow(
      expect.objectContaining({ code: 50301, data: { hint: expect.stringContaining('Narrow the query') } }),
    )
  })

  it('ends one that had no processor for six times as long, and says when to come again', () => {
    const effort = effortUntil({ began: Date.now() - 31_000, budgetMs: 5000 })
    expect(() => effort.spend(MANY_STEPS)).toThrow(
      expect.objectContaining({
        code: 50311,
        message: expect.stringContaining('The server is busy: in 30 s it did not come to spend'),
        data: { retryAfterSeconds: 5, hint: expect.stringContaining('Try again') },
      }),
    )
  })

  it('goes on where most of the time was spent waiting, and where there is no budget', () => {
    effortUntil({ began: Date.now() - 20_000, budgetMs: 5000 }).spend(MANY_STEPS)
    effortUntil({ began: Date.now() - 20_000_000, budgetMs: null }).spend(MANY_STEPS)
  })
})
