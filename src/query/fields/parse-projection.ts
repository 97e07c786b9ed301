import { isJsonObject, type Json, ownField } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import type { FilterNode } from '../ast/filter.ts'
import type { FieldsNode, SortKey } from '../ast/list-request.ts'
import { atKey, checkSize, type ParseContext, refusal, rootContext, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { parseSort } from '../order/parse-sort.ts'
import { DEFAULT_QUERY_BOUNDS, type QueryBounds } from '../plan.ts'
import { plainValue } from '../values/extended-json.ts'
import { parseFields } from './parse-fields.ts'

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 500
/** Far beyond any page; keeps skip + limit an exact integer everywhere. */
export const MAX_SKIP = 2 ** 31 - 1

const PROJECTION_KEYS = ['sort', 'skip', 'limit', 'fields', 'after']

/** Advice for requests of more than a page, or of less than one record. */
export const MORE_THAN_A_PAGE =
  'For more, read on with the cursor of the answer (X-Next-Cursor, as projection.after), or all at once with export; for the number ' +
  'alone, ask count.'

/** Longer than any cursor: the values that it holds are cut off. */
const MAX_CURSOR_LENGTH = 16_384

/** Parts of a projection: everything of a list request but the filter. */
export interface Projection {
  /** Empty: natural order. */
  readonly sort: readonly SortKey[]
  /** Null: whole documents. */
  readonly fields: FieldsNode | null
  readonly skip: number
  readonly limit: number
  /** End of the page before this one, as its answer told it; absent: the first page, or where `skip` says. */
  readonly after?: string
}

/** Reads a projection with its defaults; `undefined` is none. The filter is what positional fields (`arr.$`) refer to. */
export function parseProjection(
  json: unknown,
  bounds: QueryBounds = DEFAULT_QUERY_BOUNDS,
  place = 'projection',
  filter?: FilterNode,
): Projection {
  const context = rootContext(bounds, place)
  if (json === undefined) return { sort: [], fields: null, skip: 0, limit: DEFAULT_LIMIT }
  if (!isJsonObject(json)) {
    throw refusal(context, QUERY_ERRORS.notAnObject, `${place} must be a JSON object, given ${show(json)}.`)
  }
  checkSize(json, context)
  for (const key of Object.keys(json)) refuseUnknownKey(key, context)
  const sort = ownField(json, 'sort')
  const fields = ownField(json, 'fields')
  const skip = parseInteger(ownField(json, 'skip'), SKIP, atKey(context, 'skip'))
  const after = parseCursor(ownField(json, 'after'), skip, atKey(context, 'after'))
  return {
    sort: sort === undefined ? [] : parseSort(sort, atKey(context, 'sort')),
    fields: fields === undefined ? null : parseFields(fields, atKey(context, 'fields'), filter),
    skip,
    limit: parseInteger(ownField(json, 'limit'), LIMIT, atKey(context, 'limit')),
    ...(after === null ? {} : { after }),
  }
}

function refuseUnknownKey(key: string, context: ParseContext): void {
  if (PROJECTION_KEYS.includes(key)) return
  const nearest = nearestName(key, PROJECTION_KEYS)
  throw refusal(
    atKey(context, key),
    QUERY_ERRORS.unknownProjectionKey,
    `Unknown key ${show(key)} in ${context.place}.`,
    nearest === null ? 'The keys are sort, skip, limit, fields and after.' : `Did you mean ${nearest}?`,
  )
}

/** Reads the form of a cursor; the store knows whether it fits the sort. */
function parseCursor(json: Json | undefined, skip: number, context: ParseContext): string | null {
  if (json === undefined || json === null) return null
  if (typeof json !== 'string' || json === '' || json.length > MAX_CURSOR_LENGTH) {
    throw refusal(
      context,
      QUERY_ERRORS.outOfRange,
      `${context.place} must be a cursor from X-Next-Cursor, given ${show(json)}.`,
      'Leave it out for the first page.',
    )
  }
  if (skip === 0) return json
  throw refusal(
    context,
    QUERY_ERRORS.outOfRange,
    `${context.place} and skip both say where the page begins.`,
    'Give one of them: skip counts from the start, after goes on where a page ended.',
  )
}

interface IntegerRange {
  readonly least: number
  readonly most: number
  readonly absent: number
  readonly hint?: string
}

const SKIP: IntegerRange = { least: 0, most: MAX_SKIP, absent: 0 }
const LIMIT: IntegerRange = { least: 1, most: MAX_LIMIT, absent: DEFAULT_LIMIT, hint: MORE_THAN_A_PAGE }

function parseInteger(
  json: Json | undefined,
  { least, most, absent, hint }: IntegerRange,
  context: ParseContext,
): number {
  if (json === undefined) return absent
  const value = plainValue(json, context)
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw refusal(
    context,
    QUERY_ERRORS.outOfRange,
    `${context.place} must be an integer from ${least} to ${most}, given ${show(json)}.`,
    hint,
  )
}
