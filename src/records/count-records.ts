import type { Session } from '../accounts/session.ts'
import type { ListRequest } from '../query/ast/list-request.ts'
import { planQuery } from '../query/plan/plan-query.ts'
import type { RecordDeps } from './deps.ts'
import type { RecordKind } from './record-kind.ts'
import { ensureStarter } from './starter-record.ts'

/** Counts the records that the session can see and the request's filter matches; skip and limit do not matter. */
export async function countRecords(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  request: ListRequest,
): Promise<number> {
  await ensureStarter(deps, kind, session, session.account)
  return deps.store.count(planQuery(request, kind.collection, session.scope))
}
