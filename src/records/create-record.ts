import { actorOf, assertMayWrite, type Session } from '../accounts/session.ts'
import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Warning } from '../kernel/warnings.ts'
import type { AccountRow } from '../store/port/account-store.ts'
import type { Change, StoredRecord } from '../store/port/record-store.ts'
import { applyChange } from './apply-change.ts'
import type { RecordDeps } from './deps.ts'
import { RECORD_ERRORS } from './errors.ts'
import { findDuplicates, type OnDuplicate } from './find-duplicates.ts'
import { writeConflict } from './own-record.ts'
import { memberAccount } from './owner.ts'
import type { RecordKind } from './record-kind.ts'
import { type Strictness, toldWarnings } from './warnings/told-warnings.ts'
import { type DraftSource, type DraftTerms, named, type ReadyRecord } from './work/draft.ts'

/** A taken id of 17 random characters is next to impossible; more than one means that something else is wrong. */
const ID_ATTEMPTS = 3

/** How to create a record. */
export interface CreateOptions extends Strictness {
  /** What to do when the account has the content already; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
  /** What the history tells of the creation, beyond who and when. */
  readonly note?: string
}

/** What the server does to the source of a record. */
export type Shape = Pick<DraftTerms, 'leaveOut' | 'defaults' | 'overrides' | 'format' | 'frame'>

/** A record that was asked for, with the ids of those of the account that have the same content. */
export interface CreatedRecord extends StoredRecord {
  readonly duplicates: readonly string[]
  /** False when it was there before and nothing was stored. */
  readonly isNew: boolean
  readonly warnings: readonly Warning[]
}

/** Stores a new record under a new id. Clients send whole records back, so fields that the server owns are overwritten. */
export function createRecord(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  given: Uint8Array | JsonObject,
  options: CreateOptions = {},
): Promise<CreatedRecord> {
  return createFrom(deps, kind, session, sourceOf(given), {}, options)
}

/** What clients send comes as bytes, what the server makes itself as a document. */
export function sourceOf(given: Uint8Array | JsonObject): DraftSource {
  return given instanceof Uint8Array ? { json: given } : { document: given }
}

/** Stores what is made of a source as a new record. */
export async function createFrom(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  source: DraftSource,
  shape: Shape,
  { onDuplicate = 'create', note, ...strictness }: CreateOptions = {},
): Promise<CreatedRecord> {
  assertMayWrite(session)
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt++) {
    const { ready, owner } = await makeReady(deps, kind, session, source, shape)
    const duplicates = await findDuplicates(deps, kind, owner.id, ready.content)
    const [oldest] = duplicates
    if (oldest !== undefined && onDuplicate === 'fail') throw duplicateRefusal(kind, duplicates)
    if (oldest !== undefined && onDuplicate === 'return') {
      const scope = { kind: 'account', accountId: owner.id } as const
      const present = await deps.store.read(kind.collection, scope, oldest)
      if (present !== null) return { ...present, duplicates, isNew: false, warnings: [] }
    }
    const { collection, id, text, isPublic, contribution: after } = ready
    const warnings = toldWarnings(deps, collection, session.scope, ready.warnings, strictness)
    const record = { id, accountId: owner.id, isPublic, text }
    const insert: Change = { action: 'insert', collection, ...record, ...(note === undefined ? {} : { note }) }
    const result = await applyChange(deps, insert, { before: null, after, by: actorOf(session) })
    if (result.outcome === 'done') {
      return { ...record, serial: result.serial, version: result.version, duplicates, isNew: true, warnings }
    }
    if (result.outcome === 'changed') throw writeConflict(kind)
  }
  throw new AppError(RECORD_ERRORS.idTaken, `No free identifier was found for the ${kind.name}.`, {
    hint: 'Send the request again.',
  })
}

/** The record in the session's account; in another one of the user's, when the source names it. */
async function makeReady(
  deps: RecordDeps,
  kind: RecordKind,
  session: Session,
  source: DraftSource,
  shape: Shape,
): Promise<{ readonly ready: ReadyRecord; readonly owner: AccountRow }> {
  const draft = { source, id: newId(deps.random) }
  const { collection } = kind
  const people = { account: named(session.account), user: named(session.user) }
  const terms: DraftTerms = { ...shape, collection, purpose: 'create', ...people, now: deps.clock() }
  const made = await deps.work.prepareOne(session.user.id, draft, terms)
  if ('ready' in made) return { ready: made.ready, owner: session.account }
  const owner = await memberAccount(deps, session, made.otherAccount, '/owner/_id')
  const again = await deps.work.prepareOne(session.user.id, draft, { ...terms, account: named(owner) })
  if ('ready' in again) return { ready: again.ready, owner }
  throw new Error('a record was made for an account that it does not name')
}

/** The refusal of a record whose content the account has already. */
export function duplicateRefusal(kind: RecordKind, duplicates: readonly string[]): AppError {
  return new AppError(
    RECORD_ERRORS.duplicate,
    `The account has this ${kind.name} already: ${duplicates[0]}. Nothing was stored.`,
    { path: 'onDuplicate', hint: 'onDuplicate=return answers with it, onDuplicate=create stores another.', duplicates },
  )
}
