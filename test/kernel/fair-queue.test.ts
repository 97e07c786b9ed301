import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../src/kernel/fair-queue.ts'

function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) taken.push(item)
  return taken
}

describe('a fair queue', () => {
  it('keeps the order of one user', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', 1, item)
    expect(drain(queue)).toEqual(['a1', 'a2', 'a3'])
  })

  it('lets a small item go before large ones of the same user, which only some may pass', () => {
    const queue = new FairQueue<string>()
    for (const item of ['import 1', 'import 2', 'import 3']) queue.push('a', 40, item)
    for (let n = 1; n <= 20; n++) queue.push('a', 2, `create ${n}`)
    const order = drain(queue)
    expect(order.slice(0, 3)).toEqual(['create 1', 'create 2', 'create 3'])
    expect(order.slice(16)).toEqual(['import 1', 'import 2', 'import 3', ...[17, 18, 19, 20].map((n) => `create ${n}`)])
  })

  it('gives turns to users, however many items one of them has', () => {
    const queue = new FairQueue<string>()
    for (let n = 0; n < 100; n++) queue.push('greedy', 1, `g${n}`)
    queue.push('other', 1, 'o0')
    queue.push('other', 1, 'o1')
    expect(drain(queue).slice(0, 5)).toEqual(['g0', 'o0', 'g1', 'o1', 'g2'])
  })

  it('lets small items of one user pass large ones of another', () => {
    const queue = new FairQueue<string>()
    queue.push('large', 1000, 'large')
    for (let n = 0; n < 5; n++) queue.push('small', 1, `small ${n}`)
    expect(drain(queue).at(-1)).toBe('large')
  })

  it('remembers what a user has had while others wait', () => {
    const queue = new FairQueue<string>()
    queue.push('a', 100, 'a0')
    queue.push('b', 50, 'b0')
    queue.push('b', 60, 'b1')
    expect(queue.shift()).toBe('b0')
    expect(queue.shift()).toBe('a0')
    queue.push('a', 1, 'a1')
    expect(drain(queue)).toEqual(['a1', 'b1'])
  })

  it('puts a user behind whose items cost more than was thought', () => {
    const queue = new FairQueue<string>()
    queue.push('a', 1, 'a0')
    queue.push('b', 10, 'b0')
    queue.push('c', 20, 'c0')
    expect(queue.shift()).toBe('a0')
    queue.charge('a', 1000)
    queue.push('a', 1, 'a1')
    expect(drain(queue)).toEqual(['b0', 'c0', 'a1'])
  })

  it('lets nobody profit from items that are already in when they cost more than was thought', () => {
    const queue = new FairQueue<string>()
    for (let n = 0; n < 100; n++) queue.push('wrong', 1, `w${n}`)
    const order: string[] = []
    for (let n = 0; n < 6; n++) {
      queue.push('right', 10, `r${n}`)
      for (let taken = queue.shift(); taken !== undefined; taken = queue.shift()) {
        order.push(taken)
        if (!taken.startsWith('w')) break
        queue.charge('wrong', 9)
      }
    }
    expect(order.filter((item) => item.startsWith('w')).length).toBeLessThanOrEqual(7)
  })

  it('forgives everything when nobody waits', () => {
    const queue = new FairQueue<string>()
    queue.push('a', 1000, 'a0')
    queue.shift()
    queue.push('a', 1, 'a1')
    queue.push('b', 2, 'b0')
    expect(drain(queue)).toEqual(['a1', 'b0'])
  })

  it('takes out what is no longer wanted', () => {
    const queue = new FairQueue<string>()
    queue.push('a', 1, 'a0')
    queue.push('a', 1, 'a1')
    expect(queue.remove('a', 'a0')).toBe(true)
    expect(queue.remove('a', 'a0')).toBe(false)
    expect([queue.size, queue.sizeOf('a'), queue.sizeOf('b')]).toEqual([1, 1, 0])
    expect(drain(queue)).toEqual(['a1'])
  })

  it('lets nobody wait for more than an equal share of the others and the largest items', () => {
    const items = fc.array(fc.record({ user: fc.nat(4), cost: fc.integer({ min: 1, max: 20 }) }), { minLength: 1 })
    fc.assert(
      fc.property(items, (given) => {
        const queue = new FairQueue<{ user: number; cost: number }>()
        for (const one of given) queue.push(String(one.user), one.cost, one)
        const had = [0, 0, 0, 0, 0]
        for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
          had[one.user] = (had[one.user] ?? 0) + one.cost
          for (const [user, own] of had.entries()) {
            if (queue.sizeOf(String(user)) > 0) expect(had[one.user]).toBeLessThanOrEqual(own + 40)
          }
        }
      }),
    )
  })
})
