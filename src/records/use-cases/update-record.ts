import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { type ClientBytes, isClientBytes } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { remedied } from '../../page/remedies.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import type { ChangeAction } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { addressOf, named } from '../ids.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection } from '../work/deps.ts'
import type { Edit, RevisedRecord, RevisionInput } from '../work/revision.ts'
import type { Step } from '../work/step.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './change.ts'
import { recordNotFound } from './read-records.ts'
import type { CheckTerms } from './write.ts'
import { check, commitOne } from './write-record.ts'

/** Whether what would be stored with a warning is refused. */
export type Strictness = Pick<CheckTerms, 'strict'>

/** Rewrite of a record: its action for the history, and the edit. */
export interface Rewrite {
  readonly action: ChangeAction
  readonly details?: JsonObject
  /** May depend on the record as it is; null when nothing is to change. Asked again when another write came in between. */
  readonly edit: Edit | ((current: StoredRecord) => Promise<Edit | null>)
}

/** A record that may have been rewritten, with what its writer should know. */
export type RewrittenRecord = StoredRecord & { readonly warnings?: readonly Warning[] }

/** Rewrites a record of the session's account and computes its fields anew. Without any change nothing is written: tag and time stay. */
export async function rewriteRecord(
  collection: Collection,
  id: string,
  { action, details = {}, edit: given }: Rewrite,
  options: WriteOptions & Strictness = {},
): Promise<RewrittenRecord> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const current = await readOwnRecord(collection, id, options)
    const edit = typeof given === 'function' ? await given(current) : given
    if (edit === null) return current
    const revision = await revisionOf(collection, current, { edit, action, details }, options)
    if (revision === null) return current
    const { step, built, warnings } = revision
    const { isPublic, text } = built
    const rewritten = { ...current, isPublic, text, version: current.version + 1 }
    const told = warnings.length === 0 ? rewritten : { ...rewritten, warnings }
    const result = await commitOne(deps, step, { by: actorOf(session), once: collection.once?.(told) })
    if (result.outcome === 'done') return told
    if (result.outcome === 'missing') throw recordNotFound(kind, id)
    if (result.outcome === 'exists') throw publicIdTaken(kind, id)
  }
  throw writeConflict(kind)
}

/** The version that an edit makes of a record, checked. */
export interface CheckedRevision {
  readonly step: Step
  readonly built: RevisedRecord
  readonly warnings: readonly Warning[]
}

/** Builds and checks the version that an edit makes of a record; null where that is what the record is already. */
export async function revisionOf(
  collection: Collection,
  record: StoredRecord,
  asked: Pick<RevisionInput, 'edit' | 'action' | 'details'>,
  terms: Strictness = {},
): Promise<CheckedRevision | null> {
  const { deps, kind, session } = collection
  const { text, isPublic } = record
  const state = { collection: kind.collection, text, isPublic, user: named(session.user), now: deps.clock() }
  const built = await deps.work.run('revise', session.user.id, { ...state, ...asked })
  if (built === null) return null
  const { accountId } = record
  const { warnings } = await check({
    deps,
    kind,
    session,
    accountId,
    built,
    asNew: null,
    stored: record,
    earlier: [],
    terms,
  })
  const { before, after, warnings: _, ...written } = built
  const change = { action: 'replace', ...addressOf(kind.collection, record), ...written } as const
  return { step: { change, before, after }, built, warnings }
}

/** Ids are unique among the records of an account and among the public ones: what is published may meet another there. */
function publicIdTaken(kind: RecordKind, id: string): AppError {
  const message = `The ${kind.name} cannot be published: there is a public one with the _id ${JSON.stringify(id)} already.`
  return new AppError(RECORD_ERRORS.idTaken, message, {
    path: 'isPublic',
    ...remedied('copyToPublish', { collection: kind.collection }),
  })
}

/** Changes fields of a record of the session's account; the outcome is validated and its computed fields are computed anew. */
export function updateRecord(
  collection: Collection,
  id: string,
  update: ClientBytes | JsonObject,
  options: WriteOptions & Strictness = {},
): Promise<RewrittenRecord> {
  return rewriteRecord(
    collection,
    id,
    { action: 'update', edit: isClientBytes(update) ? { json: update } : { update } },
    options,
  )
}
