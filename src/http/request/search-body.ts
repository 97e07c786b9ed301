import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type Json } from '../../kernel/json.ts'
import type { FieldPath } from '../../query/ast/filter.ts'
import type { FieldsNode, ListRequest } from '../../query/ast/list-request.ts'
import { parseQueryText, rootContext, show } from '../../query/context.ts'
import { parseFields } from '../../query/fields/parse-fields.ts'
import { parseFieldName } from '../../query/paths.ts'
import type { QueryBounds } from '../../query/plan.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import type { WarnedRequest } from '../../records/warnings/field-guide.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { HttpSettings } from '../settings.ts'
import { invalidField, readFields, readStrictField } from './body.ts'
import { type ListSettings, listRequestOfParameters } from './list-request.ts'
import { invalidParameter, type Parameters } from './parameters.ts'

export interface SearchBody {
  readonly query: Json | undefined
  readonly projection: Json | undefined
  /** The run of the query is told instead of what it found. */
  readonly explain: boolean
  /** The number of all that match is told too. */
  readonly counts: boolean
  /** A query that would be answered with a warning is refused. */
  readonly strict: boolean
}

/** Fields of a page, which stand within `projection`. */
const PAGE_FIELDS: readonly string[] = ['sort', 'skip', 'limit', 'fields', 'after']

export function readSearchBody(context: RequestContext, settings: Pick<HttpSettings, 'strict'>): SearchBody {
  const names = ['query', 'projection', 'explain', 'count', 'strict'] as const
  const { query, projection, explain = false, count = false, strict } = readFields(context, names, placeInSearch)
  if (typeof explain !== 'boolean') throw invalidField('explain', 'true or false')
  if (typeof count !== 'boolean') throw invalidField('count', 'true or false')
  if (explain && count) throw invalidField('count', 'false beside explain, which tells how a page is found')
  return { query, projection, explain, counts: count, strict: readStrictField(strict, settings) }
}

export function readCountBody(
  context: RequestContext,
  settings: Pick<HttpSettings, 'strict'>,
): Pick<SearchBody, 'query' | 'strict'> {
  const { query, strict } = readFields(context, ['query', 'strict'], (name, value) =>
    name === 'projection' || PAGE_FIELDS.includes(name)
      ? 'A count has no pages, order or fields: leave it out.'
      : placeInSearch(name, value),
  )
  return { query, strict: readStrictField(strict, settings) }
}

function placeInSearch(name: string, value: Json): string | null {
  if (PAGE_FIELDS.includes(name)) return `Write it into the projection: {"projection":{"${name}":${show(value)}}}.`
  // Most likely the name of a field of records; what is close to a field of the body is told as that.
  return name.startsWith('$') || name.includes('.') ? `Write it into the query: {"query":{${show(name)}:…}}.` : null
}

/** Request for an export: records, or a table where columns are named. */
export interface AskedExport {
  readonly asked: ListRequest
  readonly columns: readonly FieldPath[] | null
  /** The part of it that may say something else than was meant, as it was sent. */
  readonly warned: WarnedRequest
}

/** More than a program for tables shows side by side. */
export const MOST_COLUMNS = 200

/** Reads an export of records: lines, or with `format=csv` the fields that `columns` names. */
export function readLinesRequest(
  parameters: Parameters,
  settings: ListSettings,
  kind: Pick<RecordKind, 'listParameters'>,
): AskedExport {
  const format = parameters.get('format')
  const names = parameters.get('columns')
  const others = new Map([...parameters].filter(([name]) => name !== 'format' && name !== 'columns'))
  const asked = readExportRequest(others, settings, kind)
  if (format === undefined && names === undefined) return { asked, columns: null, warned: asked }
  if (format !== 'csv') throw invalidParameter('format', format ?? '', 'csv beside columns, or nothing')
  if (asked.fields !== null) throw noFieldsOfTable()
  const columns = (names ?? '').split(',')
  if (columns.includes('') || columns.length > MOST_COLUMNS) {
    throw invalidParameter('columns', names ?? '', `the paths of 1 to ${MOST_COLUMNS} fields with commas between them`)
  }
  const { bounds } = settings
  const paths = columns.map((name) => parseFieldName(name, rootContext(bounds, 'columns')))
  const reads = paths.map((path) => ({ path, place: 'columns', as: 'column' as const }))
  return { asked: { ...asked, fields: tableFields(paths, bounds) }, columns: paths, warned: { ...asked, reads } }
}

/** The fields that columns are made of: of two, of which one is within the other, the outer one. */
function tableFields(paths: readonly FieldPath[], bounds: QueryBounds): FieldsNode | null {
  const outer = paths.filter(({ text }) => !paths.some((other) => text.startsWith(`${other.text}.`)))
  const hasId = outer.some(({ text }) => text === '_id')
  const names = Object.fromEntries([...outer.map(({ text }) => [text, 1]), ...(hasId ? [] : [['_id', 0]])])
  return parseFields(names, rootContext(bounds, 'columns'))
}

function noFieldsOfTable(): AppError {
  const hint = 'Name them as columns: columns=name,formula.'
  return new AppError(HTTP_ERRORS.invalidParameter, `A table has the fields that columns names. ${hint}`, {
    path: 'projection.fields',
    hint,
  })
}

/** Parameters that make a page of a list, or tell what is beyond it; an export is all of it. */
const PAGING = ['limit', 'skip', 'after', 'count']

/** Reads what an export asks: a list without pages. */
export function readExportRequest(
  parameters: Parameters,
  settings: ListSettings,
  kind: Pick<RecordKind, 'listParameters'>,
): ListRequest {
  const { bounds } = settings
  const text = parameters.get('projection')
  const projection = text === undefined ? {} : parseQueryText(text, bounds, 'projection')
  const keys = isJsonObject(projection) ? Object.keys(projection) : []
  const flat = PAGING.find((name) => parameters.has(name))
  const nested = PAGING.find((name) => keys.includes(name))
  if (flat !== undefined) throw noPages(flat)
  if (nested !== undefined) throw noPages(`projection.${nested}`)
  return listRequestOfParameters(parameters, settings, kind)
}

function noPages(place: string): AppError {
  const hint = 'Leave it out; the list itself has pages.'
  return new AppError(HTTP_ERRORS.invalidParameter, `An export has no pages, so ${place} means nothing. ${hint}`, {
    path: place,
    hint,
  })
}
