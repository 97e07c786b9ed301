import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Shares } from '../../src/kernel/turns.ts'

it('what one user holds is limited, and what all hold together', () => {
  const shares = new Shares({ perUser: 3, inAll: 5 })
  expect([shares.take('a'), shares.take('a', 2), shares.take('a')]).toEqual([null, null, 'own'])
  expect([shares.take('b', 2), shares.take('c')]).toEqual([null, 'all'])
  expect(shares.refused).toEqual({ own: 1, all: 1 })
  shares.give('a', 2)
  expect([shares.take('c', 2), shares.take('c')]).toEqual([null, 'all'])
})

it('what is there already counts, limit or not', () => {
  const shares = new Shares({ perUser: 10, inAll: 100 })
  expect(shares.isExceededBy('a')).toBe(null)
  shares.add('a', 12)
  expect([shares.isExceededBy('a'), shares.isExceededBy('b'), shares.take('a'), shares.take('b')]).toEqual([
    'own',
    null,
    'own',
    null,
  ])
  shares.give('a', 12)
  expect([shares.isExceededBy('a'), shares.heldBy('a'), shares.held]).toEqual([null, 0, 1])
})

it('whoever holds all that he may is told so, and so is everybody when all is held', () => {
  const shares = new Shares({ perUser: 4, inAll: 10 })
  shares.add('a', 3)
  shares.add('b', 6)
  expect(['a', 'b', 'c'].map((user) => shares.isExceededBy(user))).toEqual([null, 'own', null])
  shares.add('a', 1)
  expect(['a', 'b', 'c'].map((user) => shares.isExceededBy(user))).toEqual(['own', 'own', 'all'])
  shares.give('b', 1)
  expect(['a', 'b', 'c'].map((user) => shares.isExceededBy(user))).toEqual(['own', 'own', null])
})

it('what is taken and given back in any order leaves nothing behind, and no limit is ever exceeded', () => {
  const steps = fc.array(fc.record({ user: fc.constantFrom('a', 'b', 'c'), amount: fc.integer({ min: 1, max: 6 }) }))
  fc.assert(
    fc.property(steps, (wanted) => {
      const shares = new Shares({ perUser: 10, inAll: 20 })
      const taken = wanted.filter(({ user, amount }) => {
        const exceeded = shares.take(user, amount)
        expect(shares.heldBy(user)).toBeLessThanOrEqual(10)
        expect(shares.held).toBeLessThanOrEqual(20)
        return exceeded === null
      })
      for (const { user, amount } of taken) shares.give(user, amount)
      expect([shares.held, shares.heldBy('a'), shares.heldBy('b'), shares.heldBy('c')]).toEqual([0, 0, 0, 0])
    }),
  )
})
