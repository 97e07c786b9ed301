import type { Working } from '../../engine/find-page.ts'
import { surveyRecords } from '../../engine/survey-records.ts'
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

/** What a survey looks at, and with what. */
interface Surveyed {
  readonly shelves: Shelves
  readonly columns: ColumnCache
  readonly asked: ReturnType<typeof questionOf>
  /** When it began, as `performance.now()` has it. */
  readonly started: number
}

/** Looks at all records that match, for as long as the survey may take. What no segment holds yet would be missing: then it is refused. */
export function surveyShelves(survey: Survey, { shelves, columns, asked, started }: Surveyed): Working<SurveyFound> {
  if (shelves.some(({ backlog }) => backlog !== null)) throw upgradingError('facets, fields and points')
  const end = started + survey.budgetMs
  return surveyRecords(
    {
      ...asked,
      isOver: () => performance.now() >= end,
      pathsIn: (segment) => pathsIn(columns, segment as LoadedSegment),
    },
    survey,
  )
}
