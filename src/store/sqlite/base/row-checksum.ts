import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { AppError } from '../../../kernel/errors.ts'
import type { RecordContent, RemovedContent, RevisionContent } from '../../changes/record-tables.ts'
import { DAMAGE_HINT, STORE_ERRORS } from '../../errors.ts'

/** A row with the checksum beside it. */
export type Sealed<Content> = Content & { readonly checksum: number }

/** Sums up all of a row, its owner too. CRC-32 is against accidents of disk and memory: who can write to the file can write the checksum. */
export function recordChecksum(row: RecordContent): number {
  return checksumOf(`${beforeText(row)}${row.doc}`)
}

/** Tells of a record whose text is at hand as bytes whether it is as it was written. */
export function isUndamagedRecord(row: Sealed<Omit<RecordContent, 'doc'>>, doc: Uint8Array): boolean {
  // Bytes are summed up as they are; only where half a character is among them does the text have other ones.
  if ((crc32(doc, checksumOf(beforeText(row)) >>> 0) | 0) === row.checksum) return true
  return recordChecksum({ ...row, doc: Buffer.from(doc).toString() }) === row.checksum
}

function beforeText({
  n,
  collection,
  scope,
  owner,
  id,
  version,
  is_default,
  note,
}: Omit<RecordContent, 'doc'>): string {
  return `${n} ${collection} ${scope} ${owner} ${version} ${is_default} ${id} ${noteText(note)}\n`
}

export function revisionChecksum({ n, version, doc, note }: RevisionContent): number {
  return checksumOf(`${n} ${version} ${noteText(note)}\n${doc}`)
}

export function removedChecksum(row: RemovedContent): number {
  const { n, collection, owner, id, version, is_public, doc, note, removal } = row
  const notes = `${noteText(note)} ${noteText(removal)}`
  return checksumOf(`${n} ${collection} ${owner} ${version} ${is_public} ${id} ${notes}\n${doc}`)
}

/** Tells whether a row is as it was written. */
export function isUndamaged<Content>(row: Sealed<Content>, checksum: (row: Content) => number): boolean {
  return row.checksum === checksum(row)
}

/** Gives a row back, and refuses one that is not as it was written. */
export function undamaged<Row extends { readonly version: number }>(
  row: Sealed<Row>,
  checksum: (row: Row) => number,
  name: string | number,
): Sealed<Row> {
  if (isUndamaged(row, checksum)) return row
  throw damagedRow(row.version, name)
}

export function damagedRow(version: number, name: string | number): AppError {
  return new AppError(
    STORE_ERRORS.damagedRecord,
    `Version ${version} of the record ${name} is damaged in the storage: it is not what was written.`,
    { hint: DAMAGE_HINT },
  )
}

/** Signed, which SQLite keeps in four bytes. */
function checksumOf(text: string): number {
  return crc32(text.isWellFormed() ? text : text.replace(/\p{Surrogate}/gu, READ_FOR_HALF_A_CHARACTER)) | 0
}

/** Text read back for a lone surrogate: three replacement characters with Node.js 22, one from 24 on. */
const READ_FOR_HALF_A_CHARACTER = readBack('\ud800')

function readBack(text: string): string {
  const database = new Database(':memory:')
  try {
    return database.prepare<[string], string>('SELECT ?').pluck().get(text) ?? ''
  } finally {
    database.close()
  }
}

function noteText(note: string | null): string {
  return note === null ? '-' : `+${note}`
}
