import { AppError } from '../../kernel/errors.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import { parseQueryText } from '../../query/parse/parse-query-text.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type ListSettings, listRequestOfParameters } from './list-request.ts'
import type { Parameters } from './parameters.ts'

/** What makes a page of a list, or tells what is beyond it; an export is all of it. */
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
