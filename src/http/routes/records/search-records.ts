import type { Warning } from '../../../kernel/warnings.ts'
import { explainRecords } from '../../../records/explain-records.ts'
import { listAndCount } from '../../../records/list-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { isWithoutMatches, listWarnings } from '../../../records/warnings/list-warnings.ts'
import { PROJECTION, QUERY } from '../../openapi/list-parameters.ts'
import { listOf, object } from '../../openapi/schemas.ts'
import { queryBodyLimit } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { listRequestOf } from '../../request/list-request.ts'
import { readSearchBody } from '../../request/search-body.ts'
import { STRICT_FIELD } from '../../request/strict.ts'
import { besideOf } from '../../response/beside.ts'
import { sendPage } from '../../response/page.ts'
import { sendWarned } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

const SWITCH = { type: 'boolean', default: false }

export function searchRecordsRoute({ records }: HttpServices, settings: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many, schema } = namesOf(kind)
  return {
    method: 'POST',
    path: `${path}/search`,
    access: 'session',
    bodyLimit: queryBodyLimit(settings.bounds),
    operation: {
      id: `search${Many}`,
      tag,
      summary: `List the ${many} that match, with the query in the body`,
      description:
        'The same list action, for queries that are too long for a URL. With explain, tells how the query was run ' +
        'instead of what it found: how many homes, segments, and records beside segments were asked, how many columns were looked at ' +
        'and had to be read first, how many records were told by columns and by documents, and the milliseconds of each station.',
      body: {
        schema: object({ query: QUERY, projection: PROJECTION, explain: SWITCH, count: SWITCH, strict: STRICT_FIELD }, [
          'query',
          'projection',
          'explain',
          'count',
          'strict',
        ]),
        example: { query: { formula: 'Si' }, projection: { sort: { name: 1 }, limit: 10 } },
        required: false,
      },
      success: {
        status: 200,
        description: `The ${many}, whole or as fields asks.`,
        schema: listOf(schema),
        warns: true,
        counts: true,
      },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const { query, projection, explain, counts, strict } = readSearchBody(request, settings)
      const listed = { ...listRequestOf(query, projection, settings.bounds), strict }
      const session = sessionOf(request)
      const warningsOn = (count: number): readonly Warning[] =>
        listWarnings(records.store, kind, session.scope, listed, isWithoutMatches(listed, count))
      if (explain) {
        const explained = await explainRecords(records, kind, session, listed)
        return sendWarned(reply, explained, warningsOn(explained.count))
      }
      const { page, total } = await listAndCount(records, kind, session, { listed, counts })
      return sendPage(reply, page, besideOf(warningsOn(page.count), total))
    },
  }
}
