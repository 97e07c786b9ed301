import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/names.ts'
import { type AttachedFile, assertFileName, filesOf, mediaTypeOfName } from '../attached-files.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { attachFiles, listFiles } from '../use-cases/files.ts'
import { readImported } from '../work/build-record.ts'
import type { Collection, RecordDeps } from '../work/deps.ts'
import type { OpenExport } from './exported.ts'
import { placeOfFile } from './manifest.ts'

/** A record of an export, as far as its files are concerned. */
export interface RecordWithFiles {
  readonly id: string
  readonly files: readonly AttachedFile[]
}

/** Outcome of one file of an export. */
export type FileReport = {
  readonly name: string
  readonly outcome: 'stored' | 'skipped' | 'refused'
  readonly error?: { readonly code: number; readonly message: string; readonly data: object }
}

/** The files that a record of an export lists; null where it has none. */
export function recordWithFiles(json: Uint8Array, { work }: Pick<RecordDeps, 'work'>): RecordWithFiles | null {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  if (!text.includes('"sha256":')) return null
  try {
    const document = readImported(json, work.limits)
    const files = filesOf(document)
    return files.length === 0 ? null : { id: String(document._id), files }
  } catch {
    // Its import is refused with what is wrong with it.
    return null
  }
}

/** The record that an exported one has become. */
interface ImportedRecord {
  readonly collection: Collection
  readonly id: string
}

/** Gives a record that has been imported the files that it had where it was exported, unless it has them. One of another content stays as it is. */
export async function attachExported(
  { collection, id }: ImportedRecord,
  record: RecordWithFiles,
  exported: OpenExport,
): Promise<readonly FileReport[]> {
  if (id !== record.id) return record.files.map((file) => refusedFile(file, ofAnother(file, record, id)))
  const present = new Map((await listFiles(collection, id)).map((file) => [file.name, file]))
  const reports: FileReport[] = []
  const taken: AttachedFile[] = []
  for (const file of record.files) {
    const there = present.get(file.name)
    try {
      if (there?.sha256 === file.sha256) reports.push({ name: file.name, outcome: 'skipped' })
      else if (there !== undefined) throw otherContent(file, record.id)
      else {
        taken.push(await takeFile(collection, record, file, exported))
        reports.push({ name: file.name, outcome: 'stored' })
      }
    } catch (error) {
      reports.push(refusedFile(file, error))
    }
  }
  if (taken.length === 0) return reports
  try {
    await attachFiles(collection, record.id, taken)
    return reports
  } catch (error) {
    return reports.map((report) => (report.outcome === 'stored' ? refusedFile(report, error) : report))
  }
}

async function takeFile(
  { deps, kind }: Collection,
  { id }: RecordWithFiles,
  file: AttachedFile,
  exported: OpenExport,
): Promise<AttachedFile> {
  const { name, createdAt } = file
  assertFileName(name)
  const place = placeOfFile({ collection: kind.collection, id }, file)
  if (!exported.has(place)) throw notInExport(file)
  const upload = newId(deps.random)
  await deps.files.take(upload, 0, exported.read(place))
  const content = await deps.files.keep(upload)
  if (content.sha256 !== file.sha256) throw otherBytes(file)
  return { name, ...content, type: mediaTypeOfName(name), createdAt }
}

function refusedFile({ name }: Pick<AttachedFile, 'name'>, error: unknown): FileReport {
  const refusal = error instanceof AppError ? error : unreadable(name, error)
  if (refusal.status >= 500) throw refusal
  const { spec, message, data } = refusal
  return { name, outcome: 'refused', error: { code: spec.code, message, data } }
}

function unreadable(name: string, error: unknown): AppError {
  const message = `The file ${JSON.stringify(name)} cannot be read to its end: ${(error as Error).message}.`
  return new AppError(RECORD_ERRORS.unreadableArchive, message, { hint: 'Export once more.' }, error)
}

function notInExport({ name }: AttachedFile): AppError {
  return new AppError(RECORD_ERRORS.fileNotFound, `The file ${JSON.stringify(name)} is not in the export.`, {
    hint: 'What could not be exported is named in its quarry-export.json.',
  })
}

function ofAnother({ name }: AttachedFile, record: RecordWithFiles, id: string): AppError {
  const message = `The file ${JSON.stringify(name)} of ${record.id} is not taken: the record ${id} stands in its place.`
  return new AppError(RECORD_ERRORS.otherFile, message, { hint: 'Put it to that record, if it belongs to it.' })
}

function otherBytes({ name }: AttachedFile): AppError {
  const message = `The file ${JSON.stringify(name)} is not what its record says: it has another digest, and is not stored.`
  return new AppError(RECORD_ERRORS.otherDigest, message, { hint: 'Export once more.' })
}

function otherContent({ name }: AttachedFile, id: string): AppError {
  const message = `The record ${id} has another file ${JSON.stringify(name)}, which stays.`
  return new AppError(RECORD_ERRORS.otherFile, message, { hint: 'Remove it first, or rename it.' })
}
