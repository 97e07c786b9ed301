import { AppError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { MAX_LIMIT, MAX_SKIP, MORE_THAN_A_PAGE } from '../../query/fields/parse-projection.ts'
import { meantSort, printSort } from '../../query/order/parse-sort.ts'
import type { ListParameter } from '../../records/record-kind.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { invalidParameter, type Parameters, quoted, readTruth } from './parameters.ts'

/** Makes the filter that a flat parameter stands for; `name` is for the refusal. */
type Condition = (text: string, name: string) => JsonObject

/** Flat parameters of newer clients, with what each asks. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  id: equalTo('_id', readText),
  name: equalTo('name', readText),
  slug: equalTo('slug', readText),
  systemName: equalTo('systemName', readText),
  exabyteId: equalTo('exabyteId', readText),
  ownerId: equalTo('owner._id', readText),
  ownerSlug: equalTo('owner.slug', readText),
  setId: equalTo('inSet._id', readText),
  jobId: equalTo('source.info.jobId', readText),
  isDefault: equalTo('isDefault', readTruth),
  // A record that does not say so is not curated.
  isCurated: (text, name) => ({ isCurated: readTruth(text, name) ? { $eq: true } : { $ne: true } }),
  hashes: (text, name) => ({ hash: { $in: readTexts(text, name) } }),
  quickSearch: (text, name) => ({ $and: readWords(text, name).map(containing) }),
}

/** The parameters of every kind that are conditions. */
export const CONDITION_PARAMETERS: readonly string[] = Object.keys(CONDITIONS)

/** The fields in which people look for a word. */
const SEARCHED = ['name', 'tags', 'description', 'formula'] as const

/** Parameters of other servers that this one lacks, with what to write instead. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  pageIndex: 'Use skip.',
  pageSize: 'Use limit.',
  chemsys: 'Use chemicalSystem.',
  exclude_elements: 'Use elementsNone.',
  spacegroup_number: 'Use spaceGroup.',
  spacegroup_symbol: 'Use spaceGroup.',
  crystal_system: 'Use query={"spaceGroup.crystalSystem":"cubic"}.',
  nelements: 'Use query={"nElements":2}.',
  num_elements: 'Use query={"nElements":2}.',
  num_sites: 'Use query={"nSites":2}.',
  material_ids: 'Use query={"_id":{"$in":["…"]}}.',
  filter: 'It is a parameter of /optimade; write a MongoDB query: query={"formula":"Si"}.',
  page_limit: 'Use limit.',
  page_offset: 'Use skip.',
  response_fields: 'Use projection={"fields":{"name":1}}.',
  _limit: 'Use limit.',
  _skip: 'Use skip.',
  _fields: 'Use projection={"fields":{"name":1}}.',
  _sort_fields: 'Use sort.',
  fields: 'Use projection={"fields":{"name":1}}.',
  select: 'Use projection={"fields":{"name":1}}.',
  columns: 'Use projection={"fields":{"name":1}}.',
  page: 'Use skip and limit, or the cursor of the answer (X-Next-Cursor) as projection={"after":"…"}.',
  per_page: 'Use limit.',
  page_size: 'Use limit.',
  size: 'Use limit.',
  offset: 'Use skip.',
  start: 'Use skip.',
  after: 'Use projection={"after":"…"}.',
  cursor: 'Use projection={"after":"…"}.',
  order: 'Use sort=name or sort=-name.',
  order_by: 'Use sort=name or sort=-name.',
  orderBy: 'Use sort=name or sort=-name.',
  sort_by: 'Use sort=name or sort=-name.',
  sortBy: 'Use sort=name or sort=-name.',
  q: 'Use quickSearch for words, query for a MongoDB query.',
  search: 'Use quickSearch for words, query for a MongoDB query.',
  where: 'Use query={"formula":"Si"}.',
  selector: 'Use query={"formula":"Si"}.',
  total: 'Use count=true.',
  ids: 'Use query={"_id":{"$in":["…"]}}.',
  collation: 'Texts are compared as they are; for either case use query={"name":{"$regex":"^si","$options":"i"}}.',
  token: 'Send it in the header X-Auth-Token beside X-Account-Id, or as Authorization: Bearer; never in an address.',
  includeCharacteristics: 'Use query={"source.info.jobId":"…"} on properties.',
}

export const FLAT_PARAMETERS: readonly string[] = [...Object.keys(CONDITIONS), 'globalSearch', 'limit', 'skip', 'sort']

export interface FlatCondition {
  readonly parameter: string
  readonly filter: JsonObject
}

/** Reads the flat parameters that filter, in the order of the URL. */
export function readFlatConditions(parameters: Parameters, ofKind: readonly ListParameter[]): readonly FlatCondition[] {
  const conditions: FlatCondition[] = []
  for (const [parameter, text] of parameters) {
    const condition = Object.hasOwn(CONDITIONS, parameter) ? CONDITIONS[parameter] : undefined
    if (condition !== undefined) conditions.push({ parameter, filter: condition(text, parameter) })
    const own = ofKind.find(({ name }) => name === parameter)
    if (own !== undefined) conditions.push({ parameter, filter: readOwn(own, text) })
  }
  assertGlobalSearch(parameters.get('globalSearch'))
  return conditions
}

function readOwn({ name, read }: ListParameter, text: string): JsonObject {
  const reading = read(text)
  if ('filter' in reading) return reading.filter
  throw invalidParameter(name, text, reading.expected, reading.hint)
}

function equalTo(path: string, read: (text: string, name: string) => Json): Condition {
  return (text, name) => ({ [path]: { $eq: read(text, name) } })
}

/** A word, in upper or lower case, in any of the fields; nothing of it has a meaning as a pattern. */
function containing(word: string): JsonObject {
  const pattern = { $regex: word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), $options: 'i' }
  return { $or: SEARCHED.map((field) => ({ [field]: pattern })) }
}

