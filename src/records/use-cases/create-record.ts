import { actorOf, assertMayWrite } from '../../accounts/session.ts'
import { type ClientBytes, isClientBytes } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, type JsonObject, ownField } from '../../kernel/json.ts'
import { newId } from '../../kernel/names.ts'
import { type Warning, warning } from '../../kernel/warnings.ts'
import type { AccountRow } from '../../store/port/account-store.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { changeNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { NEW_SERIAL, named } from '../ids.ts'
import type { RecordKind } from '../record-kind.ts'
import { RECORD_WARNINGS } from '../warnings/warnings.ts'
import type { Collection } from '../work/deps.ts'
import type { BuildTerms, NewRecord, RecordSource } from '../work/record-input.ts'
import { buildOne } from '../work/record-threads.ts'
import { assertMatches, memberAccount, type WriteOptions, writeConflict } from './change.ts'
import { useFiles } from './files.ts'
import { getRecord } from './read-records.ts'
import type { CheckTerms, WriteFindings } from './write.ts'
import { check, commitOne, insertOf } from './write-record.ts'

/** A taken id of 17 random characters is next to impossible; more than one means that something else is wrong. */
const ID_ATTEMPTS = 3

/** Options of a creation. */
export interface CreateOptions extends Omit<CheckTerms, 'tellsAll'> {
  /** Note on the creation in the history, beyond who and when. */
  readonly note?: string
}

/** Changes of a record's source by the server. */
export interface SourceShape extends Pick<BuildTerms, 'leaveOut' | 'defaults' | 'overrides' | 'format' | 'frame'> {
  /** Fields of an imported record: its id follows from them and the source, so that it is stored once. Other records get an id of their own. */
  readonly imported?: JsonObject
}

/** A record that was asked for, with what the checks have found. */
export interface CreatedRecord extends StoredRecord, Omit<WriteFindings, 'existing'> {
  /** False when it was there before and nothing was stored. */
  readonly isNew: boolean
}

/** Stores a new record under a new id. Clients send whole records back, so fields that the server owns are overwritten. */
export function createRecord(
  collection: Collection,
  given: ClientBytes | JsonObject,
  options: CreateOptions = {},
): Promise<CreatedRecord> {
  return createFrom(collection, sourceOf(given), {}, options)
}

/** Source of a record: bytes from clients, documents from the server itself. */
export function sourceOf(given: ClientBytes | JsonObject): RecordSource {
  return isClientBytes(given) ? { json: given } : { document: given }
}

/** Stores what is made of a source as a new record. */
export async function createFrom(
  collection: Collection,
  source: RecordSource,
  shape: SourceShape,
  options: CreateOptions = {},
): Promise<CreatedRecord> {
  const { deps, kind, session } = collection
  assertMayWrite(session)
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt++) {
    const { built, owner, findings } = await prepareCreation(collection, source, shape, options)
    const { existing, ...told } = findings
    if (existing !== null) {
      const present = await deps.store.read(kind.collection, { kind: 'account', accountId: owner.id }, existing)
      if (present !== null) return { ...present, ...told, isNew: false, warnings: [] }
      continue
    }
    const { id, isPublic, text, before, after } = built
    const created = { id, accountId: owner.id, isPublic, text, serial: NEW_SERIAL, version: 1, ...told, isNew: true }
    const { note } = options
    const change = { ...insertOf(owner.id, built), ...(note === undefined ? {} : { note }) }
    const terms = { by: actorOf(session), once: collection.once?.(created) }
    const result = await commitOne(deps, { change, before, after }, terms)
    if (result.outcome === 'done') return { ...created, serial: result.serial, version: result.version }
    if (result.outcome === 'changed') throw writeConflict(kind)
    if (shape.imported === undefined) continue
    const present = await deps.store.read(kind.collection, { kind: 'account', accountId: owner.id }, id)
    const warnings = [...told.warnings, ...notApplied(id, shape.imported)]
    if (present !== null) return { ...present, ...toldOf(present, told), isNew: false, warnings }
  }
  throw new AppError(RECORD_ERRORS.idTaken, `No free identifier was found for the ${kind.name}.`, {
    hint: 'Do it once more.',
  })
}

/** Findings about others, beside a record that was there before. */
function toldOf({ id }: StoredRecord, { duplicates, sameAs }: Pick<WriteFindings, 'duplicates' | 'sameAs'>) {
  return { duplicates: duplicates.filter((one) => one !== id), sameAs: sameAs.filter(({ _id }) => _id !== id) }
}

/** Warnings about fields that came with a file that was imported before. */
function notApplied(id: string, imported: JsonObject): readonly Warning[] {
  const fields = ['tags', 'isPublic'].filter((field) => {
    const value = ownField(imported, field) ?? null
    return value !== null && !(isJsonArray(value) && value.length === 0)
  })
  const [path] = fields
  if (path === undefined) return []
  const message = `The file was imported before, as ${id}; ${fields.join(' and ')} did not change that.`
  const hint = 'Change that material, or have the file stored once more.'
  return [warning(RECORD_WARNINGS.importedBefore, path, message, hint)]
}

/** A creation up to its write. */
interface PreparedCreation {
  readonly built: NewRecord
  readonly owner: AccountRow
  readonly findings: WriteFindings
}

/** Does all of a creation but the write. */
export async function prepareCreation(
  collection: Collection,
  source: RecordSource,
  shape: SourceShape,
  { note: _, ...asked }: CreateOptions = {},
): Promise<PreparedCreation> {
  const { built, owner } = await buildFor(collection, source, shape)
  const checked = {
    ...collection,
    accountId: owner.id,
    built,
    asNew: built,
    earlier: [],
    terms: { ...asked, tellsAll: true },
  }
  return { built, owner, findings: await check(checked) }
}

/** The record in the session's account; in another one of the user's, when the source names it. */
async function buildFor(
  collection: Collection,
  source: RecordSource,
  { imported, ...shape }: SourceShape,
): Promise<{ readonly built: NewRecord; readonly owner: AccountRow }> {
  const { deps, kind, session } = collection
  const input = { source, ...(imported === undefined ? { id: newId(deps.random) } : { fields: imported }) }
  const people = { account: named(session.account), user: named(session.user) }
  const terms: BuildTerms = { ...shape, collection: kind.collection, purpose: 'create', ...people, now: deps.clock() }
  const made = await buildOne(deps.work, session.user.id, input, terms)
  if ('built' in made) return { built: made.built, owner: session.account }
  const owner = await memberAccount(deps, session, made.otherAccount, '/owner/_id')
  const again = await buildOne(deps.work, session.user.id, input, { ...terms, account: named(owner) })
  if ('built' in again) return { built: again.built, owner }
  throw new Error('a record was made for an account that it does not name')
}

/** Origin and destination of a copy. */
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
  await useFiles({ deps, kind: from, session }, original)
  const note = changeNote(deps, session, 'copy', { of: { _id: id, collection: from.collection } })
  const madeFrom = [{ _id: id, collection: from.collection, how: 'copy' }]
  const shape = { leaveOut: NOT_COPIED, overrides: { owner: { _id: account.id }, madeFrom } }
  return createFrom(collection, { stored: original.text }, shape, { note })
}
