import { ANSWERS_KEPT_MS, MOST_ANSWER_BYTES, MOST_ANSWERS, type Once } from '../../port/answers.ts'
import type { Change, ChangeResult } from '../../port/record-store.ts'
import type { Connection } from '../base/database.ts'

/** Keeps answers to requests that are carried out once, in the transaction of what they have written. */
export interface AnswerWriter {
  /** Whether an answer is kept under the key of a request. */
  has(once: Once): boolean
  /** Keeps one, and lets the oldest of its account go. */
  put(once: Once, serial: string | null): void
  /** Lets those go that show records which are deleted for good. */
  forgetErased(changes: readonly Change[], results: readonly ChangeResult[]): void
}

export function answerWriter(connection: Connection): AnswerWriter {
  const find = connection
    .prepare<[string, string, number], number>('SELECT 1 FROM answer WHERE account = ? AND key = ? AND at > ?')
    .pluck()
  const last = connection.prepare<[string], { place: number; total: number }>(
    'SELECT place, total FROM answer WHERE account = ? ORDER BY place DESC LIMIT 1',
  )
  const insert = connection.prepare(
    `INSERT INTO answer (account, key, place, total, at, asked, answer, serial, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account, key) DO UPDATE SET place = excluded.place, total = excluded.total, at = excluded.at,
       asked = excluded.asked, answer = excluded.answer, serial = excluded.serial, record = excluded.record`,
  )
  // Deletes what comes before the first to stay: totals and places grow.
  const trim = connection.prepare(
    `DELETE FROM answer WHERE account = @account AND place < (
       SELECT place FROM answer WHERE account = @account AND place > @place - ${MOST_ANSWERS}
         AND (total > @total - ${MOST_ANSWER_BYTES} OR place = @place) AND at > @at - ${ANSWERS_KEPT_MS} ORDER BY place LIMIT 1)`,
  )
  const forget = connection.prepare('DELETE FROM answer WHERE account = ? AND record = ?')
  return {
    has: ({ accountId, key, at }) => find.get(accountId, key, at - ANSWERS_KEPT_MS) !== undefined,
    put({ accountId: account, key, at, asked, answer, record }, serial) {
      const before = last.get(account) ?? { place: 0, total: 0 }
      const place = before.place + 1
      const total = before.total + Buffer.byteLength(answer)
      insert.run(account, key, place, total, at, asked, answer, serial, record)
      trim.run({ account, place, total, at })
    },
    forgetErased(changes, results) {
      for (const [index, { action, accountId, id }] of changes.entries()) {
        if (action !== 'erase' && action !== 'purge') continue
        if (results[index]?.outcome === 'done') forget.run(accountId, id)
      }
    },
  }
}
