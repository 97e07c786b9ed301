import { AppError, type ErrorData } from '../kernel/errors.ts'
import { nearestName, nearestNames } from '../kernel/names.ts'
import { EVERYTHING, type FilterNode } from '../query/ast/filter.ts'
import type { SortKey } from '../query/ast/list-request.ts'
import { clip } from '../query/context.ts'
import { MAX_SKIP } from '../query/fields/parse-projection.ts'
import type { QueryBounds } from '../query/plan.ts'
import { compileFilter, foreignWarning, isForeign, unknownProperty } from './compile-filter.ts'
import { OPTIMADE_ERRORS } from './errors.ts'
import type { FilterPlaces } from './filter-warnings.ts'
import { STRUCTURE_PROPERTIES } from './properties.ts'

/** The parameters of a URL by name; none twice. */
export type UrlParameters = ReadonlyMap<string, string>

export interface EntryQuery {
  /** Names from `response_fields`; null: the properties that an answer has by default. */
  readonly fields: readonly string[] | null
  readonly warnings: readonly string[]
}

export interface ListingQuery extends EntryQuery {
  readonly filter: FilterNode
  readonly places: FilterPlaces
  readonly sort: readonly SortKey[]
  readonly offset: number
  readonly limit: number
}

const DEFAULT_PAGE = 20
export const LARGEST_PAGE = 500
const MOST_SORT_KEYS = 32

/** Accepted at every address. */
const COMMON = ['response_format', 'email_address', 'api_hint']
const OF_ENTRIES = [...COMMON, 'response_fields', 'include']
const OF_LISTS = [...OF_ENTRIES, 'filter', 'sort', 'page_limit', 'page_offset', 'page_number']
const OTHER_PAGINATION = ['page_cursor', 'page_above', 'page_below']
/** Parts of lists in the answer, of which whole ones are served. */
const SLICES = 'dimension_slices'

/** Reads what a list of structures is asked; refuses what would change the answer and is not understood. */
export function readListingQuery(parameters: UrlParameters, bounds: QueryBounds): ListingQuery {
  const foreign: string[] = []
  for (const name of parameters.keys()) {
    if (OF_LISTS.includes(name) || name === SLICES) continue
    if (!isForeign(name)) throw unknownParameter(name)
    foreign.push(ignoredWarning(name))
  }
  const { fields, warnings } = readEntryParameters(parameters)
  const text = parameters.get('filter')
  const filtered =
    text === undefined || text.trim() === ''
      ? { filter: EVERYTHING, warnings: [], places: new Map() }
      : compileFilter(text, bounds)
  const sorted = readSort(parameters.get('sort'))
  return {
    fields,
    filter: filtered.filter,
    places: filtered.places,
    sort: sorted.keys,
    ...readPage(parameters),
    warnings: [...foreign, ...warnings, ...filtered.warnings, ...sorted.warnings],
  }
}

/** Reads what one structure is asked; parameters that are not understood are ignored, as the specification wants, and told. */
export function readEntryQuery(parameters: UrlParameters): EntryQuery {
  const { fields, warnings } = readEntryParameters(parameters)
  return { fields, warnings: [...ignored(parameters, OF_ENTRIES), ...warnings] }
}

/** Reads the parameters of an address that has none of its own. */
export function readCommonParameters(parameters: UrlParameters): readonly string[] {
  assertJson(parameters)
  return ignored(parameters, COMMON)
}

function readEntryParameters(parameters: UrlParameters): EntryQuery {
  if (parameters.has(SLICES)) {
    const hint = 'Leave it out: lists are served whole.'
    throw new AppError(OPTIMADE_ERRORS.notImplemented, `${SLICES} is not supported. ${hint}`, { path: SLICES, hint })
  }
  assertJson(parameters)
  assertIncludable(parameters.get('include'))
  const text = parameters.get('response_fields')
  if (text === undefined) return { fields: null, warnings: [] }
  const fields = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const foreign = fields.filter(isForeign)
  for (const name of fields) {
    if (!STRUCTURE_PROPERTIES.has(name) && !isForeign(name)) throw unknownProperty(name, 'response_fields')
  }
  return { fields, warnings: foreign.map((name) => foreignWarning(name, 'response_fields')) }
}

function assertJson(parameters: UrlParameters): void {
  const format = parameters.get('response_format')
  if (format === undefined || format === 'json') return
  throw invalid('response_format', `There is no response format ${shown(format)}.`, 'The only one is json.')
}

