import type { JsonObject } from '../kernel/json.ts'
import type { FacetSurvey, FacetsFound, Scalar, Survey, SurveyFound } from '../query/ast/survey.ts'
import { inTime, type SurveyQuestion, scalarsAt } from './count-records.ts'
import { type FacetPart, facetCounter } from './facet-counts.ts'
import type { EngineWork } from './page-documents.ts'
import { surveyDistinct } from './survey-distinct.ts'
import { surveyFields } from './survey-fields.ts'
import { surveyNearest } from './survey-nearest.ts'
import { surveyPoints } from './survey-points.ts'
import { NO_ROWS, readValues } from './value-rows.ts'

/** Counts the values that matching records have at some paths: by columns where these tell, and by documents, each read once for all facets. */
export function* surveyFacets(question: SurveyQuestion, { facets }: FacetSurvey): EngineWork<FacetsFound> {
  const counters = facets.map((facet) => facetCounter(facet, question.spend))
  let records = 0
  const take = (parts: readonly FacetPart[], count: number): void => {
    for (const [at, part] of parts.entries()) counters[at]?.add(part)
    records += count
  }
  const collect = facets.map(({ path }) => scalarsAt(path))
  for (const { records: matching } of question.tails) {
    question.spend(matching.length * facets.length)
    const parts = collect.map((of) => ({ ...NO_ROWS, loose: matching.map(({ document }) => of(document)) }))
    take(parts, matching.length)
  }
  const exact = yield* inTime(question, question.segments, function* (segment, within) {
    const loose = facets.map((): (readonly Scalar[])[] => [])
    const readers = facets.map(({ path }, at) => {
      return { path, read: (document: JsonObject) => loose[at]?.push(collect[at]?.(document) ?? []) }
    })
    const { rows, count } = yield* readValues(segment, readers, within)
    take(
      rows.map((clear, at) => ({ ...clear, loose: loose[at] ?? [] })),
      count,
    )
  })
  return { kind: 'facets', facets: counters.map((counter) => counter.found()), records, exact }
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
