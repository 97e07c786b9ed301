import type { Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { parseFilter } from '../../query/parse/parse-filter.ts'
import { planQuery } from '../../query/plan/plan-query.ts'
import type { Change } from '../../store/port/record-store.ts'
import { addressOf } from '../address-of.ts'
import type { RecordDeps } from '../deps.ts'
import { noteOfChange } from '../history/change-note.ts'
import type { RecordKind } from '../record-kind.ts'
import { withoutMembership } from './memberships.ts'

/** Members that leave a set in one transaction. */
export const LEAVING_TOGETHER = 500

/** Makes the changes by which up to `LEAVING_TOGETHER` members leave a set of the session's account. */
export async function leavingChanges(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  setId: string,
): Promise<readonly Change[]> {
  const filter = parseFilter({ 'inSet._id': setId, 'owner._id': session.account.id })
  const request = { filter, sort: [], fields: null, skip: 0, limit: LEAVING_TOGETHER }
  const page = await deps.store.find(planQuery(request, kind.collection, session.scope), { user: session.user.id })
  const members = JSON.parse(page.documents.toString()) as readonly { readonly _id: string }[]
  const changes = await Promise.all(members.map(({ _id }) => leavingChange(deps, kind, session, setId, _id)))
  return changes.filter((change) => change !== null)
}

async function leavingChange(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  setId: string,
  id: string,
): Promise<Change | null> {
  const record = await deps.store.read(kind.collection, session.scope, id)
  if (record === null) return null
  const before = await deps.work.pick(session.user.id, record.text, ['inSet'])
  const after = { inSet: withoutMembership(before, setId), updatedAt: isoInstant(deps.clock()) }
  return {
    action: 'replace',
    ...addressOf(kind.collection, record),
    isPublic: record.isPublic,
    text: await deps.work.put(session.user.id, record.text, after),
    note: noteOfChange(deps, session, 'move-to-set', before, after),
  }
}
