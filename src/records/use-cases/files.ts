import { createHash } from 'node:crypto'
import { assertMayWrite } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { remedied } from '../../page/remedies.ts'
import type { FileContent } from '../../store/port/file-store.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { type AttachedFile, assertFileName, FILES_FIELD, filesOf, mediaTypeOfName } from '../attached-files.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind } from '../record-kind.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { readOwnRecord, type WriteOptions } from './change.ts'
import { getRecord } from './read-records.ts'
import { rewriteRecord } from './update-record.ts'

/** A file of a record, by its name. */
export interface FileAddress {
  readonly id: string
  readonly name: string
}

/** Bytes of a file on their way to a record. */
export interface ArrivingFile extends FileAddress {
  readonly bytes: AsyncIterable<Uint8Array>
  /** At which byte of the file they begin; null for behind all that have arrived. */
  readonly offset: number | null
  /** Bytes of the whole file; null where that is not said: then it ends with these. */
  readonly total: number | null
  /** SHA-256 of the whole file, in hexadecimal digits; null where that is not said. */
  readonly sha256: string | null
}

/** State of a file that arrives: a part of it, or all of it, as the record has it now. */
export type ArrivedFile = { readonly arrived: number } | { readonly record: StoredRecord; readonly file: AttachedFile }

/** Lists the files of a record that the session can see. */
export async function listFiles(collection: Collection, id: string): Promise<readonly AttachedFile[]> {
  return filesOfRecord(collection, await getRecord(collection, id))
}

async function filesOfRecord({ deps, session }: Collection, { text }: StoredRecord): Promise<readonly AttachedFile[]> {
  return filesOf(await fieldsOf(deps.work, session.user.id, text, [FILES_FIELD]))
}

/** Has the contents of a record counted as used: another record is about to name them, whatever becomes of this one meanwhile. */
export async function useFiles(collection: Collection, record: StoredRecord): Promise<void> {
  const files = await filesOfRecord(collection, record)
  const found = await Promise.all(files.map(({ sha256 }) => collection.deps.files.find(sha256)))
  // What is missing may have been removed behind the record.
  if (found.includes(null)) await getRecord(collection, record.id)
}

/** Finds a file of a record that the session can see. */
export async function getFile(collection: Collection, { id, name }: FileAddress): Promise<AttachedFile> {
  const files = await listFiles(collection, id)
  const file = files.find((one) => one.name === name)
  if (file !== undefined) return file
  throw new AppError(
    RECORD_ERRORS.fileNotFound,
    `The ${collection.kind.name} ${id} has no file ${JSON.stringify(name.slice(0, 80))}.`,
    { path: 'name', ...remedied('listFiles', { collection: collection.kind.collection, id }) },
  )
}

/** Bytes that have arrived of a file that is not whole yet. */
export async function arrivedOf(collection: Collection, address: FileAddress): Promise<number> {
  await readOwnRecord(collection, address.id, {})
  return collection.deps.files.arrived(uploadOf(collection, address))
}

/** Takes bytes of a file; when all have arrived, it is one of the record, in the place of one of its name. What breaks off can be gone on with. */
export async function putFile(
  collection: Collection,
  arriving: ArrivingFile,
  options: WriteOptions = {},
): Promise<ArrivedFile> {
  const { deps, session } = collection
  assertMayWrite(session)
  assertFileName(arriving.name)
  await readOwnRecord(collection, arriving.id, options)
  const upload = uploadOf(collection, arriving)
  const arrived = await takePart(deps, upload, arriving)
  if (arriving.total !== null && arrived < arriving.total) return { arrived }
  const content = await keepSound(deps, upload, arriving)
  const { name } = arriving
  const file = { name, ...content, type: mediaTypeOfName(name), createdAt: isoInstant(deps.clock()) }
  return { file, record: await attachFiles(collection, arriving.id, [file], options) }
}

/** A file of a record of an account, of whatever kind. */
export interface UploadAddress extends FileAddress {
  readonly collection: string
  readonly accountId: string
}

/** Name of the upload of a file: of one file, one arrives at a time. */
function uploadNamed({ collection, accountId, id, name }: UploadAddress): string {
  return createHash('sha256')
    .update(JSON.stringify([collection, accountId, id, name]))
    .digest('hex')
}

