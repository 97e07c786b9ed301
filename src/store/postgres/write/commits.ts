import { newId } from '../../../kernel/names.ts'
import { backOff } from '../base/back-off.ts'
import { patiently, type Sql, type Transaction, transact } from '../base/database.ts'
import { isCutOff, isLost, isUnreachable, outcomeUnknown } from '../base/faults.ts'
import { lockHomes } from './load-records.ts'

/** Tries of a transaction that lost against another one, or lost its connection. */
const MOST_TRIES = 10
const BETWEEN_TRIES = { from: 5, to: 500 } as const
/** Most questions about what became of a commit. */
const MOST_QUESTIONS = 6
const BETWEEN_QUESTIONS = { from: 100, to: 3200 } as const

/** Time that a transaction may wait for its process, while it holds the locks of homes. */
const IDLE_MS = 10_000

/** Carries out transactions of one process, each once: after a lost connection, what one wrote of itself in its home tells what became of it. */
export class Commits {
  readonly #sql: Sql
  /** Silence after which one is taken for lost, in milliseconds. */
  readonly #patienceMs: number
  readonly #writer = newId()
  #count = 0

  constructor(sql: Sql, patienceMs: number) {
    this.#sql = sql
    this.#patienceMs = patienceMs
  }

  /** Carries out work that begins with the lock of a home. */
  async carryOut<Result>(home: string, work: (sql: Transaction) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      const count = ++this.#count
      const done: { result?: Result } = {}
      try {
        await this.#transact(async (sql) => {
          const [, result] = await Promise.all([this.#limit(sql), work(sql), this.#note(sql, home, count)])
          done.result = result
        })
        return done.result as Result
      } catch (error) {
        // Nothing is kept of what was not told to be committed. Of a commit that fails only a lost one is known: on Citus, one of its workers may have been lost.
        const isOpen = 'result' in done && !isLost(error)
        if (isOpen && (await this.#isKept(home, count, error))) return done.result as Result
        if (!isLost(error) && !isCutOff(error)) throw error
        if (tries === MOST_TRIES) throw error
        await backOff(tries, BETWEEN_TRIES)
      }
    }
  }

  #transact<Result>(work: (sql: Transaction) => Promise<Result>): Promise<Result> {
    return patiently(this.#sql, transact(this.#sql, work), this.#patienceMs)
  }

  /** A process that sleeps does not keep others from its homes. */
  #limit(sql: Transaction): Promise<unknown> {
    return sql.unsafe(`SET LOCAL idle_in_transaction_session_timeout = ${Math.min(IDLE_MS, this.#patienceMs)}`)
  }

  /** Stands in the transaction itself; what processes that are gone have left goes. */
  #note(sql: Transaction, home: string, count: number): Promise<unknown> {
    return Promise.all([
      sql`
        INSERT INTO writer (home, id, commits, at) VALUES (${home}, ${this.#writer}, ${count}, now())
        ON CONFLICT (home, id) DO UPDATE SET commits = excluded.commits, at = excluded.at`,
      sql`DELETE FROM writer WHERE home = ${home} AND id <> ${this.#writer} AND at < now() - interval '1 day'`,
    ])
  }

  /** Whether a transaction was committed whose connection was lost: its lock is waited for, which it holds for as long as it goes on. */
  async #isKept(home: string, count: number, cause: unknown): Promise<boolean> {
    for (let questions = 1; ; questions += 1) {
      try {
        return await this.#transact(async (sql) => {
          await lockHomes(sql, [home])
          const [row] = await sql<{ commits: number }[]>`
            SELECT commits FROM writer WHERE home = ${home} AND id = ${this.#writer}`
          return row?.commits === count
        })
      } catch (error) {
        if (!isUnreachable(error) || questions === MOST_QUESTIONS) throw outcomeUnknown(cause)
        await backOff(questions, BETWEEN_QUESTIONS)
      }
    }
  }
}