/** Reads flat `limit`, `skip` and `sort=[-]field` as the keys of a projection. */
export function readFlatProjection(parameters: Parameters): JsonObject {
  const projection: Record<string, Json> = {}
  const limit = parameters.get('limit')
  const skip = parameters.get('skip')
  if (limit !== undefined) projection.limit = readInteger(limit, 'limit', [1, MAX_LIMIT], MORE_THAN_A_PAGE)
  if (skip !== undefined) projection.skip = readInteger(skip, 'skip', [0, MAX_SKIP])
  const sort = parameters.get('sort')
  if (sort !== undefined) projection.sort = [readSortKey(sort)]
  return projection
}

/** Signs of other systems between a field and its direction, or between fields. */
const SORT_MARKS = /^[+-]|[\s,:{}[\]"']/

function readSortKey(text: string): Json {
  const isDescending = text.startsWith('-')
  const path = isDescending ? text.slice(1) : text
  if (path !== '' && !SORT_MARKS.test(path)) return [path, isDescending ? 'desc' : 'asc']
  const hint = sortHint(meantSort(text))
  throw invalidParameter('sort', text, 'the path of one field, with - before it for descending order', hint)
}

function sortHint(meant: ReturnType<typeof meantSort>): string {
  const [only, second] = meant ?? []
  if (meant === null || only === undefined)
    return 'Write sort=name or sort=-name; projection={"sort":{"a b":1}} for any path.'
  const [path, direction] = only
  return second === undefined
    ? `Write sort=${direction === 1 ? '' : '-'}${path}.`
    : `Write projection={"sort":${printSort(meant)}}.`
}

/** Refuses a parameter that is meant for another server, with what works here. */
export function assertSupported(name: string): void {
  if (!Object.hasOwn(UNSUPPORTED, name)) return
  const hint = UNSUPPORTED[name] ?? ''
  throw new AppError(HTTP_ERRORS.unsupportedParameter, `The parameter ${quoted(name)} is not supported. ${hint}`, {
    path: name,
    hint,
  })
}

/** Lists search everywhere anyway; asking for less is refused, since the answer would hold more. */
function assertGlobalSearch(text: string | undefined): void {
  if (text === undefined || text === 'true') return
  throw invalidParameter(
    'globalSearch',
    text,
    'true: lists always search in and out of sets',
    'Use setId to search in one set.',
  )
}

function readText(text: string, name: string): string {
  if (text === '')
    throw invalidParameter(name, text, 'a text that is not empty', 'Leave the parameter out to not filter by it.')
  return text
}

function readWords(text: string, name: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length > 0) return words
  throw invalidParameter(name, text, 'one or more words', 'Leave the parameter out to not filter by it.')
}

/** Reads a JSON array of texts, or texts with commas between them. */
function readTexts(text: string, name: string): readonly string[] {
  const texts = text.startsWith('[') ? jsonTexts(text) : text.split(',')
  if (texts?.every((one) => typeof one === 'string' && one !== '')) return texts as readonly string[]
  throw invalidParameter(name, text, 'texts with commas between them, or a JSON array of texts')
}

function jsonTexts(text: string): readonly unknown[] | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function readInteger(text: string, name: string, [least, most]: readonly [number, number], hint?: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalidParameter(name, text, `an integer from ${least} to ${most}`, hint)
}
