import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import { isoInstant } from '../kernel/clock.ts'
import { equalJson } from '../kernel/equal-json.ts'
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
  /** Refuses an outcome that is not what was asked for. */
  readonly check?: (outcome: RewriteOutcome) => void
}

/** A rewrite that is about to be stored. */
export interface RewriteOutcome {
  /** The kind of the record, or of a set of its kind. */
  readonly form: RecordKind
  readonly before: JsonObject
  /** What was asked for. */
  readonly edited: JsonObject
  /** What it comes to, with what the server computes. */
  readonly after: JsonObject
}

/**
 * Rewrites a record of the session's account; the outcome is validated and its computed fields are computed anew. An outcome that is
 * what the record is already is no version: nothing is written, and the record keeps its tag and its time.
 */
export async function rewriteRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  id: string,
  { action, details = {}, edit, check }: Rewrite,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  assertMayWrite(session)
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
    const current = await readOwnRecord(deps, kind, session, id, options)
    const before = JSON.parse(current.text) as JsonObject
    const edited = await edit(before, current)
    if (edited === null || equalJson(before, edited)) return current
    const form = formOf(kind, before)
    validateRecord(form, edited, deps.limits)
    const server = serverFields(deps, before)
    const { text, isPublic, document } = await completeRecord(form, edited, server, { ...deps, stored: before })
    check?.({ form, before, edited, after: document })
    if (isSameRecord(before, document)) return current
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

/** Tells whether two versions of a record say the same, but for when they were written. */
function isSameRecord(one: JsonObject, other: JsonObject): boolean {
  return equalJson({ ...one, updatedAt: null }, { ...other, updatedAt: null })
}

/** What the server alone writes and no rewrite changes, but for the time. */
export function serverFields(deps: Pick<RecordDeps, 'clock'>, before: JsonObject): ServerFields {
  const kept = ['_id', 'owner', 'creator', 'createdAt', 'isDefault'].map((field) => [
    field,
    ownField(before, field) ?? null,
  ])
  return { ...Object.fromEntries(kept), updatedAt: isoInstant(deps.clock()) } as ServerFields
}
