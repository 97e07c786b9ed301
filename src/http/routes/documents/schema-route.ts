import type { RecordKind } from '../../../records/record-kind.ts'
import { API_PREFIX } from '../../address.ts'
import { schemaName } from '../../openapi/document.ts'
import { sendJson } from '../../response/send.ts'
import type { Route } from '../../route.ts'

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
      success: {
        status: 200,
        description: 'The schema itself, without an envelope.',
        schema: { type: 'object' },
        isPlain: true,
      },
      failures: [],
    },
    handler: (_request, reply) => sendJson(reply, 200, text),
  }
}
