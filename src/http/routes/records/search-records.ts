import type { Warning } from '../../../kernel/warnings.ts'
import { explainRecords } from '../../../records/explain-records.ts'
import { listRecords } from '../../../records/list-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { isWithoutMatches, listWarnings } from '../../../records/warnings/list-warnings.ts'
import { PROJECTION, QUERY } from '../../openapi/list-parameters.ts'
import { listOf, object } from '../../openapi/schemas.ts'
import { invalidField, queryBodyLimit, readFields } from '../../request/body.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { assertNoParameters } from '../../request/known-parameters.ts'
import { listRequestOf } from '../../request/list-request.ts'
import { sendPage } from '../../response/page.ts'
import { sendWarned } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

export function searchRecordsRoute({ records }: HttpServices, { bounds }: HttpSettings, kind: RecordKind): Route {
  const { path, tag, many, Many, schema } = namesOf(kind)
  return {
    method: 'POST',
    path: `${path}/search`,
    access: 'session',
    bodyLimit: queryBodyLimit(bounds),
    operation: {
      id: `search${Many}`,
      tag,
      summary: `List the ${many} that match, with the query in the body`,
      description:
        'The same list action, for queries that are too long for a URL. With explain, tells how the query was run ' +
        'instead of what it found: the plan, the conditions that the index answered, how many candidates there were, ' +
        'how many documents were checked again, and the milliseconds of each station.',
      body: {
        schema: object({ query: QUERY, projection: PROJECTION, explain: { type: 'boolean', default: false } }, [
          'query',
          'projection',
          'explain',
        ]),
        example: { query: { formula: 'Si' }, projection: { sort: { name: 1 }, limit: 10 } },
        required: false,
      },
      success: {
        status: 200,
        description: `The ${many}, whole or as fields asks.`,
        schema: listOf(schema),
        warns: true,
      },
      failures: [],
    },
    handler: async (request, reply) => {
      assertNoParameters(request)
      const { query, projection, explain = false } = readFields(request, ['query', 'projection', 'explain'])
      if (typeof explain !== 'boolean') throw invalidField('explain', 'true or false')
      const listed = listRequestOf(query, projection, bounds)
      const session = sessionOf(request)
      const warningsOn = (count: number): readonly Warning[] =>
        listWarnings(records.store, kind, session.scope, listed, isWithoutMatches(listed, count))
      if (explain) {
        const explained = await explainRecords(records, kind, session, listed)
        return sendWarned(reply, explained, warningsOn(explained.count))
      }
      const page = await listRecords(records, kind, session, listed)
      return sendPage(reply, page, warningsOn(page.count))
    },
  }
}
