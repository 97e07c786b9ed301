import type { Working } from '../../engine/page-documents.ts'
import { surveyRecords } from '../../engine/survey-records.ts'
import type { Budget } from '../../kernel/budget.ts'
import type { Survey, SurveyFound } from '../../query/ast/survey.ts'
import { upgradingError } from '../errors.ts'
import type { ColumnCache } from './column-cache.ts'
import { pathsIn } from './field-knowledge.ts'
import type { questionOf, Shelves } from './find-records.ts'
import type { LoadedSegment } from './shelf-view.ts'

/** Whether a survey reads more columns than the request thread should wait for. */
export function isAlwaysLong({ kind }: Survey): boolean {
  return kind === 'fields'
}

/** Shelves and tools of a survey. */
interface Surveyed {
  readonly shelves: Shelves
  readonly columns: ColumnCache
  readonly asked: ReturnType<typeof questionOf>
  readonly budget: Budget
}

/** Looks at all records that match, until the budget of the survey is used up. What no segment holds yet would be missing: then it is refused. */
export function surveyShelves(survey: Survey, { shelves, columns, asked, budget }: Surveyed): Working<SurveyFound> {
  if (shelves.some(({ backlog }) => backlog !== null)) throw upgradingError('facets, fields and points')
  return surveyRecords(
    {
      ...asked,
      isOver: () => budget.end !== null,
      pathsIn: (segment) => pathsIn(columns, segment as LoadedSegment),
    },
    survey,
  )
}
