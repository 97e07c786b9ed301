import { latestMs } from '../../../kernel/budget.ts'
import { busyError } from '../../errors.ts'
import { heardFrom, type Sql } from '../base/database.ts'
import { outOfReach } from '../base/faults.ts'
import { Patience } from '../base/patience.ts'

/** Time that a question may take, and has taken. */
interface TimeOf {
  readonly budgetMs: number
  readonly passedMs?: number
}

/** Patience of a question of the records: waiting for the database is part of its time. */
export function patienceWith(sql: Sql, { budgetMs, passedMs = 0 }: TimeOf, signal: AbortSignal | undefined): Patience {
  const timeUp = () => busyError(budgetMs)
  return new Patience(
    { limitMs: Math.max(0, latestMs(budgetMs) - passedMs), timeUp, silent: outOfReach, heard: () => heardFrom(sql) },
    signal,
  )
}
