import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { guideOf } from '../../records/warnings/field-guide.ts'
import { API_PREFIX } from '../address.ts'
import { JSON_TYPE, jsonResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { schemaName } from '../openapi/document.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { assertNoParameters } from '../request/parameters.ts'
import { type PageFile, pageFile, pageFileResponse } from '../response/page-file.ts'

/** A server is reached under few addresses; clients choose what they say. */
const MOST_BASES = 4

/** Serves the description of the API, compressed where its reader takes that; `describe` is asked once all routes are known. */
export function openApiRoute(describe: () => string): Route {
  let text: string | undefined
  const files = new BoundedCache<PageFile>({ most: MOST_BASES })
  const fileAt = (base: string): PageFile => {
    text ??= describe()
    const file = files.get(base) ?? pageFile(JSON_TYPE, Buffer.from(withServer(text, base)))
    files.set(base, file)
    return file
  }
  return {
    method: 'GET',
    path: `${API_PREFIX}/openapi.json`,
    aliases: [`${API_PREFIX}/swagger.json`, '/openapi.json', '/swagger.json'],
    access: 'guest',
    operation: {
      id: 'showDescription',
      tag: 'Server',
      summary: 'The description of this API in OpenAPI 3.1',
      success: { description: 'The document itself, without an envelope.', schema: { type: 'object' }, isPlain: true },
    },
    handler: (context) => pageFileResponse(context, fileAt(context.base)),
  }
}

/** Says where the addresses of the description begin: where this client has found it. */
function withServer(text: string, base: string): string {
  return `{"servers":${JSON.stringify([{ url: base === '' ? '/' : base }])},${text.slice(1)}`
}

/** Serves the JSON Schema of a kind as a plain document, since it is validators that load it. */
export function schemaRoute(kind: RecordKind): Route {
  const text = JSON.stringify(kind.schema)
  return {
    method: 'GET',
    path: `${API_PREFIX}/schemas/${kind.name}`,
    aliases: [`/schemas/${kind.name}`],
    access: 'guest',
    operation: {
      id: `show${schemaName(kind)}Schema`,
      tag: 'Server',
      summary: `The JSON Schema (draft-07) that a ${kind.name} follows`,
      success: { description: 'The schema itself, without an envelope.', schema: { type: 'object' }, isPlain: true },
    },
    handler: (_context) => jsonResponse(200, text),
  }
}

function schemaOf(kind: RecordKind): JsonObject {
  const { name, collection, schema, derivedFields = [] } = kind
  const { documented, noteOf } = guideOf(kind)
  const units = Array.from(documented, (path) => [path, noteOf(path)?.unit ?? null] as const)
  return {
    name,
    collection,
    // Of a list of the client’s the server computes some items.
    computed: derivedFields.filter((field) => !Object.hasOwn((schema['properties'] ?? {}) as JsonObject, field)),
    units: Object.fromEntries(units.filter(([, unit]) => unit !== null)),
    schema,
  }
}

/** Lists the kinds of records that the server has, with all that a page needs to show and to edit any of them. */
export function schemasRoute(kinds: readonly RecordKind[]): Route {
  const data = kinds.map(schemaOf)
  const file = pageFile(JSON_TYPE, Buffer.from(JSON.stringify({ status: 'success', data })))
  return {
    method: 'GET',
    path: `${API_PREFIX}/schemas`,
    access: 'guest',
    operation: {
      id: 'listSchemas',
      tag: 'Server',
      summary: 'The kinds of records that there are, with their schemas',
      success: {
        description: 'Of each kind its names, its schema, the fields that the server computes, and units by paths.',
        schema: listOf(
          object({
            name: TEXT,
            collection: TEXT,
            computed: listOf(TEXT),
            units: { type: 'object' },
            schema: { type: 'object' },
          }),
        ),
      },
    },
    handler: (context) => {
      assertNoParameters(context)
      return pageFileResponse(context, file)
    },
  }
}
