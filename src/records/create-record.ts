import { assertMayWrite } from '../accounts/permissions.ts'
import type { Session } from '../accounts/session.ts'
import { isoInstant } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { type JsonObject, ownField } from '../kernel/json.ts'
import type { AccountRow } from '../store/port/account-store.ts'
import type { Change, StoredRecord } from '../store/port/record-store.ts'
import { applyChange } from './apply-change.ts'
import { type CompleteRecord, completeRecord, type ServerFields } from './complete-record.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import { findDuplicates, type OnDuplicate } from './find-duplicates.ts'
import { writeConflict } from './own-record.ts'
import { referenceTo, resolveOwner } from './owner.ts'
import type { RecordKind } from './record-kind.ts'
import { formOf } from './sets/entity-set.ts'
import { validateRecord } from './validate-record.ts'

/** A taken id of 17 random characters is next to impossible; more than one means that something else is wrong. */
const ID_ATTEMPTS = 3

/** Of what clients send back of another record, what says nothing about the new one. */
const STATE = ['inSet', 'nextIndex', 'duplicates', 'sharedCount']

/** How to create a record. */
export interface CreateOptions {
  /** What to do when the account has the content already; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
  /** What the history tells of the creation, beyond who and when. */
  readonly note?: string
  /** The record that this one is made from, as the server has it. */
  readonly original?: JsonObject
}

/** A record that was asked for, with the ids of those of the account that have the same content. */
export interface CreatedRecord extends StoredRecord {
  readonly duplicates: readonly string[]
  /** False when it was there before and nothing was stored. */
  readonly isNew: boolean
}

/** Stores a new record under a new id. Clients send whole records back, so fields that the server owns are overwritten. */
export async function createRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  given: JsonObject,
  { onDuplicate = 'create', note, original }: CreateOptions = {},
): Promise<CreatedRecord> {
  assertMayWrite(session)
  const document = withoutState(given)
  const form = formOf(kind, document)
  validateRecord(form, document, deps.limits)
  const owner = await resolveOwner(deps, session, ownField(document, 'owner'))
  const server = newServerFields(deps, session, owner)
  const complete = await completeRecord(form, document, server, { ...deps, stored: original })
  const duplicates = await findDuplicates(deps, form, owner.id, complete.document)
  const [oldest] = duplicates
  if (oldest !== undefined && onDuplicate === 'fail') throw duplicateRefusal(kind, duplicates)
  if (oldest !== undefined && onDuplicate === 'return') {
    const scope = { kind: 'account', accountId: owner.id } as const
    const present = await deps.store.read(kind.collection, scope, oldest)
    if (present !== null) return { ...present, duplicates, isNew: false }
  }
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt++) {
    const { id, text } = attempt === 0 ? { id: server._id, text: complete.text } : renamed(complete, newId(deps.random))
    const record = { id, accountId: owner.id, isPublic: complete.isPublic, text }
    const insert: Change = {
      action: 'insert',
      collection: kind.collection,
      ...record,
      ...(note === undefined ? {} : { note }),
    }
    const result = await applyChange(deps, kind, insert, { before: null, after: record })
    if (result.outcome === 'done')
      return { ...record, serial: result.serial, version: result.version, duplicates, isNew: true }
    if (result.outcome === 'changed') throw writeConflict(kind)
  }
  throw new AppError(RECORD_ERRORS.idTaken, `No free identifier was found for the ${kind.name}.`, {
    hint: 'Send the request again.',
  })
}

function withoutState(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !STATE.includes(field)))
}

function newServerFields(deps: RecordDeps, session: Session, owner: AccountRow): ServerFields {
  const now = isoInstant(deps.clock())
  return {
    _id: newId(deps.random),
    isDefault: false,
    owner: referenceTo(owner, 'Account'),
    creator: referenceTo(session.user, 'User'),
    createdAt: now,
    updatedAt: now,
  }
}

function renamed({ document }: CompleteRecord, id: string): { readonly id: string; readonly text: string } {
  return { id, text: JSON.stringify({ ...document, _id: id }) }
}

/** The refusal of a record whose content the account has already. */
export function duplicateRefusal(kind: RecordKind, duplicates: readonly string[]): AppError {
  return new AppError(
    RECORD_ERRORS.duplicate,
    `The account has this ${kind.name} already: ${duplicates[0]}. Nothing was stored.`,
    { path: 'onDuplicate', hint: 'onDuplicate=return answers with it, onDuplicate=create stores another.', duplicates },
  )
}
