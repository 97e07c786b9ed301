import { listAndCount } from '../../../records/list-records.ts'
import type { RecordKind } from '../../../records/record-kind.ts'
import { isWithoutMatches, listWarnings } from '../../../records/warnings/list-warnings.ts'
import { splitTarget } from '../../address.ts'
import type { Memory } from '../../fast-lane/memory.ts'
import { listQuery } from '../../openapi/list-parameters.ts'
import { listOf } from '../../openapi/schemas.ts'
import { sessionOf } from '../../request/fastify-request.ts'
import { readListRequest } from '../../request/list-request.ts'
import { besideOf } from '../../response/beside.ts'
import { namesTag } from '../../response/etag.ts'
import { listAnswer, listTag } from '../../response/list-answer.ts'
import { nextPageOf } from '../../response/next-page.ts'
import { sendAnswer, sendNothing } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'
import type { HttpSettings } from '../../settings.ts'
import { namesOf } from './collection.ts'

export function listRecordsRoute(
  { records, edition }: HttpServices,
  settings: HttpSettings,
  { answers, lists }: Memory,
  kind: RecordKind,
): Route {
  const { path, tag, many, Many, schema } = namesOf(kind)
  return {
    method: 'GET',
    path,
    access: 'session',
    operation: {
      id: `list${Many}`,
      tag,
      summary: `List the ${many} that match`,
      description:
        `Of the ${many} of your account and the public ones. Consecutive pages neither repeat nor miss any. ` +
        'A page that is full names the next one in Link and X-Next-Cursor, which costs the same however far in it is.',
      query: listQuery(kind),
      headers: { 'If-None-Match': 'The ETag of the list that you have; the answer is 304 when nothing has changed.' },
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
      const session = sessionOf(request)
      const { scope } = session
      const target = request.url
      const known = request.headers['if-none-match']
      const isKnown = (etag: string) => known !== undefined && namesTag(known, etag)
      const counter = await records.store.readChangeCounter(scope)
      const remembered = answers.get(scope, target, counter)
      if (remembered !== null) {
        if (isKnown(remembered.etag)) return sendNothing(reply, 304, { etag: remembered.etag })
        return sendAnswer(reply, remembered, null)
      }
      const asked = readListRequest(splitTarget(target).query, settings, kind)
      const { listed, counts } = asked
      const etag = listTag({ edition, scope, target, counter, strict: listed.strict === true })
      if (isKnown(etag)) return sendNothing(reply, 304, { etag })
      const { page, total } = await listAndCount(records, kind, session, asked)
      const nextPage = nextPageOf(target, settings.bounds)
      const warnings = listWarnings(records.store, kind, scope, listed, isWithoutMatches(listed, page.count))
      const answer = listAnswer(page, etag, nextPage(page.next), besideOf(warnings, total))
      answers.put(scope, target, counter, answer)
      // The fast lane finds pages and does not count.
      if (!counts && page.report.thread === 'request') lists.put(scope, target, kind, listed, nextPage)
      return sendAnswer(reply, answer, page.report)
    },
  }
}
