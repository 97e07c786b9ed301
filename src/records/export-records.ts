import type { Session } from '../accounts/session.ts'
import type { ListRequest } from '../query/ast/list-request.ts'
import { planQuery } from '../query/plan/plan-query.ts'
import type { RecordDeps } from './deps.ts'
import type { RecordKind } from './record-kind.ts'

/** Streams all records that the session can see and the request's filter matches, as NDJSON; its limit does not matter. */
export function exportRecords(
  deps: Pick<RecordDeps, 'store'>,
  kind: RecordKind,
  session: Pick<Session, 'scope'> & Partial<Pick<Session, 'user'>>,
  request: ListRequest,
): AsyncIterable<Buffer> {
  const terms = session.user === undefined ? undefined : { user: session.user.id }
  return deps.store.stream(planQuery(request, kind.collection, session.scope), terms)
}
