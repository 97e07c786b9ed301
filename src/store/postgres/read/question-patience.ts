import { timeBudgetError } from '../../segments/effort.ts'
import { heardFrom, type Sql } from '../base/database.ts'
import { outOfReach } from '../base/faults.ts'
import { Patience } from '../base/patience.ts'

/** How long a question may take, and what of that is left. */
interface TimeOf {
  readonly budgetMs: number
  readonly leftMs: number
}

/** What a question of the records waits with. */
export function patienceWith(sql: Sql, { budgetMs, leftMs }: TimeOf, signal: AbortSignal | undefined): Patience {
  const timeUp = () => timeBudgetError(budgetMs)
  return new Patience({ budgetMs: leftMs, timeUp, silent: outOfReach, heard: () => heardFrom(sql) }, signal)
}
