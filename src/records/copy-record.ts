import { assertMayWrite, type Session } from '../accounts/session.ts'
import { type CreatedRecord, createFrom } from './create-record.ts'
import type { RecordDeps } from './deps.ts'
import { getRecord } from './get-record.ts'
import { changeNote } from './history/change-note.ts'
import { assertMatches, type WriteOptions } from './own-record.ts'
import { memberAccount } from './owner.ts'
import type { RecordKind } from './record-kind.ts'

/** What to copy from where, and to whom. */
export interface CopyOptions extends WriteOptions {
  /** The account of the copy; the session's when left out. */
  readonly accountId?: string
  /** The kind to read from, when it is another than that of the copy: the bank's. */
  readonly from?: RecordKind
}

/** Fields that are the original's alone. A copy of a set is a set without members. */
const NOT_COPIED = ['isPublic', 'sharedCount', 'inSet', 'nextIndex', 'createdBy', 'updatedBy', 'creatorAccount']

/** Stores a private copy of a record that the session can see in an account of the user. */
export async function copyRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  { accountId, from = kind, ...options }: CopyOptions = {},
): Promise<CreatedRecord> {
  assertMayWrite(session)
  const original = await getRecord(deps, from, session, id)
  assertMatches(from, original, options)
  const account = await memberAccount(deps, session, accountId, 'accountId')
  const note = changeNote(deps, session, 'copy', { of: { _id: id, collection: from.collection } })
  const shape = { leaveOut: NOT_COPIED, overrides: { owner: { _id: account.id } } }
  return createFrom(deps, kind, session, { stored: original.text }, shape, { note })
}
