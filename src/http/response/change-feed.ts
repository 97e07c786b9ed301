import { type Scope, scopeName } from '../../query/plan.ts'
import type { RecordStore } from '../../store/port/record-store.ts'

/** Hears in which collections something has changed. */
export type ChangeListener = (collections: readonly string[]) => void

/** Interval between looks, in milliseconds; changes in between are told together. */
export const LOOK_MS = 1000

/** Scope with listeners, and its state at the last look. */
interface Watched {
  readonly scope: Scope
  readonly listeners: Set<ChangeListener>
  counter: number | null
  marks: ReadonlyMap<string, string>
}

/** Tells in which collections of a scope something has changed, by any process; the store is asked once for all listeners to a scope. */
export class ChangeFeed {
  readonly #store: Pick<RecordStore, 'readChangeCounter' | 'readCollectionMarks'>
  readonly #watched = new Map<string, Watched>()
  #timer: NodeJS.Timeout | null = null
  #looking = false

  constructor(store: Pick<RecordStore, 'readChangeCounter' | 'readCollectionMarks'>) {
    this.#store = store
  }

  /** Tells of what changes from when it resolves on; gives what ends it. */
  async listen(scope: Scope, listener: ChangeListener): Promise<() => void> {
    const name = scopeName(scope)
    const watched = this.#watched.get(name) ?? { scope, listeners: new Set(), counter: null, marks: new Map() }
    this.#watched.set(name, watched)
    watched.listeners.add(listener)
    this.#timer ??= setInterval(() => void this.#lookAtAll(), LOOK_MS).unref()
    const end = () => {
      watched.listeners.delete(listener)
      if (watched.listeners.size === 0) this.#watched.delete(name)
      if (this.#watched.size === 0) this.close()
    }
    try {
      if (watched.counter === null) await this.#begin(watched)
    } catch (error) {
      end()
      throw error
    }
    return end
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #begin(watched: Watched): Promise<void> {
    const counter = await this.#store.readChangeCounter(watched.scope)
    const marks = await this.#store.readCollectionMarks(watched.scope)
    watched.counter ??= counter
    if (watched.marks.size === 0) watched.marks = marks
  }

  async #lookAtAll(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    // A store that is out of reach is asked again at the next look.
    await Promise.allSettled([...this.#watched.values()].map((watched) => this.#look(watched)))
    this.#looking = false
  }

  async #look(watched: Watched): Promise<void> {
    if (watched.counter === null) return
    const counter = await this.#store.readChangeCounter(watched.scope)
    if (counter === watched.counter) return
    const marks = await this.#store.readCollectionMarks(watched.scope)
    const before = watched.marks
    watched.counter = counter
    watched.marks = marks
    const names = new Set([...before.keys(), ...marks.keys()])
    const changed = [...names].filter((name) => before.get(name) !== marks.get(name)).sort()
    if (changed.length > 0) for (const listener of [...watched.listeners]) listener(changed)
  }
}

/** Source and end of a stream of events. */
export interface StreamTerms {
  /** Begins to tell of changes; gives what ends it. */
  readonly listen: (hear: (collections: readonly string[]) => void) => Promise<() => void>
  /** Whether whoever reads the stream may still do so. */
  readonly mayGoOn: () => Promise<boolean>
  readonly isTold: (collection: string) => boolean
  readonly signal: AbortSignal
}

/** After so many looks without news something is sent, so that nobody takes the connection for dead. */
const LOOKS_BETWEEN_SIGNS = 15
/** Delay before a client connects anew, in milliseconds. */
const RETRY_MS = 3000

/** Server-sent events (HTML, 9.2): `ready`, then `changed` with collections. Nothing waits for a client that does not read. */
export async function* eventStream({ listen, mayGoOn, isTold, signal }: StreamTerms): AsyncGenerator<string> {
  const heard = new Set<string>()
  let wake = () => {}
  const end = await listen((collections) => {
    for (const name of collections) if (isTold(name)) heard.add(name)
    wake()
  })
  const stop = () => wake()
  signal.addEventListener('abort', stop)
  try {
    yield `retry: ${RETRY_MS}\nevent: ready\ndata: {}\n\n`
    for (let looks = 1; !signal.aborted; looks++) {
      if (heard.size === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      if (signal.aborted || !(await mayGoOn())) return
      if (heard.size > 0) {
        const collections = [...heard].sort()
        heard.clear()
        yield `event: changed\ndata: ${JSON.stringify({ collections })}\n\n`
      } else if (looks % LOOKS_BETWEEN_SIGNS === 0) yield ': still here\n\n'
    }
  } finally {
    signal.removeEventListener('abort', stop)
    end()
  }
}
