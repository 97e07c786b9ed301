import type { SortKey } from '../../../query/ast/list-request.ts'
import type { Survey } from '../../../query/ast/survey.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import type { Effort } from '../../segments/effort.ts'
import type { Statements } from '../base/database.ts'
import type { Patience } from '../base/patience.ts'

/** Error of a read whose state is gone by now: the question begins anew. */
export class Outdated extends Error {}

/** Content of a question. */
export type QuestionTerms = Pick<QueryPlan, 'collection' | 'scope' | 'filter' | 'fields'> & {
  readonly sort: readonly SortKey[]
  readonly survey?: Survey
  /** The answer is of the state at this moment or of a later one; left out, of when it is asked. */
  readonly since?: number | undefined
}

/** Source that has some homes at given versions, or later; null: what is read is not there. */
export interface Source {
  read<Found>(
    read: (sql: Statements) => Promise<Found | null>,
    versions?: ReadonlyMap<string, number>,
  ): Promise<Found | null>
}

/** Effort of a question, with its patience for the database. */
export interface PatientEffort extends Effort {
  readonly patience?: Patience | undefined
  /** Waits for the turn of whoever asks, where others compute on the same thread; null: it may go on at once. */
  readonly turn?: () => Promise<void> | null
  /** Hears that it goes on after it has waited. */
  readonly resume?: () => void
}

/** Within what a question reads. */
export interface Within extends PatientEffort {
  readonly source: Source
  /** Chunks that it holds for as long as it lasts. */
  readonly held: Map<string, Uint8Array>
  /** Whether it reads one state of the database, which may be older than what this process knows. */
  readonly isOneState: boolean
}
