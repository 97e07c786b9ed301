import type { Sql } from '../base/database.ts'
import { isLost, isUnreachable } from '../base/faults.ts'
import { readStates } from './homes.ts'

/** So long a replica is left alone that could not be reached. */
const LEFT_ALONE_MS = 5000

/** Reads what does not change from a replica that has it already, else from the primary, which alone is asked for the newest state. */
export class Copies {
  readonly #primary: Sql
  readonly #replica: Sql | null
  readonly #now: () => number
  #isBackAt = 0

  constructor(primary: Sql, replica: Sql | null, now: () => number = () => performance.now()) {
    this.#primary = primary
    this.#replica = replica
    this.#now = now
  }

  /** Reads from the replica, where that has some homes as far as they are asked for; and from the primary what it says it has not, by null. */
  async read<Found>(
    read: (sql: Sql) => Promise<Found | null>,
    versions: ReadonlyMap<string, number> = new Map(),
  ): Promise<Found | null> {
    const replica = this.#now() < this.#isBackAt ? null : this.#replica
    return (replica === null ? null : await this.#tryReplica(replica, read, versions)) ?? read(this.#primary)
  }

  /** A replica that cannot be reached, or that has ended a statement for what it has to write, has nothing. */
  async #tryReplica<Found>(
    replica: Sql,
    read: (sql: Sql) => Promise<Found | null>,
    versions: ReadonlyMap<string, number>,
  ): Promise<Found | null> {
    try {
      const states = await readStates(replica, [...versions.keys()])
      const reached = new Map(states.map(({ home, version }) => [home, version]))
      const isBehind = Array.from(versions).some(([home, version]) => (reached.get(home) ?? 0) < version)
      return isBehind ? null : await read(replica)
    } catch (error) {
      if (isUnreachable(error)) this.#isBackAt = this.#now() + LEFT_ALONE_MS
      else if (!isLost(error)) throw error
      return null
    }
  }
}
