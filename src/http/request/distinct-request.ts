import type { Json } from '../../kernel/json.ts'
import type { FieldPath, FilterNode } from '../../query/ast/filter.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import { parseQueryText, rootContext } from '../../query/context.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../query/fields/parse-projection.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import { parseFieldName } from '../../query/paths.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryBounds } from '../../query/plan.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { HttpSettings } from '../settings.ts'
import { invalidField, queryBodyLimit, readFields, readStrictField } from './body.ts'
import { type ListedKind, listRequestOfParameters, PAGE_PARAMETERS } from './list-request.ts'
import { invalidParameter, readParameters, readSwitch, readWholeNumber } from './parameters.ts'

/** Bytes of a value that is sent back as `after`. */
const LONGEST_AFTER = 32 * 1024

/** The most that a body may have, in bytes: in the text of a value, each quote and each backslash takes two. */
export function distinctBodyLimit(bounds: QueryBounds): number {
  return queryBodyLimit(bounds) + 2 * LONGEST_AFTER
}

/** Request for the different values at a path. */
export interface AskedDistinct extends Pick<ListRequest, 'strict' | 'remarks'> {
  readonly filter: FilterNode
  readonly path: FieldPath
  readonly limit: number
  readonly after: Json | undefined
  /** Whether it is told how many records have each. */
  readonly counts: boolean
}

const OWN_PARAMETERS = ['path', 'limit', 'after', 'count'] as const

/** Reads what is asked from the address: the conditions of a list, and the path and page of values. */
export function readDistinctParameters(
  { query }: Pick<RequestContext, 'query'>,
  settings: HttpSettings,
  kind: ListedKind,
): AskedDistinct {
  const parameters = readParameters(query)
  const isOwn = (name: string): boolean => OWN_PARAMETERS.some((own) => own === name)
  const page = PAGE_PARAMETERS.find((name) => parameters.has(name) && !isOwn(name))
  if (page !== undefined) throw invalidParameter(page, parameters.get(page) ?? '', NO_PAGE)
  const conditions = new Map([...parameters].filter(([name]) => !isOwn(name)))
  const { filter, strict, remarks } = listRequestOfParameters(conditions, settings, kind)
  const path = parameters.get('path')
  if (path === undefined) throw invalidParameter('path', '', A_PATH)
  return {
    filter,
    path: parseFieldName(path, rootContext(settings.bounds, 'path')),
    limit: readWholeNumber(parameters, 'limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
    after: readAfter(parameters.get('after')),
    counts: readSwitch(parameters, 'count'),
    ...(strict === undefined ? {} : { strict }),
    ...(remarks === undefined ? {} : { remarks }),
  }
}

const NO_PAGE = 'nothing here: values come in their order, a page with limit and after'
const A_PATH = 'the path of a field, "lattice.type"'

/** The same from a body. */
export function readDistinctBody(context: RequestContext, settings: HttpSettings): AskedDistinct {
  const names = [...OWN_PARAMETERS, 'query', 'strict'] as const
  const { query = {}, path, limit = DEFAULT_LIMIT, after, count = false, strict } = readFields(context, names)
  const { bounds } = settings
  if (typeof path !== 'string') throw invalidField('path', A_PATH)
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalidField('limit', `a whole number from 1 to ${MAX_LIMIT}`)
  }
  if (after !== undefined && typeof after !== 'string') throw invalidField('after', 'the next of the answer before')
  if (typeof count !== 'boolean') throw invalidField('count', 'true or false')
  return {
    filter: parseFilter(query, bounds, 'query'),
    path: parseFieldName(path, rootContext(bounds, 'path')),
    limit,
    after: readAfter(after),
    counts: count,
    strict: readStrictField(strict, settings),
  }
}

/** A cursor is the JSON text of a value, so that it holds for as long as anybody likes. */
function readAfter(text: string | undefined): Json | undefined {
  return text === undefined
    ? undefined
    : parseQueryText(text, { ...DEFAULT_QUERY_BOUNDS, maxBytes: LONGEST_AFTER }, 'after')
}
