import { AppError } from '../../kernel/errors.ts'
import { type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { remedied } from '../../page/remedies.ts'
import type { RevisionNote, StoredRecord } from '../../store/port/record-store.ts'
import { readNote } from '../change-note.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { Collection } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { readOwnRecord } from './change.ts'
import { recordNotFound } from './read-records.ts'

/** One version of a record: how it came to be. */
export type Revision = JsonObject & { readonly version: number }

/** The versions of a record that are kept, newest first. */
export type History = {
  readonly _id: string
  /** The version that the record is at. */
  readonly version: number
  readonly revisions: readonly Revision[]
  /** Earlier versions that are no longer kept, or never were since they changed nothing but a membership. */
  readonly notKept: number
}

/** Lists what is kept of a record's past. Only the account that it belongs to may know: what is public now was private once. */
export async function getHistory(collection: Collection, id: string): Promise<History> {
  const { deps, kind, session } = collection
  const record = await readOwnRecord(collection, id, {})
  const notes = await deps.store.history(kind.collection, session.scope, id)
  const [newest] = notes ?? []
  if (notes === null || newest === undefined) throw recordNotFound(kind, id)
  const document = await fieldsOf(deps.work, session.user.id, record.text, ['creator', 'createdAt'])
  const revisions = notes.map((note, index) => presentRevision(note, index === notes.length - 1 ? document : null))
  return { _id: id, version: newest.version, revisions, notKept: newest.version - notes.length }
}

/** `created` is the record of its earliest version. That may have another number than 1: what follows from others takes the place of a version. */
function presentRevision({ version, note }: RevisionNote, created: JsonObject | null): Revision {
  const told = readNote(note) ?? (created === null ? { action: 'update', at: null, by: null } : creationOf(created))
  return { version, ...told }
}

/** Creation needs no note: the record itself tells of it, for ever. */
function creationOf(document: JsonObject): JsonObject {
  const creator = ownField(document, 'creator') as JsonObject | undefined
  const by: Json = creator === undefined ? null : { _id: creator._id ?? null, slug: creator.slug ?? null }
  return { action: 'create', at: ownField(document, 'createdAt') ?? null, by }
}

/** Reads a record as it was at one of its versions. */
export async function getRevision(collection: Collection, id: string, version: number): Promise<StoredRecord> {
  const { deps, kind, session } = collection
  const record = await readOwnRecord(collection, id, {})
  if (version === record.version) return record
  const text = await deps.store.readRevision(kind.collection, session.scope, id, version)
  if (text !== null) return { ...record, version, text }
  throw new AppError(
    RECORD_ERRORS.revisionNotFound,
    version > record.version
      ? `There is no version ${version} of the ${kind.name}: it is at version ${record.version}.`
      : `Version ${version} of the ${kind.name} is not kept any more.`,
    { path: 'revision', ...remedied('listVersions', { collection: kind.collection, id }) },
  )
}
