import type { Facet, FacetSurvey, FacetsFound, Scalar, Survey, SurveyFound } from '../query/ast/survey.ts'
import { matcherOf } from '../query/filter/match.ts'
import { columnAt, inTime, readRows, type SurveyQuestion, scalarsAt, unclearRows } from './count-records.ts'
import { type FacetPart, facetCounter } from './facet-counts.ts'
import type { EngineWork, SegmentView } from './page-documents.ts'
import { type Bits, countBits, difference, hasBit, intersection, isEmpty, union } from './selection.ts'
import { surveyFields } from './survey-fields.ts'
import { surveyNearest } from './survey-nearest.ts'
import { surveyPoints } from './survey-points.ts'

/** Counts the values that matching records have at some paths: by columns where these tell, and by documents, each read once for all facets. */
export function* surveyFacets(question: SurveyQuestion, { facets }: FacetSurvey): EngineWork<FacetsFound> {
  const counters = facets.map((facet) => facetCounter(facet, question.spend))
  let records = 0
  const take = (parts: readonly FacetPart[], count: number): void => {
    for (const [at, part] of parts.entries()) counters[at]?.add(part)
    records += count
  }
  for (const { records: matching } of question.tails) {
    question.spend(matching.length * facets.length)
    const collect = facets.map(({ path }) => scalarsAt(path))
    const parts = collect.map((of) => ({ ...NOTHING, loose: matching.map(({ document }) => of(document)) }))
    take(parts, matching.length)
  }
  const exact = yield* inTime(question, question.segments, function* (segment, within) {
    const { parts, count } = yield* partsOf(segment, facets, within)
    take(parts, count)
  })
  return { kind: 'facets', facets: counters.map((counter) => counter.found()), records, exact }
}

const NOTHING: FacetPart = { column: null, rows: new Uint32Array(0), loose: [] }

interface SegmentParts {
  readonly parts: readonly FacetPart[]
  readonly count: number
}

/** Values of a segment's matching records at the path of each facet. */
function* partsOf(segment: SegmentView, facets: readonly Facet[], question: SurveyQuestion): EngineWork<SegmentParts> {
  const { source } = segment
  const { select, filter, spend } = question
  const { must, may } = select(segment)
  const doubtful = must === may ? null : difference(may, must)
  const asked = facets.map(({ path }) => {
    const unclear = unclearRows(source, path)
    const column = columnAt(source, path)
    const clear = unclear === null ? must : difference(must, unclear)
    spend((source.rows >>> 5) + (column === null ? 0 : countBits(clear)))
    const loose: (readonly Scalar[])[] = []
    return { column, clear, unclear, loose, collect: scalarsAt(path) }
  })
  let open: Bits = doubtful ?? new Uint32Array(must.length)
  for (const { unclear } of asked) if (unclear !== null) open = union(open, intersection(must, unclear))
  let uncertain = 0
  if (!isEmpty(open)) {
    const matches = matcherOf(filter)
    yield* readRows(segment, open, spend, (document, row) => {
      const isCertain = hasBit(must, row)
      if (!isCertain && !matches(document)) return
      if (!isCertain) uncertain += 1
      for (const { unclear, loose, collect } of asked) {
        if (!isCertain || (unclear !== null && hasBit(unclear, row))) loose.push(collect(document))
      }
    })
  }
  return {
    parts: asked.map(({ column, clear, loose }) => ({ column, rows: clear, loose })),
    count: countBits(must) + uncertain,
  }
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
    case 'fields':
      return surveyFields(question)
  }
}
