import type { Survey, SurveyFound } from '../query/ast/survey.ts'
import type { Working } from './page-documents.ts'
import { surveyFacets } from './survey-facets.ts'
import { surveyFields } from './survey-fields.ts'
import { surveyNearest } from './survey-nearest.ts'
import { surveyPoints } from './survey-points.ts'
import type { SurveyQuestion } from './survey-question.ts'

/** Looks at all records that match, part by part, and tells what they have. */
export function surveyRecords(question: SurveyQuestion, survey: Survey): Working<SurveyFound> {
  switch (survey.kind) {
    case 'facets':
      return surveyFacets(question, survey)
    case 'points':
      return surveyPoints(question, survey)
    case 'nearest':
      return surveyNearest(question, survey)
    case 'fields':
      return surveyFields(question)
  }
}
