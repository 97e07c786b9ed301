import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Target } from './target.ts'

/** What all remembered targets may take, in bytes. */
const MOST_BYTES = 8 * 2 ** 20
/** Narrowings that are longer hardly come twice. */
const LONGEST_KEY = 16 * 1024

interface Entry {
  readonly target: Target
  readonly bytes: number
}

/** Remembers compiled narrowings with their counts, by scope, for as long as nothing changes that the scope sees. */
export class TargetCache {
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  remember(plan: QueryPlan, probeLimit: number, changes: number, compile: () => Target): Target {
    const key = JSON.stringify([plan.collection, plan.scope, probeLimit, plan.narrowing])
    const found = this.#entries.get(key)
    if (found?.target.changes === changes) return found.target
    const target = compile()
    if (key.length <= LONGEST_KEY) this.#keep(key, target)
    return target
  }

  #keep(key: string, target: Target): void {
    this.#drop(key)
    const bytes = 2 * (key.length + target.selection.rows.text.length + (target.selection.test?.text.length ?? 0))
    this.#entries.set(key, { target, bytes })
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
