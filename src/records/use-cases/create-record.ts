import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { AppError, isOf } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type ClientBytes, isClientBytes } from '../../kernel/long-bytes.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { STORE_ERRORS, storageExceeded } from '../../store/errors.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import type { Actor } from '../../store/port/audit.ts'
import type { Change, ChangeResult, StoredRecord } from '../../store/port/record-store.ts'
import { changeNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { NEW_SERIAL } from '../ids.ts'
import type { RecordKind } from '../record-kind.ts'
import { findDuplicates, memberAccount, type OnDuplicate } from '../work/complete-record.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { type DraftSource, type DraftTerms, named, type ReadyRecord } from '../work/draft.ts'
import {
  applyChange,
  assertMatches,
  type Strictness,
  toldWarnings,
  type WriteOptions,
  writeConflict,
} from './change.ts'
import { getRecord } from './read-records.ts'
import { findSameAs, findSameOf, type SameAs, unfinishedSearch } from './same-materials.ts'

/** A taken id of 17 random characters is next to impossible; more than one means that something else is wrong. */
const ID_ATTEMPTS = 3

/** How to create a record. */
export interface CreateOptions extends Strictness {
  /** What to do when the account has the content already; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
  /** Whether the same crystal of the account is answered with in place of being stored once more. */
  readonly skipSame?: boolean
  /** What the history tells of the creation, beyond who and when. */
  readonly note?: string
}

/** What the server does to the source of a record. */
export type Shape = Pick<DraftTerms, 'leaveOut' | 'defaults' | 'overrides' | 'format' | 'frame'>

/** A record that was asked for, with the ids of those of the account that have the same content. */
export interface CreatedRecord extends StoredRecord {
  readonly duplicates: readonly string[]
  /** Those that the session sees and that are the same crystal, whatever is written of it. */
  readonly sameAs: readonly SameAs[]
  /** False when it was there before and nothing was stored. */
  readonly isNew: boolean
  readonly warnings: readonly Warning[]
}

/** Stores a new record under a new id. Clients send whole records back, so fields that the server owns are overwritten. */
export function createRecord(
  collection: Collection,
  given: ClientBytes | JsonObject,
  options: CreateOptions = {},
): Promise<CreatedRecord> {
  return createFrom(collection, sourceOf(given), {}, options)
}

/** What clients send comes as bytes, what the server makes itself as a document. */
export function sourceOf(given: ClientBytes | JsonObject): DraftSource {
  return isClientBytes(given) ? { json: given } : { document: given }
}

/** Stores what is made of a source as a new record. */
export async function createFrom(
  collection: Collection,
  source: DraftSource,
  shape: Shape,
  options: CreateOptions = {},
): Promise<CreatedRecord> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt++) {
    const { ready, owner, present, duplicates, ...beside } = await prepareCreation(collection, source, shape, options)
    if (present !== null) return { ...present, duplicates, isNew: false, warnings: [] }
    const { id, isPublic, text, contribution: after } = ready
    const insert = { ...insertOf(owner.id, ready), ...(options.note === undefined ? {} : { note: options.note }) }
    const record = { id, accountId: owner.id, isPublic, text, serial: NEW_SERIAL, version: 1 }
    const created = { ...record, duplicates, isNew: true, ...beside }
    const once = collection.once?.(created)
    const result = await applyChange(deps, insert, { before: null, after, by: actorOf(session), once })
    if (result.outcome === 'done') return { ...created, serial: result.serial, version: result.version }
    if (result.outcome === 'changed') throw writeConflict(kind)
  }
  throw new AppError(RECORD_ERRORS.idTaken, `No free identifier was found for the ${kind.name}.`, {
    hint: 'Send the request again.',
  })
}

/** A creation up to its write: the record, and what is told beside it. */
interface PreparedCreation extends Pick<CreatedRecord, 'duplicates' | 'sameAs' | 'warnings'> {
  readonly ready: ReadyRecord
  readonly owner: AccountRow
  /** The record that is answered with in its place. */
  readonly present: Present['present']
}

/** Does all of a creation but the write. */
export async function prepareCreation(
  collection: Collection,
  source: DraftSource,
  shape: Shape,
  { onDuplicate = 'create', skipSame = false, note: _, ...strictness }: CreateOptions = {},
): Promise<PreparedCreation> {
  const { deps, kind, session } = collection
  const { ready, owner } = await makeReady(collection, source, shape)
  const duplicates = await findDuplicates(deps, kind, owner.id, ready.content)
  const asked = { onDuplicate, skipSame, duplicates }
  const { present, hasLookedAtAll } = await presentInstead(collection, owner.id, ready, asked)
  const made = { ready, owner, duplicates, present }
  if (present !== null) return { ...made, sameAs: present.sameAs, warnings: [] }
  const { same: sameAs, exact } = await findSameAs(collection, ready)
  const written = { ...strictness, collection: kind.collection, scope: session.scope }
  const warnings = [
    ...(await toldWarnings(deps.store, written, ready.warnings)),
    ...(hasLookedAtAll ? [] : [unfinishedSearch('skipSame')]),
    ...(exact ? [] : [unfinishedSearch('sameAs')]),
  ]
  return { ...made, sameAs, warnings }
}

