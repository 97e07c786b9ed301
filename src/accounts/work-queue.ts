/** Runs a task when its turn comes, or refuses it at once when too many wait already. */
export type WorkQueue = <T>(task: () => Promise<T>) => Promise<T>

/** Makes a queue that runs `concurrency` tasks at a time and lets `capacity` more wait; `refuse` makes the error for the rest. */
export function createWorkQueue(concurrency: number, capacity: number, refuse: () => Error): WorkQueue {
  const waiting: (() => void)[] = []
  let running = 0

  return async (task) => {
    if (running >= concurrency) {
      if (waiting.length >= capacity) throw refuse()
      // Whoever finishes hands its place over, so `running` does not change in between.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
