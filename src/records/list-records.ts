import type { Session } from '../accounts/session.ts'
import type { ListRequest } from '../query/ast/list-request.ts'
import { planQuery } from '../query/plan/plan-query.ts'
import type { Page } from '../store/port/record-store.ts'
import type { RecordDeps } from './deps.ts'
import type { RecordKind } from './record-kind.ts'
import { ensureStarter } from './starter-record.ts'

/** Finds one page of the records that the session can see and the request asks for. */
export async function listRecords(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  request: ListRequest,
): Promise<Page> {
  await ensureStarter(deps, kind, session, session.account)
  return deps.store.find(planQuery(request, kind.collection, session.scope))
}
