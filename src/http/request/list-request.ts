import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { type Warning, warning } from '../../kernel/warnings.ts'
import type { FilterNode } from '../../query/ast/filter.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import { parseQueryText } from '../../query/context.ts'
import { type Projection, parseProjection } from '../../query/fields/parse-projection.ts'
import { parseFilter } from '../../query/filter/parse-filter.ts'
import type { QueryBounds } from '../../query/plan.ts'
import { planQuery, type RequesterPlan, scopeName } from '../../query/plan.ts'
import { QUERY_WARNINGS } from '../../query/warnings/warnings.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import type { AskedList } from '../../records/use-cases/read-records.ts'
import type { Collection } from '../../records/work/deps.ts'
import { splitTarget } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { NextAddress } from '../exchange/response.ts'
import type { HttpSettings } from '../settings.ts'
import { assertSupported, FLAT_PARAMETERS, readFlatConditions, readFlatProjection } from './flat-parameters.ts'
import { assertKnown, type Parameters, quoted, readParameters, readStrict, readSwitch } from './parameters.ts'

/** All that a list action reads from the URL. */
export const LIST_PARAMETERS: readonly string[] = [
  'query',
  'projection',
  'advancedSearches',
  ...FLAT_PARAMETERS,
  'count',
  'strict',
]

/** Parameters of a page of a list: its order, its size, and its start. */
export const PAGE_PARAMETERS = ['projection', 'limit', 'skip', 'sort'] as const

export type ListSettings = Pick<HttpSettings, 'bounds' | 'strict'>

/** Parameters that a kind of record adds to its lists. */
export type ListedKind = Pick<RecordKind, 'listParameters'>

/** Reads what a list asks from the query string of its URL. Conditions of all parameters hold together. */
export function readListRequest(queryString: string, settings: ListSettings, kind: ListedKind): AskedList {
  const parameters = readParameters(queryString)
  return { listed: listRequestOfParameters(parameters, settings, kind), counts: readSwitch(parameters, 'count') }
}

/** Reads what is to be counted from the query string of a URL: conditions, and nothing about pages. */
export function readCountRequest(queryString: string, settings: ListSettings, kind: ListedKind): ListRequest {
  const parameters = readParameters(queryString)
  const page = [...PAGE_PARAMETERS, 'count'].find((name) => parameters.has(name))
  if (page !== undefined) {
    const hint = 'Leave it out, or ask the list itself with count=true.'
    throw new AppError(
      HTTP_ERRORS.invalidParameter,
      `A count has no pages, order or fields, so ${quoted(page)} means nothing. ${hint}`,
      { path: page, hint },
    )
  }
  return listRequestOfParameters(parameters, settings, kind)
}

/** Reads what a list asks from the parameters of its URL, all of which must be about that. */
export function listRequestOfParameters(
  parameters: Parameters,
  settings: ListSettings,
  { listParameters = [] }: ListedKind,
): ListRequest {
  const { bounds } = settings
  for (const name of parameters.keys()) assertSupported(name)
  assertKnown(parameters, [...LIST_PARAMETERS, ...listParameters.map(({ name }) => name)])
  const filters = [
    ...readSelectors(parameters, bounds).map(({ json, place }) => parseFilter(json, bounds, place)),
    ...readFlatConditions(parameters, listParameters).map(({ filter, parameter }) =>
      placedAt(parseFilter(filter, bounds, parameter), parameter),
    ),
  ]
  const filter = allOf(filters)
  return { filter, ...readProjection(parameters, filter, bounds), strict: readStrict(parameters, settings) }
}

/** Reads what a list asks from a body of `query` and `projection`. */
export function listRequestOf(query: Json | undefined, projection: Json | undefined, bounds: QueryBounds): ListRequest {
  const filter = parseFilter(query === undefined ? {} : query, bounds, 'query')
  return { filter, ...parseProjection(projection, bounds, 'projection', filter) }
}

/** `query` and the selectors of `advancedSearches`; newer clients send the same one both ways. */
function readSelectors(
  parameters: Parameters,
  bounds: QueryBounds,
): readonly { readonly json: Json; readonly place: string }[] {
  const query = parameters.get('query')
  const searches = parameters.get('advancedSearches')
  const selectors: { json: Json; place: string }[] = []
  if (query !== undefined) selectors.push({ json: parseQueryText(query, bounds, 'query'), place: 'query' })
  if (searches !== undefined && searches !== `[${query}]`) {
    const list = parseQueryText(searches, bounds, 'advancedSearches')
    if (!isJsonArray(list)) throw notSelectors()
    for (const [index, json] of list.entries()) selectors.push({ json, place: `advancedSearches[${index}]` })
  }
  return selectors
}

function notSelectors(): AppError {
  return new AppError(
    HTTP_ERRORS.invalidParameter,
    '"advancedSearches" takes a JSON array of queries: [{"formula":"Si"}].',
    { path: 'advancedSearches' },
  )
}

