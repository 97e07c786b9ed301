import { describe, expect, it } from 'vitest'
import { Turns } from '../../src/kernel/turns.ts'

/** Turns with a clock that only work moves on. */
function withClock({ atOnceMs = 2, sliceMs = 3, mostWaiting = 1000 } = {}) {
  let time = 0
  const spent = new Map<string, number>()
  const turns = new Turns({
    atOnceMs,
    sliceMs,
    mostWaiting,
    now: () => time,
    onSpent: (user, milliseconds) => spent.set(user, (spent.get(user) ?? 0) + milliseconds),
  })
  const done: string[] = []
  /** Asks for a piece of work that takes so many milliseconds; tells what became of it. */
  function ask(user: string, milliseconds: number, name = user): 'done' | 'waits' | 'refused' {
    const work = () => {
      time += milliseconds
      done.push(name)
    }
    if (turns.mayBegin(user, time)) {
      work()
      return 'done'
    }
    return turns.defer(user, work) ? 'waits' : 'refused'
  }
  return { turns, done, spent, ask, turn: () => new Promise<void>((resolve) => setImmediate(resolve)) }
}

/** Lets the event loop turn until nothing waits. */
async function untilDone({ turns, turn }: ReturnType<typeof withClock>): Promise<void> {
  for (let n = 0; n < 10_000 && turns.waiting > 0; n++) await turn()
  await turn()
}

describe('turns', () => {
  it('let the first milliseconds of everybody begin at once, and the rest wait', () => {
    const { ask } = withClock()
    expect([1, 2, 3, 4].map(() => ask('a', 1))).toEqual(['done', 'done', 'waits', 'waits'])
    expect([ask('b', 1), ask('b', 1), ask('b', 1)]).toEqual(['done', 'done', 'waits'])
  })

  it('begin anew with each turn of the event loop', async () => {
    const room = withClock()
    for (let n = 0; n < 5; n++) {
      expect([room.ask('a', 1), room.ask('a', 1)]).toEqual(['done', 'done'])
      await room.turn()
    }
  })

  it('never refuse work that goes on after it has waited for something else, and count it', async () => {
    const room = withClock({ mostWaiting: 0 })
    expect([room.ask('a', 2), room.ask('a', 1)]).toEqual(['done', 'refused'])
    const goesOn = room.turns.whenItMayGoOn('a')?.then(() => room.done.push('goes on'))
    expect(room.turns.waiting).toBe(1)
    expect(room.turns.whenItMayGoOn('b')).toBeNull()
    await goesOn
    expect(room.done).toEqual(['a', 'goes on'])
  })

  it('do what waits in the order in which it came, a slice in each turn', async () => {
    const room = withClock({ sliceMs: 3 })
    for (let n = 0; n < 12; n++) room.ask('a', 1, `a${n}`)
    expect(room.done.length).toBe(2)
    await room.turn()
    await room.turn()
    expect(room.done.length).toBeLessThanOrEqual(8)
    await untilDone(room)
    expect(room.done).toEqual(Array.from({ length: 12 }, (_, n) => `a${n}`))
  })

  it('keep the work of one user in its order while some of it waits', async () => {
    const room = withClock()
    for (let n = 0; n < 8; n++) room.ask('a', 1, `a${n}`)
    await room.turn()
    room.ask('a', 1, 'a8')
    await untilDone(room)
    expect(room.done).toEqual(Array.from({ length: 9 }, (_, n) => `a${n}`))
  })

  it('let somebody who asks for little in at once, however much of another waits', async () => {
    const room = withClock()
    for (let n = 0; n < 1000; n++) room.ask('greedy', 1)
    for (let n = 0; n < 20; n++) {
      expect(room.ask('other', 0.1)).toBe('done')
      await room.turn()
    }
  })

  it('share the time between two who both ask for more than there is', async () => {
    const room = withClock()
    for (let n = 0; n < 100; n++) {
      for (let m = 0; m < 10; m++) room.ask('many', 1)
      for (let m = 0; m < 3; m++) room.ask('large', 5)
      await room.turn()
    }
    const [many = 0, large = 0] = [room.spent.get('many'), room.spent.get('large')]
    expect(Math.abs(many - large)).toBeLessThan(0.1 * (many + large))
  })

  it('count what work leaves to be done after it has returned', async () => {
    let time = 0
    const spent: [string, number][] = []
    const turns = new Turns({
      atOnceMs: 0,
      sliceMs: 100,
      mostWaiting: 10,
      now: () => time,
      onSpent: (user, milliseconds) => milliseconds > 0 && spent.push([user, milliseconds]),
    })
    const later = async () => {
      for (let n = 0; n < 5; n++) await null
      time += 7
    }
    expect(turns.mayBegin('a', time)).toBe(false)
    turns.defer('a', () => void later())
    turns.defer('b', () => void later())
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    expect(spent).toEqual([
      ['a', 7],
      ['b', 7],
    ])
  })

  it('refuse more than a user may have waiting', async () => {
    const room = withClock({ mostWaiting: 3 })
    const outcomes = Array.from({ length: 7 }, () => room.ask('a', 1))
    expect(outcomes).toEqual(['done', 'done', 'waits', 'waits', 'waits', 'refused', 'refused'])
    expect(room.ask('b', 1)).toBe('done')
    await untilDone(room)
    expect(room.done).toEqual(['a', 'a', 'b', 'a', 'a', 'a'])
  })

  it('resolve a promise when the turn has come, and reject it where no more is taken', async () => {
    const room = withClock({ mostWaiting: 1 })
    const refusal = () => new Error('too many')
    expect(room.turns.whenItMayBegin('a', refusal)).toBe(null)
    room.ask('a', 5)
    const first = room.turns.whenItMayBegin('a', refusal)
    const second = room.turns.whenItMayBegin('a', refusal)
    await expect(second).rejects.toThrow('too many')
    await expect(first).resolves.toBeUndefined()
  })
})
