import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { AttachedFile } from '../attached-files.ts'
import { RECORD_ERRORS } from '../errors.ts'

// Records with their files, as a folder or an archive has them: `materials.ndjson`, `jobs.ndjson`, …, `files/COLLECTION/ID/NAME`, and the manifest.

/** Name of the manifest, which is written last. */
export const MANIFEST = 'quarry-export.json'
/** Name of the list of files that could not be exported. */
export const NOT_EXPORTED = 'not-exported.txt'

const FORMAT = 'quarry-export'
const VERSION = 1

/** A file of records of one kind, a record a line. */
export type RecordsFile = {
  readonly file: string
  readonly collection: string
  readonly count: number
}

/** Table of contents of an export. */
export type ExportManifest = {
  /** In the order in which they can be imported: what others name comes first. */
  readonly records: readonly RecordsFile[]
  readonly files: { readonly count: number; readonly bytes: number }
  /** Sentences that name what of the files is missing or damaged. */
  readonly faults: readonly string[]
}

/** A record whose files are exported. */
export interface FilesOwner {
  readonly collection: string
  readonly id: string
}

/** Place of a file of a record in an export. */
export function placeOfFile({ collection, id }: FilesOwner, { name }: Pick<AttachedFile, 'name'>): string {
  return `files/${collection}/${id}/${name}`
}

export function manifestText({ records, files, faults }: ExportManifest): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, records, files, faults }, null, 2)}\n`
}

/** Reads a manifest; refuses one of another format, or of a later version. */
export function readManifest(text: string): ExportManifest {
  const manifest = parsed(text)
  if (ownField(manifest, 'format') !== FORMAT) throw noExport('it is none')
  if (ownField(manifest, 'version') !== VERSION) throw noExport('it is of a version that is not known here')
  const records = ownField(manifest, 'records')
  const files = isJsonArray(records) ? records.flatMap(recordsFile) : []
  if (!isJsonArray(records) || files.length < records.length)
    throw noExport('its records are not listed as they should be')
  const faults = ownField(manifest, 'faults')
  return { records: files, files: { count: 0, bytes: 0 }, faults: isJsonArray(faults) ? faults.map(String) : [] }
}

function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function recordsFile(value: Json): readonly RecordsFile[] {
  if (!isJsonObject(value)) return []
  const { file, collection, count } = value
  if (typeof file !== 'string' || !/^[a-z0-9-]+\.ndjson$/.test(file) || typeof collection !== 'string') return []
  return [{ file, collection, count: Number(count) }]
}

function noExport(why: string): AppError {
  return new AppError(RECORD_ERRORS.unreadableArchive, `${MANIFEST} is no list of an export: ${why}.`, {
    hint: 'Export once more.',
  })
}
