import type { Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Change } from '../../store/port/record-store.ts'
import { completeRecord } from '../complete-record.ts'
import type { RecordDeps } from '../deps.ts'
import { referenceTo } from '../owner.ts'
import type { RecordKind } from '../record-kind.ts'
import { formOf } from '../sets/entity-set.ts'
import { validateRecord } from '../validate-record.ts'

export type Insert = Extract<Change, { action: 'insert' }>

/** Makes the insert of a document into the session's account, or refuses the document. */
export async function prepareInsert(
  deps: RecordDeps,
  session: Session,
  kind: RecordKind,
  document: JsonObject,
  { id, createdAt }: { readonly id: string; readonly createdAt?: string | null },
): Promise<Insert> {
  const form = formOf(kind, document)
  validateRecord(form, document, deps.limits)
  const now = isoInstant(deps.clock())
  const server = {
    _id: id,
    isDefault: false,
    owner: referenceTo(session.account, 'Account'),
    creator: referenceTo(session.user, 'User'),
    createdAt: createdAt ?? now,
    updatedAt: now,
  }
  const { text, isPublic } = await completeRecord(form, document, server, deps)
  return { action: 'insert', collection: kind.collection, id, accountId: session.account.id, isPublic, text }
}
