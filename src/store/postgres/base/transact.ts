import type { Sql, Transaction } from './database.ts'
import { isCutOff } from './faults.ts'

/** Mode of a read-only transaction, which sees everything as it was at one moment. */
export const IN_ONE_STATE = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Does work in a transaction. Where the connection is lost nothing is taken back: writing that to it, as the driver would, ends the process. */
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
