import { type Session, termsOf } from '../accounts/session.ts'
import type { ListRequest } from '../query/ast/list-request.ts'
import { planQuery } from '../query/plan/plan-query.ts'
import type { RecordDeps } from './deps.ts'
import type { RecordKind } from './record-kind.ts'
import { ensureStarter } from './starter-record.ts'

/** Counts the records that the session can see and the request's filter matches; order, fields and page do not matter. */
export async function countRecords(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  request: ListRequest,
): Promise<number> {
  await ensureStarter(deps, kind, session, session.account)
  const counted = { filter: request.filter, sort: [], fields: null, skip: 0, limit: 1 }
  return deps.store.count(planQuery(counted, kind.collection, session.scope), termsOf(session))
}