type Instead = Required<Pick<CreateOptions, 'onDuplicate' | 'skipSame'>> & Pick<CreatedRecord, 'duplicates'>

interface Present {
  /** Null where the record is to be stored. */
  readonly present: (StoredRecord & Pick<CreatedRecord, 'sameAs'>) | null
  /** Whether all that may be the same crystal were compared, where that was asked for. */
  readonly hasLookedAtAll: boolean
}

/** Finds the record of an account that is answered with in place of storing one. */
async function presentInstead(
  { deps, kind, session }: Collection,
  accountId: string,
  ready: ReadyRecord,
  { onDuplicate, skipSame, duplicates }: Instead,
): Promise<Present> {
  const [oldest] = duplicates
  if (oldest !== undefined && onDuplicate === 'fail') throw duplicateRefusal(kind, duplicates)
  const equal = onDuplicate === 'return' ? oldest : undefined
  const isSought = skipSame && equal === undefined
  const found = isSought ? await findSameOf({ deps, session }, accountId, ready) : { same: [], exact: true }
  const sameAs = found.same.slice(0, 1)
  const id = equal ?? sameAs[0]?._id
  const present = id === undefined ? null : await deps.store.read(kind.collection, { kind: 'account', accountId }, id)
  return { present: present && { ...present, sameAs }, hasLookedAtAll: found.exact }
}

/** The record in the session's account; in another one of the user's, when the source names it. */
async function makeReady(
  collection: Collection,
  source: DraftSource,
  shape: Shape,
): Promise<{ readonly ready: ReadyRecord; readonly owner: AccountRow }> {
  const { deps, kind, session } = collection
  const draft = { source, id: newId(deps.random) }
  const people = { account: named(session.account), user: named(session.user) }
  const terms: DraftTerms = { ...shape, collection: kind.collection, purpose: 'create', ...people, now: deps.clock() }
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
  collection: Collection,
  id: string,
  { accountId, from = collection.kind, ...options }: CopyOptions = {},
): Promise<CreatedRecord> {
  const { deps, session } = collection
  assertMayWrite(session)
  const original = await getRecord({ deps, kind: from, session }, id)
  assertMatches(from, original, options)
  const account = await memberAccount(deps, session, accountId, 'accountId')
  const note = changeNote(deps, session, 'copy', { of: { _id: id, collection: from.collection } })
  const shape = { leaveOut: NOT_COPIED, overrides: { owner: { _id: account.id } } }
  return createFrom(collection, { stored: original.text }, shape, { note })
}

/**
 * What became of the insert of one record. `refusal`: the account may have no more. `fault`: the store failed at this one, by a fault of the program. `stop`: the store takes no
 * writes.
 */
export type InsertResult =
  | ChangeResult
  | { readonly refusal: AppError }
  | { readonly fault: Error }
  | { readonly stop: AppError }

/** Whose the records will be, and who stores them; nobody, where the program does it by itself. */
export interface InsertPlace {
  readonly accountId: string
  readonly by: Actor | undefined
}

/**
 * Stores new records, each for itself; public ones together with what they bring to the bank. Results are in the order of the records,
 * when all that was begun has ended: where the store stops in the middle, it is known of each record whether it is there.
 */
export async function insertEach(
  deps: RecordDeps,
  place: InsertPlace,
  records: readonly ReadyRecord[],
): Promise<readonly InsertResult[]> {
  const { accountId, by } = place
  const plain = records.filter(({ contribution }) => contribution === null)
  const written = await insertPlain(deps, place, plain)
  const resultOf = new Map(plain.map((record, index) => [record, written[index]]))
  const results = records.map((record) => {
    const { contribution } = record
    if (contribution === null) return resultOf.get(record) ?? { outcome: 'changed' as const }
    const change = applyChange(deps, insertOf(accountId, record), { before: null, after: contribution, by })
    return change.catch(asFailure)
  })
  return Promise.all(results)
}

async function insertPlain(
  deps: RecordDeps,
  place: InsertPlace,
  records: readonly ReadyRecord[],
): Promise<readonly InsertResult[]> {
  if (records.length === 0) return []
  try {
    const inserts = records.map((record) => insertOf(place.accountId, record))
    return (await deps.store.applyEach(inserts, place.by)).map((result) =>
      result.outcome === 'full' ? { refusal: storageExceeded(result) } : result,
    )
  } catch (error) {
    const failure = asFailure(error)
    if (records.length === 1 || 'stop' in failure) return records.map(() => failure)
    // Which of them was at fault shows when each is written by itself.
    const results: InsertResult[] = []
    for (const record of records) results.push(...(await insertPlain(deps, place, [record])))
    return results
  }
}

function insertOf(accountId: string, { collection, id, isPublic, text, gaveUpMs }: ReadyRecord): Change {
  return { action: 'insert', collection, id, accountId, isPublic, text, gaveUpMs }
}

type Failure = Exclude<InsertResult, ChangeResult>

function asFailure(error: unknown): Failure {
  if (isOf(STORE_ERRORS.storageExceeded, error)) return { refusal: error }
  if (error instanceof AppError) return { stop: error }
  return { fault: error instanceof Error ? error : new Error(String(error)) }
}
