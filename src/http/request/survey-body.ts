import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'
import type { FieldPath, FilterNode } from '../../query/ast/filter.ts'
import {
  BIN_SCALES,
  type BinScale,
  type Facet,
  type FacetSurvey,
  type PointSurvey,
  type Survey,
} from '../../query/ast/survey.ts'
import { rootContext } from '../../query/context.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { parseFieldName } from '../../query/paths.ts'
import type { QueryBounds } from '../../query/plan.ts'
import type { FieldRead } from '../../query/warnings/find-warnings.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import type { AskedSurvey } from '../../records/use-cases/read-records.ts'
import type { RequestContext } from '../exchange/context.ts'
import { invalidField, pickFields, readFields, readStrictField } from './body.ts'
import { CONDITION_PARAMETERS, type FlatCondition, readFlatConditions } from './flat-parameters.ts'
import type { ListSettings } from './list-request.ts'
import { assertKnown, quoted } from './parameters.ts'

export const MOST_FACETS = 30
export const MOST_VALUES = 1_000
export const MOST_BINS = 200
export const MOST_POINTS = 50_000
export const MOST_BUDGET_MS = 10_000
export const DEFAULT_VALUES = 20
export const DEFAULT_BINS = 20
export const DEFAULT_POINTS = 10_000
export const DEFAULT_BUDGET_MS = 1_000

/** A survey, and what may be odd about it. */
export type WarnedSurvey<Asked extends Survey = Survey> = AskedSurvey<Asked> & {
  readonly reads: readonly FieldRead[]
  readonly strict: boolean
}

/** Reads the body of facets: a query, and by which fields its records are counted. */
export function readFacetsBody(context: RequestContext, settings: ListSettings): WarnedSurvey<FacetSurvey> {
  const { query, facets, budgetMs, strict } = readFields(context, ['query', 'facets', 'budgetMs', 'strict'])
  const { bounds } = settings
  const expected = `a list of 1 to ${MOST_FACETS} facets: [{"path":"lattice.type"},{"path":"volume","bins":20}]`
  if (!isJsonArray(facets) || facets.length === 0 || facets.length > MOST_FACETS) throw invalidField('facets', expected)
  const read = facets.map((facet, at) => readFacet(facet, at, bounds))
  return {
    filter: readQuery(query, bounds),
    survey: { kind: 'facets', facets: read, ...budgeted(budgetMs) },
    reads: read.map(({ path, by }, at) => ({
      path,
      place: `facets[${at}].path`,
      as: by === 'bins' ? ('numbers' as const) : ('any' as const),
    })),
    strict: readStrictField(strict, settings),
  }
}

function readFacet(json: Json, at: number, bounds: QueryBounds): Facet {
  const place = `facets[${at}]`
  if (!isJsonObject(json)) throw invalidField(place, 'an object with a path: {"path":"lattice.type"}')
  const { path: given, limit, bins, scale } = pickFields(json, ['path', 'limit', 'bins', 'scale'])
  const path = readPath(given, `${place}.path`, bounds)
  if (bins === undefined && scale === undefined) {
    return { by: 'values', path, limit: readWhole(limit, `${place}.limit`, MOST_VALUES) ?? DEFAULT_VALUES }
  }
  if (limit !== undefined) throw invalidField(`${place}.limit`, 'absent beside bins, of which there are so many')
  const most = readWhole(bins, `${place}.bins`, MOST_BINS) ?? DEFAULT_BINS
  return { by: 'bins', path, bins: most, scale: readScale(scale, `${place}.scale`) }
}

function readScale(json: Json | undefined, place: string): BinScale {
  const scale = json === undefined ? 'linear' : BIN_SCALES.find((one) => one === json)
  if (scale === undefined) throw invalidField(place, `one of ${BIN_SCALES.join(', ')}`)
  return scale
}

/** Reads the body of points: a query, and which numbers of its records are wanted. */
export function readPointsBody(context: RequestContext, settings: ListSettings): WarnedSurvey<PointSurvey> {
  const names = ['query', 'x', 'y', 'color', 'limit', 'budgetMs', 'strict'] as const
  const { query, x, y, color, limit, budgetMs, strict } = readFields(context, names)
  const { bounds } = settings
  const axes = { x: readPath(x, 'x', bounds), y: readPath(y, 'y', bounds) }
  const colored = color === undefined || color === null ? null : readPath(color, 'color', bounds)
  return {
    filter: readQuery(query, bounds),
    survey: {
      kind: 'points',
      ...axes,
      color: colored,
      limit: readWhole(limit, 'limit', MOST_POINTS) ?? DEFAULT_POINTS,
      ...budgeted(budgetMs),
    },
    reads: [
      { path: axes.x, place: 'x', as: 'numbers' },
      { path: axes.y, place: 'y', as: 'numbers' },
      ...(colored === null ? [] : [{ path: colored, place: 'color', as: 'any' as const }]),
    ],
    strict: readStrictField(strict, settings),
  }
}

function readQuery(json: Json | undefined, bounds: QueryBounds): FilterNode {
  return parseFilter(json === undefined ? {} : json, bounds, 'query')
}

function readPath(json: Json | undefined, place: string, bounds: QueryBounds): FieldPath {
  if (typeof json !== 'string' || json === '') throw invalidField(place, 'the path of a field: "lattice.a"')
  return parseFieldName(json, rootContext(bounds, place))
}

function budgeted(json: Json | undefined): { readonly budgetMs: number } {
  return { budgetMs: readWhole(json, 'budgetMs', MOST_BUDGET_MS) ?? DEFAULT_BUDGET_MS }
}

function readWhole(json: Json | undefined, place: string, most: number): number | undefined {
  if (json === undefined) return undefined
  if (typeof json === 'number' && Number.isInteger(json) && json >= 1 && json <= most) return json
  throw invalidField(place, `a whole number from 1 to ${most}`)
}

/** A projection as it was sent, and what reads the query: it may refuse. */
export interface ValidatedBody {
  readonly query: () => Json
  readonly projection: Json | undefined
}

/** Reads the body of a validation: a query, with parameters of lists and what they stand for. */
export function readValidatedBody(
  context: RequestContext,
  { listParameters = [] }: Pick<RecordKind, 'listParameters'>,
): ValidatedBody {
  const { query = {}, projection, parameters = {} } = readFields(context, ['query', 'projection', 'parameters'])
  if (!isJsonObject(parameters)) throw invalidField('parameters', 'an object of texts: {"formula":"O2Ti"}')
  const texts = new Map<string, string>()
  for (const [name, text] of Object.entries(parameters)) {
    if (typeof text !== 'string') throw invalidField('parameters', `a text for ${quoted(name)}`)
    texts.set(name, text)
  }
  assertKnown(texts, [...CONDITION_PARAMETERS, ...listParameters.map(({ name }) => name)])
  return { projection, query: () => allOf(query, readFlatConditions(texts, listParameters)) }
}

function allOf(query: Json, conditions: readonly FlatCondition[]): Json {
  const isEmpty = isJsonObject(query) && Object.keys(query).length === 0
  const clauses = [...(isEmpty ? [] : [query]), ...conditions.map(({ filter }) => filter)]
  return clauses.length > 1 ? { $and: clauses } : (clauses[0] ?? {})
}
