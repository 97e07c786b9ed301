import { exportRecords } from '../../../records/export-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { listWarnings } from '../../../records/warnings/list-warnings.ts'
import { splitTarget } from '../../address.ts'
import { holdPlace } from '../../bounds/held.ts'
import { exportQuery } from '../../openapi/list-parameters.ts'
import { TEXT } from '../../openapi/schemas.ts'
import { LINES_TYPE } from '../../plugins/body-parsers.ts'
import { readExportRequest } from '../../request/export-request.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { readParameters } from '../../request/parameters.ts'
import { packingOf, sendLines } from '../../response/send-lines.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

/** All records of a kind that match, however many. */
export function exportRecordsRoute({ records }: HttpServices, settings: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many } = namesOf(kind)
  return {
    method: 'GET',
    path: `${path}/export`,
    access: 'session',
    answersHead: false,
    operation: {
      id: `export${Many}`,
      tag,
      summary: `Read all ${many} that match, however many`,
      description:
        'As NDJSON, which an import takes. Each record comes once, as it is when its turn comes; what is added meanwhile is not in it.',
      query: exportQuery(kind),
      success: { status: 200, description: 'A record a line.', schema: TEXT, types: [LINES_TYPE, 'application/gzip'] },
      failures: [],
    },
    handler: async (request, reply) => {
      const parameters = new Map(readParameters(splitTarget(request.url).query))
      const packing = packingOf(request, parameters)
      parameters.delete('gzip')
      const asked = readExportRequest(parameters, settings, kind)
      const session = sessionOf(request)
      holdPlace('exports', reply)
      const lines = exportRecords(records, kind, session, asked)
      const warnings = (isEmpty: boolean) => listWarnings(records.store, kind, session.scope, asked, isEmpty)
      return sendLines(reply, { name: many, packing, lines, warnings })
    },
  }
}
