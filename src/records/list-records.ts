import { type Session, termsOf } from '../accounts/session.ts'
import type { ListRequest } from '../query/ast/list-request.ts'
import { planQuery } from '../query/plan/plan-query.ts'
import type { Page } from '../store/port/record-store.ts'
import { countRecords } from './count-records.ts'
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
  return deps.store.find(planQuery(request, kind.collection, session.scope), termsOf(session))
}

/** What a list asks: a page, and with `counts` the number of all that match. */
export interface AskedList {
  readonly listed: ListRequest
  readonly counts: boolean
}

/** A page, with the number of all records that the list's filter matches where that was asked for. */
export interface CountedPage {
  readonly page: Page
  readonly total: number | null
}

/** Somebody who writes without pause is not waited for any longer. */
const ATTEMPTS = 3

/** Finds a page, and counts what the filter matches in all where that is asked for: of one state of the data. */
export async function listAndCount(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  { listed, counts }: AskedList,
): Promise<CountedPage> {
  if (!counts) return { page: await listRecords(deps, kind, session, listed), total: null }
  const stateNow = () => deps.store.readChangeCounter(session.scope)
  for (let attempt = 1; ; attempt++) {
    const state = await stateNow()
    const page = await listRecords(deps, kind, session, listed)
    const total = totalToldBy(page, listed) ?? (await countRecords(deps, kind, session, listed))
    if (attempt === ATTEMPTS || (await stateNow()) === state) return { page, total }
  }
}

/** The last page by number tells the total by itself, unless it lies behind the end; a cursor does not say how much is before it. */
function totalToldBy({ next, count }: Page, { skip, after = null }: ListRequest): number | null {
  return next === null && after === null && (count > 0 || skip === 0) ? skip + count : null
}
