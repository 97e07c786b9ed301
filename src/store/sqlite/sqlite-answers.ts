import { ANSWERS_KEPT_MS, type AnswerStore, type KeptAnswer, type Once } from '../port/answers.ts'
import { assertOpen, type Connection } from './base/database.ts'
import type { CurrentState } from './read/current-state.ts'
import type { WriteQueue } from './write/write-queue.ts'

/** Answers to requests that are carried out once, in the SQLite file. */
export class SqliteAnswers implements AnswerStore {
  readonly #connection: Connection
  readonly #state: CurrentState
  readonly #writes: WriteQueue
  readonly #find

  constructor(connection: Connection, state: CurrentState, writes: WriteQueue) {
    this.#connection = connection
    this.#state = state
    this.#writes = writes
    this.#find = connection.prepare<[string, string, number], KeptAnswer>(
      'SELECT asked, answer, serial FROM answer WHERE account = ? AND key = ? AND at > ?',
    )
  }

  async find(accountId: string, key: string, now: number): Promise<KeptAnswer | null> {
    assertOpen(this.#connection)
    this.#state.hold()
    return this.#find.get(accountId, key, now - ANSWERS_KEPT_MS) ?? null
  }

  async keep(once: Once): Promise<void> {
    await this.#writes.submit({ kind: 'answer', once })
  }
}
