import type { FacetSurvey, FacetsFound, Survey, SurveyFound } from '../query/ast/survey.ts'
import { type SurveyQuestion, unclearRows } from './count-records.ts'
import { facetCounter } from './facet-counts.ts'
import type { EngineWork } from './page-documents.ts'
import { surveyDistinct } from './survey-distinct.ts'
import { surveyFields } from './survey-fields.ts'
import { surveyNearest } from './survey-nearest.ts'
import { surveyPoints } from './survey-points.ts'
import { takeRecords } from './value-rows.ts'

/** Counts the values that matching records have at some paths: by columns where these tell, and by documents, each read once for all facets. */
export function* surveyFacets(question: SurveyQuestion, { facets }: FacetSurvey): EngineWork<FacetsFound> {
  const counters = facets.map((facet) => facetCounter(facet, question.spend))
  const counted = yield* takeRecords(question, {
    paths: facets.map(({ path }) => path),
    unclearIn: unclearRows,
    takeRows(rows, columns) {
      for (const [at, counter] of counters.entries()) counter.addRows(columns[at] ?? null, rows)
    },
    takeDocument(document) {
      for (const counter of counters) counter.addDocument(document)
    },
  })
  return { kind: 'facets', facets: counters.map((counter) => counter.found()), ...counted }
}

/** Looks at all records that match, part by part, and tells what they have. */
export function surveyRecords(question: SurveyQuestion, survey: Survey): EngineWork<SurveyFound> {
  switch (survey.kind) {
    case 'facets':
      return surveyFacets(question, survey)
    case 'points':
      return surveyPoints(question, survey)
    case 'nearest':
      return surveyNearest(question, survey)
    case 'distinct':
      return surveyDistinct(question, survey)
    case 'fields':
      return surveyFields(question)
  }
}
