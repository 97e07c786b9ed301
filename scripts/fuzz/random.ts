/** Random choices that a seed repeats. */
export interface Random {
  /** An integer from 0 to `below` - 1. */
  integer(below: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(length: number): Buffer
}

/** Makes choices from a seed (mulberry32: small, fast, good enough to find what nobody thought of). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number) => Math.floor(next() * below)
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[integer(items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => integer(256))),
  }
}
