import { Pauses } from '../../kernel/clock.ts'

/** Things worked on at a time: enough to keep the threads busy. */
const AT_ONCE = 100

/** Works on some things at a time, in their order: until its first wait, each runs on the thread of requests, where others have turns. */
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