/** The projection, with flat parameters for the keys that it leaves out, and a remark where it says something else than they do. */
function readProjection(
  parameters: Parameters,
  filter: FilterNode,
  bounds: QueryBounds,
): Projection & Pick<ListRequest, 'remarks'> {
  const text = parameters.get('projection')
  const projection = text === undefined ? {} : parseQueryText(text, bounds, 'projection')
  const flat = readFlatProjection(parameters)
  const whole = isJsonObject(projection) ? withDefaults(projection, flat) : projection
  const read = parseProjection(whole, bounds, 'projection', filter)
  const remarks = Object.keys(flat).flatMap((key) => overruledBy(read, parseProjection(flat, bounds), key))
  return remarks.length === 0 ? read : { ...read, remarks }
}

/** Says that a flat parameter does not count, unless the projection says the same. */
function overruledBy(read: Projection, flat: Projection, key: string): readonly Warning[] {
  const [counts, given] = [read, flat].map((one) => JSON.stringify(one[key as 'sort' | 'skip' | 'limit']))
  if (counts === given) return []
  const message = `The projection has another ${key} than the parameter ${quoted(key)}, and the projection counts.`
  return [warning(QUERY_WARNINGS.overruled, key, message, `Give ${key} in one place.`)]
}

function withDefaults(projection: JsonObject, flat: JsonObject): JsonObject {
  if (Object.keys(flat).length === 0) return projection
  // Entries, not a spread onto a literal: a key `__proto__` must stay a key and be refused.
  return Object.fromEntries([...Object.entries(flat), ...Object.entries(projection)])
}

/** Lets a condition that a parameter stands for be told at the parameter; of more than an equality, no client wrote the parts. */
function placedAt(node: FilterNode, parameter: string): FilterNode {
  if (node.kind === 'field') {
    const { written: _, ...condition } = node
    return { ...condition, place: node.predicate.operator === '$eq' ? parameter : null }
  }
  return node.kind === 'expr' ? node : { ...node, clauses: node.clauses.map((clause) => placedAt(clause, parameter)) }
}

function allOf(filters: readonly FilterNode[]): FilterNode {
  const [first, ...others] = filters
  return first !== undefined && others.length === 0 ? first : { kind: 'and', clauses: filters }
}

/** Clients of HTTP read 16 KiB of headers and no more; a list with a longer address has the cursor alone. */
const LONGEST_PATH = 8 * 1024

/** Gives what leads to the next page; nothing leads from the last. */
type NextPage = (cursor: string | null) => NextAddress | null

/** Prepares the way on from the pages of a list; its address is taken apart once, when a page first has one after it. */
function nextPageOf(target: string, bounds: QueryBounds): NextPage {
  let address: { readonly before: string; readonly after: string } | null = null
  return (cursor) => {
    if (cursor === null) return null
    address ??= aroundCursor(target, bounds)
    const path = `${address.before}${encodeURIComponent(JSON.stringify(cursor))}${address.after}`
    return { cursor, path: path.length > LONGEST_PATH ? null : path }
  }
}

/** The address of the same list from a cursor on, without the cursor: what `skip` has skipped is behind it. */
function aroundCursor(target: string, bounds: QueryBounds): { before: string; after: string } {
  const { path, query } = splitTarget(target)
  const parameters = new Map(readParameters(query))
  const text = parameters.get('projection')
  const given = text === undefined ? {} : parseQueryText(text, bounds, 'projection')
  const kept = isJsonObject(given) ? Object.entries(given).filter(([key]) => key !== 'skip' && key !== 'after') : []
  parameters.delete('skip')
  parameters.delete('projection')
  const others = [...parameters].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`)
  const projection = JSON.stringify(Object.fromEntries([...kept, ['after', null]]) as Json)
  const opened = projection.slice(0, projection.lastIndexOf('null'))
  return {
    before: `${path}?${others.join('')}projection=${encodeURIComponent(opened)}`,
    after: encodeURIComponent('}'),
  }
}

/** List asked for by an address, planned for its requester. */
interface PlannedList {
  readonly plan: RequesterPlan
  /** Whether the answer tells the number of all that match. */
  readonly counts: boolean
  readonly nextPage: NextPage
}

/** The addresses of all that is kept, in characters; what is made of an address is some ten times as large. */
const MOST_CHARACTERS = 512 * 1024
const LONGEST_TARGET = 8 * 1024

/** Reads what the addresses of lists ask, and keeps it: the same address never asks another question. */
export class ListRequests {
  readonly #entries = new BoundedCache<PlannedList>({ most: MOST_CHARACTERS, heaviest: LONGEST_TARGET })
  readonly #settings: HttpSettings
  #found = 0
  #missed = 0

  constructor(settings: HttpSettings) {
    this.#settings = settings
  }

  /** Number of lists found in the cache, and of those read anew. */
  get metrics(): { readonly found: number; readonly missed: number } {
    return { found: this.#found, missed: this.#missed }
  }

  /** Reads a request for a list; refuses what cannot be understood. */
  read(context: RequestContext, { kind, session: { scope } }: Collection): PlannedList {
    const { url, query } = context
    const key = `${scopeName(scope)} ${url}`
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#found += 1
      return known
    }
    this.#missed += 1
    context.enter('parse')
    const { listed, counts } = readListRequest(query, this.#settings, kind)
    const plan = planQuery(listed, kind.collection, scope)
    const list = { plan, counts, nextPage: nextPageOf(url, this.#settings.bounds) }
    this.#entries.set(key, list, url.length)
    return list
  }
}
