/** What all that one cache remembers may take, in bytes. */
const MOST_BYTES = 8 * 2 ** 20
/** Questions that are longer hardly come twice. */
const LONGEST_KEY = 16 * 1024

interface Entry<Compiled> {
  readonly compiled: Compiled
  readonly changes: number
  readonly bytes: number
}

/** Remembers what was compiled for one value of a change counter: for as long as nothing changes that the asker sees. */
export class CompiledCache<Compiled> {
  readonly #entries = new Map<string, Entry<Compiled>>()
  readonly #bytesOf: (compiled: Compiled) => number
  #bytes = 0

  constructor(bytesOf: (compiled: Compiled) => number) {
    this.#bytesOf = bytesOf
  }

  /** Gives what was compiled for the key, or compiles it. */
  remember(key: string, changes: number, compile: () => Compiled): Compiled {
    const found = this.#entries.get(key)
    if (found?.changes === changes) return found.compiled
    const compiled = compile()
    if (key.length <= LONGEST_KEY) this.#keep(key, compiled, changes)
    return compiled
  }

  #keep(key: string, compiled: Compiled, changes: number): void {
    this.#drop(key)
    const bytes = 2 * key.length + this.#bytesOf(compiled)
    this.#entries.set(key, { compiled, changes, bytes })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MOST_BYTES) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
