import { Pauses } from '../../kernel/clock.ts'

/** Things worked on at a time: enough to keep the threads busy. */
const AT_ONCE = 100

/**
 * Does the same with each of many things, some at a time, and gives what comes of them in their order. What is done before the first wait of each runs on
 * the thread of requests, so that others have their turn between them.
 */
export async function inSlices<In, Out>(all: readonly In[], make: (one: In) => Promise<Out>): Promise<readonly Out[]> {
  const made: Out[] = []
  const pauses = new Pauses()
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const begun: Promise<Out>[] = []
    for (const one of all.slice(start, start + AT_ONCE)) {
      const making = make(one)
      // It counts when all have been begun.
      making.catch(() => {})
      begun.push(making)
      await pauses.take()
    }
    made.push(...(await Promise.all(begun)))
  }
  return made
}
