import type { Connection } from '../database.ts'
import { damagedRow, isUndamagedRecord, type RecordContent, type Sealed } from '../row-checksum.ts'

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

type Row = Sealed<Omit<RecordContent, 'doc'>> & RecordText

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
  const some = connection.prepare<[string], Row>(
    `SELECT ${COLUMNS.replace('CAST(doc AS BLOB)', `CASE WHEN octet_length(doc) <= ${LARGE_BYTES} THEN CAST(doc AS BLOB) END`)}
     FROM record WHERE n IN (SELECT value FROM json_each(?))`,
  )
  const one = connection.prepare<[number], Row>(`SELECT ${COLUMNS} FROM record WHERE n = ?`)
  return {
    read(numbers) {
      const rows = some.all(JSON.stringify([...numbers]))
      for (const row of rows) if (row.text !== null) assertUndamaged(row, row.text)
      return rows
    },
    readLarge(n) {
      const row = one.get(n)
      if (row === undefined || row.text === null) return null
      assertUndamaged(row, row.text)
      return row.text
    },
  }
}

function assertUndamaged(row: Row, text: Buffer): void {
  if (!isUndamagedRecord(row, text)) throw damagedRow(row.version, row.id)
}
