import type { Json, JsonObject } from '../../kernel/json.ts'
import type { FieldPath } from './filter.ts'

/** Question about all records that match, without any of them being given: plain data, so that it can cross threads. */
export type Survey = FacetSurvey | PointSurvey | FieldSurvey | NearestSurvey | DistinctSurvey

/** Processor time for looking at records, in milliseconds; what has been found by then is the answer. */
interface Budgeted {
  readonly budgetMs: number
}

export interface FacetSurvey extends Budgeted {
  readonly kind: 'facets'
  readonly facets: readonly Facet[]
}

export type Facet = ValueFacet | BinFacet

/** By value: those that most records have. */
export interface ValueFacet {
  readonly by: 'values'
  readonly path: FieldPath
  readonly limit: number
}

/** By range: a histogram. */
export interface BinFacet {
  readonly by: 'bins'
  readonly path: FieldPath
  readonly bins: number
  readonly scale: BinScale
}

/** Bins of one width, of one ratio, or with about as many records in each. */
export const BIN_SCALES = ['linear', 'log', 'quantile'] as const
export type BinScale = (typeof BIN_SCALES)[number]

/** Two numbers of each record, and what it is coloured by. */
export interface PointSurvey extends Budgeted {
  readonly kind: 'points'
  readonly x: FieldPath
  readonly y: FieldPath
  readonly color: FieldPath | null
  /** Most points: of more matching records, every nth one. */
  readonly limit: number
}

export interface FieldSurvey extends Budgeted {
  readonly kind: 'fields'
}

/** Nearest records by the whole numbers that they have as text at a path. */
export interface NearestSurvey extends Budgeted {
  readonly kind: 'nearest'
  readonly path: FieldPath
  /** Numbers to compare with; a distance is the greatest difference of any of them. */
  readonly to: readonly number[]
  readonly limit: number
  /** Largest distance. */
  readonly within: number
  /** The fields of the records that are told. */
  readonly take: readonly string[]
}

/** A page of the different values at a path, in BSON order. It is whole: what it takes is limited as what a list takes. */
export interface DistinctSurvey {
  readonly kind: 'distinct'
  readonly path: FieldPath
  readonly limit: number
  /** The last value of the page before; undefined for the first page. */
  readonly after: Json | undefined
}

/** Type of a value, as far as surveys and warnings tell. */
export type FieldKind = 'null' | 'number' | 'string' | 'boolean' | 'array' | 'object'

export type Scalar = null | boolean | number | string

interface SurveyCount {
  /** Number of matching records that were looked at. */
  readonly records: number
  /** Whether that is all of them. */
  readonly exact: boolean
}

export interface FacetsFound extends SurveyCount {
  readonly kind: 'facets'
  readonly facets: readonly FacetFound[]
}

export type FacetFound = ValuesFound | BinsFound

export interface ValuesFound {
  readonly path: string
  /** Most frequent first; of two that are as frequent, the first in BSON order. A record with several of them counts once for each. */
  readonly values: readonly { readonly value: Scalar; readonly count: number }[]
  /** Number of different values; null, and no values, where there are more than are told apart. */
  readonly distinct: number | null
  /** Records that have none. */
  readonly without: number
}

export interface BinsFound {
  readonly path: string
  readonly scale: BinScale
  /** Bin `i` is from `edges[i]`, which belongs to it, to `edges[i + 1]`, which belongs to it only where there is no bin after it. */
  readonly edges: readonly number[]
  readonly counts: readonly number[]
  /** Records that have no number in any bin. */
  readonly without: number
}

export interface PointsFound extends SurveyCount {
  readonly kind: 'points'
  /** One number of each record that has both. */
  readonly x: readonly number[]
  readonly y: readonly number[]
  /** Value that colours each of them; null without a path. */
  readonly color: readonly Scalar[] | null
}

export interface FieldsFound extends SurveyCount {
  readonly kind: 'fields'
  readonly fields: readonly FieldFound[]
}

/** The nearest records, the nearest first. */
export interface NearestFound extends SurveyCount {
  readonly kind: 'nearest'
  readonly found: readonly NearestRecord[]
}

export interface NearestRecord {
  readonly distance: number
  readonly fields: JsonObject
}

export interface DistinctFound extends SurveyCount {
  readonly kind: 'distinct'
  readonly values: readonly Json[]
  /** Number of records that have each of them. */
  readonly counts: readonly number[]
  /** Whether others follow. */
  readonly hasMore: boolean
}

export interface FieldFound {
  readonly path: string
  readonly types: readonly FieldKind[]
  /** Number of records that have it. */
  readonly count: number
  /** The least and the greatest number; null where it is none. */
  readonly min: number | null
  readonly max: number | null
}

export type SurveyFound<Asked extends Survey = Survey> = Asked extends FacetSurvey
  ? FacetsFound
  : Asked extends PointSurvey
    ? PointsFound
    : Asked extends NearestSurvey
      ? NearestFound
      : Asked extends DistinctSurvey
        ? DistinctFound
        : FieldsFound
