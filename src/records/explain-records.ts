import type { Session } from '../accounts/session.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { ListRequest } from '../query/ast/list-request.ts'
import type { RecordDeps } from './deps.ts'
import { listRecords } from './list-records.ts'
import type { RecordKind } from './record-kind.ts'

/** Runs a list and tells how it was run instead of what was found; times are in milliseconds. */
export async function explainRecords(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  request: ListRequest,
): Promise<JsonObject & { readonly count: number }> {
  const { report, count } = await listRecords(deps, kind, session, request)
  const { stations, ...run } = report
  return { count, ...run, stations: { ...stations } }
}
