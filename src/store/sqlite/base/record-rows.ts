import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { AppError } from '../../../kernel/errors.ts'
import type { RecordContent, RemovedContent, RevisionContent } from '../../changes/record-tables.ts'
import { DAMAGE_HINT, damageMet, STORE_ERRORS } from '../../errors.ts'
import type { Effort } from '../../segments/effort.ts'
import type { DocumentTexts } from '../../segments/find-records.ts'
import { letGo, TextSlabs } from '../../segments/text-slabs.ts'
import type { Connection } from './database.ts'

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

/** Larger texts are read one by one. */
export const LARGE_BYTES = 64 * 1024

/** A record of which the text may have been left out for its length. */
export interface RecordText {
  readonly n: number
  readonly scope: number
  /** Bytes of the text. */
  readonly length: number
  /** Null for a large one. */
  readonly text: Buffer | null
}

type TextValues = [
  n: number,
  collection: number,
  scope: number,
  owner: number,
  id: string,
  version: number,
  is_default: RecordContent['is_default'],
  note: string | null,
  checksum: number,
  length: number,
  text: Buffer | null,
]

/** Reads the texts of records, each of which is what was written, or refused. */
export interface RecordTexts {
  /** Those of the numbers that there are. */
  read(numbers: Iterable<number>): readonly RecordText[]
  /** A text of whatever length; null when there is no such record. */
  readLarge(n: number): Buffer | null
}

const COLUMNS =
  'n, collection, scope, owner, id, version, is_default, note, checksum, octet_length(doc) AS length, CAST(doc AS BLOB) AS text'

export function recordTexts(connection: Connection): RecordTexts {
  // As values: SQLite's driver takes as long to make objects of rows as to find them.
  const some = connection.prepare<[string], TextValues>(
    `SELECT ${COLUMNS.replace('CAST(doc AS BLOB)', `CASE WHEN octet_length(doc) <= ${LARGE_BYTES} THEN CAST(doc AS BLOB) END`)}
     FROM record WHERE n IN (SELECT value FROM json_each(?))`,
  )
  const one = connection.prepare<[number], TextValues>(`SELECT ${COLUMNS} FROM record WHERE n = ?`)
  some.raw()
  one.raw()
  return {
    read: (numbers) => some.all(JSON.stringify([...numbers])).map(recordTextOf),
    readLarge(n) {
      const values = one.get(n)
      return values === undefined ? null : recordTextOf(values).text
    },
  }
}

/** The text of a row, refused where it is not as it was written. */
function recordTextOf(values: TextValues): RecordText {
  const [n, collection, scope, owner, id, version, is_default, note, checksum, length, text] = values
  const row = { n, collection, scope, owner, id, version, is_default, note, checksum }
  if (text !== null && !isUndamagedRecord(row, text)) throw damagedRow(version, id)
  return { n, scope, length, text }
}

const READ_TOGETHER = 64

/** The texts of records by their numbers, as the bytes that are sent. */
export class RecordTextCache implements DocumentTexts {
  readonly #kept: TextSlabs
  readonly #texts: RecordTexts
  readonly #sum

  constructor(connection: Connection, bytes: number) {
    this.#kept = new TextSlabs(bytes)
    this.#texts = recordTexts(connection)
    this.#sum = connection
      .prepare<[string], number>(
        'SELECT sum(octet_length(doc)) FROM record WHERE n IN (SELECT value FROM json_each(?))',
      )
      .pluck()
  }

  /** Those that are not at hand are read together. */
  *of(numbers: readonly number[], effort: Effort): Generator<Buffer, void> {
    for (let at = 0; at < numbers.length; at += READ_TOGETHER) {
      const some = numbers.slice(at, at + READ_TOGETHER)
      const kept = some.map((n) => this.#kept.get(n))
      const read = this.#readSome(some.filter((_, index) => kept[index] === undefined))
      for (const [index, n] of some.entries()) yield kept[index] ?? this.#textOf(n, read.get(n), effort)
    }
  }

  lengthOf(numbers: readonly number[]): number {
    return this.#sum.get(JSON.stringify(numbers)) ?? 0
  }

  /** The records may have other texts by now. */
  forget(numbers: Float64Array): void {
    letGo(this.#kept, numbers)
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  #readSome(numbers: readonly number[]): ReadonlyMap<number, RecordText> {
    if (numbers.length === 0) return NONE
    return new Map(this.#texts.read(numbers).map((record) => [record.n, record]))
  }

  #textOf(n: number, read: RecordText | undefined, effort: Effort): Buffer {
    const { length, text } = read ?? this.#readSome([n]).get(n) ?? missing(n)
    if (text !== null) {
      this.#kept.set(n, text)
      return text
    }
    effort.assertFits(length, () => length)
    return this.#texts.readLarge(n) ?? missing(n)
  }
}

const NONE: ReadonlyMap<number, RecordText> = new Map()

function missing(n: number): never {
  throw damageMet(`A segment names record ${n}, which does not exist.`)
}
