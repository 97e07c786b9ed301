import type { Connection } from '../database.ts'

/** Questions for which one look at the change mark is enough: a turn can be long when very many connections are ready. */
const MOST_USES = 100
/** After so many turns without a write of anybody, the state is kept for the next turns too. */
const QUIET_TURNS = 100
/** But no longer than this: a state that is kept keeps the log from beginning anew. */
const LONGEST_MS = 1000

/**
 * The newest state of the database, as one read transaction for all that is read while it lasts: within it a look-up takes
 * no lock, which is half of its cost. Each turn of the event loop looks once whether anybody has written, and then begins
 * anew. What a turn answers had been asked before the turn began, so that the state is never too old for it; a write of
 * this process ends it at once when it is acknowledged.
 */
export class CurrentState {
  readonly #connection: Connection
  readonly #readMark: () => number
  readonly #begin
  readonly #commit
  #mark: number | null = null
  #states = 0
  #uses = 0
  #quietTurns = 0
  #awaitsEndOfTurn = false
  #limit: NodeJS.Timeout | null = null

  constructor(connection: Connection, readMark: () => number) {
    this.#connection = connection
    this.#readMark = readMark
    this.#begin = connection.prepare('BEGIN')
    this.#commit = connection.prepare('COMMIT')
  }

  /** The change mark, never newer than the state that is read: what is kept by it is at worst found out to be old too soon. */
  get mark(): number {
    this.#look()
    return this.#mark as number
  }

  /** Lets what is read from here on, until the turn ends, be of one state. */
  hold(): void {
    this.#look()
    if (this.#connection.inTransaction) return
    this.#begin.run()
    this.#states += 1
  }

  /** Which of all states it has been is held; null when none is. Nothing that is read of one changes while it lasts. */
  get held(): number | null {
    return this.#connection.inTransaction ? this.#states : null
  }

  /** Lets what is read next be of the newest state. */
  end(): void {
    this.#uses = 0
    this.#quietTurns = 0
    if (this.#connection.open && this.#connection.inTransaction) this.#commit.run()
  }

  #look(): void {
    if (this.#uses > 0 && this.#uses < MOST_USES) {
      this.#uses += 1
      return
    }
    const mark = this.#readMark()
    if (mark !== this.#mark) this.end()
    this.#mark = mark
    this.#uses = 1
    if (this.#awaitsEndOfTurn) return
    this.#awaitsEndOfTurn = true
    setImmediate(this.#endTurn)
  }

  readonly #endTurn = (): void => {
    this.#awaitsEndOfTurn = false
    this.#uses = 0
    this.#quietTurns += 1
    if (!this.#connection.open || !this.#connection.inTransaction) return
    if (this.#quietTurns < QUIET_TURNS) this.#commit.run()
    else this.#limit ??= setTimeout(this.#endQuiet, LONGEST_MS).unref()
  }

  readonly #endQuiet = (): void => {
    this.#limit = null
    if (this.#connection.open && this.#connection.inTransaction) this.#commit.run()
  }
}
