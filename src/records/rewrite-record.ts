import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import { isoInstant } from '../kernel/clock.ts'
import { type JsonObject, ownField } from '../kernel/json.ts'
import type { StoredRecord } from '../store/port/record-store.ts'
import { applyChange } from './apply-change.ts'
import { completeRecord, type ServerFields } from './complete-record.ts'
import type { RecordDeps } from './deps.ts'
import { recordNotFound } from './get-record.ts'
import { type ChangeAction, noteOfChange } from './history/change-note.ts'
import { readOwnRecord, WRITE_ATTEMPTS, type WriteOptions, writeConflict } from './own-record.ts'
import type { RecordKind } from './record-kind.ts'
import { formOf } from './sets/entity-set.ts'
import { validateRecord } from './validate-record.ts'

/** What a rewrite is, for the history. */
export interface Rewrite {
  readonly action: ChangeAction
  readonly details?: JsonObject
  /**
   * Makes the next version of a document, fields of the server aside; null when nothing is to change. Runs again when another write
   * came in between.
   */
  readonly edit: (document: JsonObject, current: StoredRecord) => JsonObject | null | Promise<JsonObject | null>
}

/** Rewrites a record of the session's account; the outcome is validated and its computed fields are computed anew. */
export async function rewriteRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  { action, details = {}, edit }: Rewrite,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const current = await readOwnRecord(deps, kind, session, id, options)
    const before = JSON.parse(current.text) as JsonObject
    const edited = await edit(before, current)
    if (edited === null) return current
    const form = formOf(kind, before)
    validateRecord(form, edited, deps.limits)
    const server = serverFields(deps, before)
    const { text, isPublic, document } = await completeRecord(form, edited, server, { ...deps, stored: before })
    const after = { ...current, isPublic, text }
    const note = noteOfChange(deps, session, action, before, document, details)
    const { collection } = kind
    const result = await applyChange(
      deps,
      kind,
      { action: 'replace', collection, id, expectedVersion: current.version, isPublic, text, note },
      { before: current, after },
    )
    if (result.outcome === 'done') return { ...after, version: result.version }
    if (result.outcome === 'missing') throw recordNotFound(kind, id)
  }
  throw writeConflict(kind)
}

/** What the server alone writes and no rewrite changes, but for the time. */
export function serverFields(deps: Pick<RecordDeps, 'clock'>, before: JsonObject): ServerFields {
  const kept = ['_id', 'owner', 'creator', 'createdAt', 'isDefault'].map((field) => [
    field,
    ownField(before, field) ?? null,
  ])
  return { ...Object.fromEntries(kept), updatedAt: isoInstant(deps.clock()) } as ServerFields
}
