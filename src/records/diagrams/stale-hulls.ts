import type { RecordStore } from '../../store/port/record-store.ts'

/** Materials of one account that are remembered by their ids; of more, all of the account are meant. */
const MOST_IDS = 2_000
/** Accounts that are remembered; of more, the next look at all finds them. */
const MOST_ACCOUNTS = 10_000

/** Materials whose energies have changed; null for all of an account. */
export type StaleMaterials = ReadonlySet<string> | null

/** Remembers the materials whose energies have changed, until somebody computes what follows from them. What is lost with the process, a look at all finds. */
export class StaleHulls {
  readonly #accounts = new Map<string, Set<string> | null>()
  #tell: () => void = () => {}

  get isEmpty(): boolean {
    return this.#accounts.size === 0
  }

  note(accountId: string, ids: readonly string[]): void {
    const known = this.#accounts.get(accountId)
    if (known === null || ids.length === 0) return
    if (known === undefined && this.#accounts.size >= MOST_ACCOUNTS) return
    const noted = known ?? new Set<string>()
    for (const id of ids) noted.add(id)
    this.#accounts.set(accountId, noted.size > MOST_IDS ? null : noted)
    this.#tell()
  }

  /** Gives all, and remembers nothing of it any more. */
  take(): ReadonlyMap<string, StaleMaterials> {
    const taken = new Map(this.#accounts)
    this.#accounts.clear()
    return taken
  }

  /** Calls back whenever something is noted. */
  onNoted(tell: () => void): void {
    this.#tell = tell
  }
}

const ofStores = new WeakMap<RecordStore, StaleHulls>()

export function staleHullsOf(store: RecordStore): StaleHulls {
  const known = ofStores.get(store) ?? new StaleHulls()
  ofStores.set(store, known)
  return known
}
