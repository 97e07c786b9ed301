import type { Sql, Transaction } from './database.ts'
import { isCutOff } from './faults.ts'

/** Mode of a read-only transaction, which sees everything as it was at one moment. */
export const IN_ONE_STATE = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * Does work in a transaction, which is kept when that comes to its end and taken back when it fails. Where the connection is lost there is nothing to
 * take back: the driver would write that to a connection that is gone, which ends the process. It refuses by itself when it hears of the loss.
 */
export function transact<Result>(
  sql: Sql,
  work: (sql: Transaction) => Promise<Result>,
  mode: '' | typeof IN_ONE_STATE = '',
): Promise<Result> {
  return sql.begin(mode, (transaction) =>
    work(transaction).catch((error: unknown) =>
      isCutOff(error) ? new Promise<never>(() => {}) : Promise.reject(error),
    ),
  ) as Promise<Result>
}
