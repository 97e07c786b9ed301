import type { Json, JsonObject } from '../../kernel/json.ts'
import { PROVIDER_PREFIX } from '../structures/property.ts'
import { OPTIMADE_VERSION } from './address.ts'

/** Who serves the data, in every document and among the links. */
export const PROVIDER: JsonObject = {
  name: 'Quarry',
  description: 'A self-hosted server of materials and methods.',
  prefix: PROVIDER_PREFIX,
}

/** What a document says about the request that it answers. */
export interface Answered {
  readonly representation: string
  /** RFC 3339. */
  readonly time?: string
  /** How many entries match, on all pages; null when that is not known. */
  readonly matching?: number | null
  readonly hasMore?: boolean
  readonly warnings?: readonly string[]
}

/** Writes a document with data. */
export function dataDocument(data: Json, answered: Answered, more: JsonObject = {}): JsonObject {
  return { data, meta: metaOf(answered), ...more }
}

/** Writes a document with one error; `parameter` is the part of the URL that has to be mended. */
export function errorDocument(
  error: { readonly status: number; readonly code: number; readonly title: string; readonly detail: string },
  parameter: string | null,
  answered: Answered,
): JsonObject {
  const { status, code, title, detail } = error
  const source = parameter === null ? {} : { source: { parameter } }
  const errors = [{ status: String(status), code: `_${PROVIDER_PREFIX}_${code}`, title, detail, ...source }]
  return { errors, meta: metaOf(answered) }
}

function metaOf({ representation, time, matching, hasMore = false, warnings = [] }: Answered): JsonObject {
  return {
    query: { representation },
    api_version: OPTIMADE_VERSION,
    more_data_available: hasMore,
    ...(time === undefined ? {} : { time_stamp: time }),
    ...(matching === null || matching === undefined ? {} : { data_returned: matching }),
    provider: PROVIDER,
    implementation: { name: 'Quarry' },
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(warningOf) }),
  }
}

function warningOf(detail: string): JsonObject {
  return { type: 'warning', detail }
}