function uploadOf({ kind, session }: Collection, { id, name }: FileAddress): string {
  return uploadNamed({ collection: kind.collection, accountId: session.account.id, id, name })
}

/** Takes a file whole, for whoever makes it one of its record when it has arrived; gives its bytes. */
export async function takeUpload(
  { files }: Pick<RecordDeps, 'files'>,
  address: UploadAddress,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  return files.take(uploadNamed(address), 0, bytes)
}

/** Takes bytes of an upload where they belong; gives how many have arrived in all. */
export async function takePart(
  { files }: Pick<RecordDeps, 'files'>,
  upload: string,
  { offset, total, bytes }: Pick<ArrivingFile, 'offset' | 'total' | 'bytes'>,
): Promise<number> {
  const arrived = offset === 0 ? 0 : await files.arrived(upload)
  const from = offset ?? arrived
  if (from > arrived) throw uploadGap(from, arrived)
  const size = await files.take(upload, from, bytes)
  if (total === null || size <= total) return size
  await files.drop(upload)
  throw new AppError(RECORD_ERRORS.uploadGap, `The file has ${total} bytes, and ${size} have come.`, {
    hint: 'Send it once more from its beginning.',
  })
}

/** Makes a content of an upload that has arrived; refuses one that is not what its digest says. */
export async function keepSound(
  { files }: Pick<RecordDeps, 'files'>,
  upload: string,
  { name, sha256 }: Pick<ArrivingFile, 'name' | 'sha256'>,
): Promise<FileContent> {
  const content = await files.keep(upload)
  if (sha256 === null || sha256 === content.sha256) return content
  throw new AppError(
    RECORD_ERRORS.otherDigest,
    `What arrived of ${name} is not what its digest says; it is not stored.`,
    {
      path: 'Content-Digest',
      hint: 'Send it once more from its beginning.',
    },
  )
}

function uploadGap(offset: number, arrived: number): AppError {
  return new AppError(RECORD_ERRORS.uploadGap, `Bytes from ${offset} on were sent, and ${arrived} have arrived.`, {
    path: 'Content-Range',
    arrived,
    hint: `Go on with byte ${arrived}.`,
  })
}

/** Gives a record of the session's account files whose contents are stored. */
export async function attachFiles(
  collection: Collection,
  id: string,
  files: readonly AttachedFile[],
  options: WriteOptions = {},
): Promise<StoredRecord> {
  const edit = { files: files.map((put) => ({ put })) }
  return rewriteRecord(collection, id, { action: 'put-file', details: namesIn(files), edit }, options)
}

/** Takes a file from a record of the session's account; earlier versions of the record still have it. */
export async function removeFile(
  collection: Collection,
  { id, name }: FileAddress,
  options: WriteOptions = {},
): Promise<StoredRecord> {
  assertMayWrite(collection.session)
  await getFile(collection, { id, name })
  const edit = { files: [{ remove: name }] }
  return rewriteRecord(collection, id, { action: 'remove-file', details: namesIn([{ name }]), edit }, options)
}

const MOST_NAMED = 20

function namesIn(files: readonly Pick<AttachedFile, 'name'>[]): { readonly files: readonly string[] } {
  return { files: files.slice(0, MOST_NAMED).map(({ name }) => name) }
}

/** Makes a file of a record of an upload that has arrived by a link. */
export async function keepUpload(collection: Collection, address: FileAddress): Promise<AttachedFile> {
  const { deps, kind } = collection
  assertFileName(address.name)
  const upload = uploadOf(collection, address)
  if ((await deps.files.arrived(upload)) === 0) throw notUploaded(kind, address)
  const content = await deps.files.keep(upload)
  return { name: address.name, ...content, type: mediaTypeOfName(address.name), createdAt: isoInstant(deps.clock()) }
}

function notUploaded({ collection }: RecordKind, { id, name }: FileAddress): AppError {
  return new AppError(
    RECORD_ERRORS.fileNotFound,
    `Nothing has been uploaded for the file ${JSON.stringify(name.slice(0, 80))}.`,
    {
      path: 'files',
      ...remedied('putFile', { collection, id }),
    },
  )
}
