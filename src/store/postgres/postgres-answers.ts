import { ANSWERS_KEPT_MS, type AnswerStore, type KeptAnswer, type Once } from '../port/answers.ts'
import type { Sql } from './base/database.ts'
import { isKept } from './base/kept-text.ts'
import { transact } from './base/transact.ts'
import { KeptAnswers } from './write/kept-answers.ts'
import { lockHomes } from './write/load-records.ts'

/** Answers to requests that are carried out once. */
export class PostgresAnswers implements AnswerStore {
  readonly #sql: Sql
  readonly #writing: Sql

  constructor(sql: Sql, writing: Sql) {
    this.#sql = sql
    this.#writing = writing
  }

  async find(accountId: string, key: string, now: number): Promise<KeptAnswer | null> {
    if (!isKept(accountId) || !isKept(key)) return null
    const [found] = await this.#sql<KeptAnswer[]>`
      SELECT asked, answer, serial FROM answer WHERE home = ${accountId} AND key = ${key} AND at > ${now - ANSWERS_KEPT_MS}`
    return found ?? null
  }

  async keep(once: Once): Promise<void> {
    await transact(this.#writing, async (sql) => {
      await lockHomes(sql, [once.accountId])
      const answers = await KeptAnswers.load(sql, [once])
      if (answers.has(once)) return
      answers.add(once, null)
      await answers.write(sql)
    })
  }
}
