import type { SortKey } from '../../../query/ast/list-request.ts'
import type { Survey } from '../../../query/ast/survey.ts'
import type { QueryPlan } from '../../../query/plan.ts'

/** Content of a question. */
export type Asked = Pick<QueryPlan, 'collection' | 'scope' | 'filter' | 'fields'> & {
  readonly sort: readonly SortKey[]
  readonly survey?: Survey
  /** The answer is of the state at this moment or of a later one; left out, of when it is asked. */
  readonly since?: number | undefined
}
