/** A repeatable stream of random choices. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** An integer in [0, bound). */
  below(bound: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Bytes in the form that `newId` wants its randomness. */
  bytes(size: number): Uint8Array
}

/** Starts the stream of one document: it depends on the seed and the serial only, so any document can be made by itself. */
export function randomOf(seed: number, serial: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(serial + 1, 0x85ebca6b)) >>> 0
  // mulberry32: 32 bits of state are plenty for a data set and the arithmetic is the same on every machine
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      if (items.length === 0) throw new Error('nothing to pick from')
      return items[below(items.length)] as Item
    },
    bytes: (size) => Uint8Array.from({ length: size }, () => below(256)),
  }
}
