import { AppError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { MAX_LIMIT, MAX_SKIP } from '../../query/parse/parse-projection.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type Parameters, quoted } from './parameters.ts'

/** Flat parameters of newer clients that ask for equality, with the path that each asks about. */
const EQUALITY: Readonly<
  Record<string, { readonly path: string; readonly read: (text: string, name: string) => Json }>
> = {
  id: { path: '_id', read: readText },
  name: { path: 'name', read: readText },
  slug: { path: 'slug', read: readText },
  systemName: { path: 'systemName', read: readText },
  exabyteId: { path: 'exabyteId', read: readText },
  ownerId: { path: 'owner._id', read: readText },
  ownerSlug: { path: 'owner.slug', read: readText },
  setId: { path: 'inSet._id', read: readText },
  isDefault: { path: 'isDefault', read: readBoolean },
}

/** What other servers of this wire have and this one does not, with what to write instead. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  quickSearch: 'Use query={"name":{"$regex":"…","$options":"i"}}.',
  hashes: 'Use query={"hash":{"$in":["…"]}}.',
  isCurated: 'Use query with the field that marks your curated records, for instance {"tags":"curated"}.',
  jobId: 'Jobs are not kept here; use query={"source.info.jobId":"…"}.',
}

export const FLAT_PARAMETERS: readonly string[] = [...Object.keys(EQUALITY), 'globalSearch', 'limit', 'skip', 'sort']

/** One condition that a flat parameter stands for. */
export interface FlatCondition {
  readonly parameter: string
  readonly filter: JsonObject
}

/** Reads the flat parameters that filter, in the order of the URL. */
export function readFlatConditions(parameters: Parameters): readonly FlatCondition[] {
  const conditions: FlatCondition[] = []
  for (const [name, text] of parameters) {
    const equality = Object.hasOwn(EQUALITY, name) ? EQUALITY[name] : undefined
    if (equality !== undefined) {
      conditions.push({ parameter: name, filter: { [equality.path]: { $eq: equality.read(text, name) } } })
    }
  }
  assertGlobalSearch(parameters.get('globalSearch'))
  return conditions
}

/** Reads flat `limit`, `skip` and `sort=[-]field` as the keys of a projection. */
export function readFlatProjection(parameters: Parameters): JsonObject {
  const projection: Record<string, Json> = {}
  const limit = parameters.get('limit')
  const skip = parameters.get('skip')
  if (limit !== undefined) projection.limit = readInteger(limit, 'limit', 1, MAX_LIMIT)
  if (skip !== undefined) projection.skip = readInteger(skip, 'skip', 0, MAX_SKIP)
  const sort = parameters.get('sort')
  if (sort !== undefined) {
    const descending = sort.startsWith('-')
    projection.sort = [[readText(descending ? sort.slice(1) : sort, 'sort'), descending ? 'desc' : 'asc']]
  }
  return projection
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
  throw invalid('globalSearch', text, 'true: lists always search in and out of sets', 'Use setId to search in one set.')
}

function readText(text: string, name: string): string {
  if (text === '') throw invalid(name, text, 'a text that is not empty', 'Leave the parameter out to not filter by it.')
  return text
}

function readBoolean(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalid(name, text, 'true or false')
}

function readInteger(text: string, name: string, least: number, most: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalid(name, text, `an integer from ${least} to ${most}`)
}

function invalid(name: string, text: string, expected: string, hint?: string): AppError {
  return new AppError(
    HTTP_ERRORS.invalidParameter,
    `The parameter ${quoted(name)} takes ${expected}; not ${quoted(text)}.${hint === undefined ? '' : ` ${hint}`}`,
    hint === undefined ? { path: name } : { path: name, hint },
  )
}