/** Structures have no related entries: including `references`, the default, includes none. */
function assertIncludable(include: string | undefined): void {
  const paths = (include ?? '').split(',').filter((path) => path !== '' && path !== 'references')
  if (paths.length === 0) return
  throw invalid('include', `Structures have no relationship ${shown(paths[0] ?? '')}.`, 'Leave include out.')
}

/** Properties of other providers are unknown for every structure, so that no order follows from them. */
function readSort(text: string | undefined): { keys: readonly SortKey[]; warnings: readonly string[] } {
  if (text === undefined || text === '') return { keys: [], warnings: [] }
  const names = text.split(',')
  if (names.length > MOST_SORT_KEYS) {
    throw invalid('sort', `sort has ${names.length} fields; at most ${MOST_SORT_KEYS} are allowed.`)
  }
  const [foreign, known] = [names.map(unsigned).filter(isForeign), names.filter((name) => !isForeign(unsigned(name)))]
  const keys = known.map(readSortKey)
  const repeated = keys.find(({ path }, index) => keys.findIndex((key) => key.path.text === path.text) !== index)
  if (repeated !== undefined) throw invalid('sort', 'sort names the same property twice.')
  return { keys, warnings: [...new Set(foreign)].map((name) => foreignWarning(name, 'sort')) }
}

/** The name of a property without the sign of descending order. */
function unsigned(key: string): string {
  return key.startsWith('-') ? key.slice(1) : key
}

function readSortKey(text: string): SortKey {
  const name = unsigned(text)
  const property = STRUCTURE_PROPERTIES.get(name)
  if (property === undefined) throw unknownProperty(name, 'sort')
  const path = property.queryable.sortPath
  if (path === undefined) {
    throw invalid('sort', `Structures cannot be sorted by ${name}.`, 'info/structures tells what is sortable.')
  }
  return { path: { text: path, parts: path.split('.') }, direction: text.startsWith('-') ? -1 : 1 }
}

function readPage(parameters: UrlParameters): { offset: number; limit: number } {
  const limit = readInteger(parameters, 'page_limit', 0, DEFAULT_PAGE)
  if (limit > LARGEST_PAGE) {
    throw new AppError(
      OPTIMADE_ERRORS.pageTooLarge,
      `page_limit is ${limit}; a page has at most ${LARGEST_PAGE} entries. Follow links.next for more.`,
      { path: 'page_limit', hint: 'Follow links.next for more.' },
    )
  }
  if (!parameters.has('page_number')) return { limit, offset: readInteger(parameters, 'page_offset', 0, 0) }
  if (parameters.has('page_offset')) {
    throw invalid('page_number', 'page_number and page_offset say where the page begins in two ways.', 'Give one.')
  }
  const offset = (readInteger(parameters, 'page_number', 1, 1) - 1) * limit
  if (offset > MAX_SKIP) throw invalid('page_number', 'There is no page of so high a number.')
  return { limit, offset }
}

function readInteger(parameters: UrlParameters, name: string, least: number, otherwise: number): number {
  const text = parameters.get(name)
  if (text === undefined) return otherwise
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= MAX_SKIP) return value
  throw invalid(name, `${name} must be a whole number from ${least} to ${MAX_SKIP}, given ${shown(text)}.`)
}

function unknownParameter(name: string): AppError {
  if (OTHER_PAGINATION.includes(name)) {
    const hint = 'Use page_offset or page_number, or follow links.next.'
    return new AppError(OPTIMADE_ERRORS.notImplemented, `${name} is not supported. ${hint}`, { path: name, hint })
  }
  const near = nearestName(name, OF_LISTS)
  const hint =
    near === null
      ? `The nearest that are known are ${nearestNames(name, OF_LISTS, 4).join(', ')}.`
      : `Did you mean ${near}?`
  const path = clip(name, 80)
  return new AppError(OPTIMADE_ERRORS.unknownParameter, `Unknown URL parameter ${shown(name)}. ${hint}`, { path, hint })
}

function ignored(parameters: UrlParameters, known: readonly string[]): readonly string[] {
  return [...parameters.keys()].filter((name) => !known.includes(name)).map(ignoredWarning)
}

function ignoredWarning(name: string): string {
  return `The URL parameter ${shown(name)} is not known here and was ignored.`
}

function invalid(parameter: string, message: string, hint?: string): AppError {
  const data: ErrorData = hint === undefined ? { path: parameter } : { path: parameter, hint }
  return new AppError(OPTIMADE_ERRORS.invalidParameter, hint === undefined ? message : `${message} ${hint}`, data)
}

function shown(text: string): string {
  return JSON.stringify(clip(text, 80))
}
