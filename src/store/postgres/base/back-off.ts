import { setTimeout } from 'node:timers/promises'
import { isCanceled } from './faults.ts'

/** First and longest wait before a next try, in milliseconds; in between, each is twice as long as the one before. */
interface Bounds {
  readonly from: number
  readonly to: number
}

/** Milliseconds before a try, by how many there were: half of them certain, half by chance, so that those who lost together do not come together. */
export function pauseAfter(tries: number, { from, to }: Bounds, chance = Math.random()): number {
  return Math.min(to, from * 2 ** (tries - 1)) * (0.5 + chance / 2)
}

export async function backOff(tries: number, bounds: Bounds): Promise<void> {
  await setTimeout(pauseAfter(tries, bounds))
}

/** Reads once more what was cancelled: that may have been meant for a statement before it on the same connection, which had just ended. */
export async function onceMore<Result>(read: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isCanceled(error)) throw error
    return read()
  }
}
