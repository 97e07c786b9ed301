import type { RecordStore } from '../../store/port/record-store.ts'

/** Wakes whoever carries out changes in portions. What is lost with the process, a look at all accounts finds. */
export class NotedTasks {
  #isNoted = false
  #wake: () => void = () => {}

  /** Says that there is another one. */
  note(): void {
    this.#isNoted = true
    this.#wake()
  }

  /** Waits until one is noted, or so many milliseconds. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isNoted && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds).unref()
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
        signal.addEventListener('abort', this.#wake, { once: true })
      })
      signal.removeEventListener('abort', this.#wake)
    }
    this.#isNoted = false
  }
}

const ofStores = new WeakMap<RecordStore, NotedTasks>()

export function tasksOf(store: RecordStore): NotedTasks {
  const known = ofStores.get(store) ?? new NotedTasks()
  ofStores.set(store, known)
  return known
}
