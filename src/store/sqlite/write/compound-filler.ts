import { fieldsOf } from '../compound/compound-index.ts'
import type { CompoundRow } from '../compound/compound-rows.ts'
import type { Connection } from '../database.ts'
import { partReader } from '../read/part-reader.ts'
import { createReader } from '../read/reader.ts'
import { EVERY_SCOPE } from '../scopes.ts'
import type { CompoundWriter, KeptIndex } from './compound-writer.ts'
import { documentLeaves } from './document-leaves.ts'
import type { NameNumbers } from './name-numbers.ts'

const RECORDS_AT_ONCE = 100
/** The rows of so many records are written together: in order, so that a page of the index is written once for many records. */
const GATHERED_RECORDS = 25_000

/** What records have in an index, not written yet. Other writers may change records meanwhile. */
interface Gathered {
  readonly number: number
  /** Of records after this one, */
  readonly from: number
  /** up to this one. */
  to: number
  /** How many commits there had been when it was begun. */
  readonly changes: number | undefined
  readonly records: Map<number, { readonly version: number; readonly rows: readonly CompoundRow[] }>
}

interface RecordHead {
  readonly n: number
  readonly collection: number
  readonly scope: number
  readonly version: number
}

/** Goes on filling an index until about `end`, within a write transaction. */
export type FillCompound = (index: KeptIndex, end: number) => void

/**
 * Prepares the statements. Rows are gathered over several transactions, which hinders nobody, and written in one; what was changed
 * in between is gathered again.
 */
export function compoundFiller(connection: Connection, numbers: NameNumbers, compounds: CompoundWriter): FillCompound {
  const nextRecords = connection.prepare<[number], RecordHead>(
    `SELECT n, collection, scope, version FROM record WHERE n > ? ORDER BY n LIMIT ${RECORDS_AT_ONCE}`,
  )
  const recordsBetween = connection.prepare<[number, number, number], RecordHead>(
    'SELECT n, collection, scope, version FROM record WHERE n > ? AND n <= ? AND collection = ? ORDER BY n',
  )
  const findChanges = connection.prepare<[number], number>('SELECT changes FROM change_counter WHERE scope = ?').pluck()
  const advance = connection.prepare(
    "UPDATE compound SET built_to = ?, state = ? WHERE number = ? AND state = 'building'",
  )
  const reader = createReader(connection)
  let gathered: Gathered | null = null

  /** Reads of a record only the fields that decide where it stands. */
  function rowsReader(index: KeptIndex): (record: RecordHead) => readonly CompoundRow[] {
    const partOf = partReader(reader, fieldsOf(index), () => {})
    const numberOf = (path: string): number => numbers.path(index.collection, path)
    return ({ n, scope }) => {
      const document = partOf(n)
      return compounds.rowsFor(index, { n, scope, document, leaves: documentLeaves(document, numberOf) })
    }
  }

  /** Another process may have gone further, or begun anew. */
  function gatheredOf({ number, builtTo }: KeptIndex): Gathered {
    if (gathered?.number === number && gathered.from === builtTo) return gathered
    return { number, from: builtTo, to: builtTo, changes: findChanges.get(EVERY_SCOPE), records: new Map() }
  }

  function currentRows(index: KeptIndex, { from, to, changes, records }: Gathered): readonly CompoundRow[] {
    if (changes === findChanges.get(EVERY_SCOPE)) return [...records.values()].flatMap(({ rows }) => rows)
    const rowsOf = rowsReader(index)
    return recordsBetween.all(from, to, index.collection).flatMap((record) => {
      const known = records.get(record.n)
      return known?.version === record.version ? known.rows : rowsOf(record)
    })
  }

  function write(index: KeptIndex, part: Gathered, state: 'building' | 'ready'): void {
    const rows = currentRows(index, part)
    // An index that was found unsuitable meanwhile stays that.
    if (!compounds.kept(index.collection).some(({ number }) => number === index.number)) return
    compounds.write(rows)
    advance.run(part.to, state, index.number)
    compounds.forget()
  }

  return (index, end) => {
    const part = gatheredOf(index)
    const rowsOf = rowsReader(index)
    let isLast = false
    do {
      const records = nextRecords.all(part.to)
      for (const record of records) {
        if (record.collection !== index.collection) continue
        part.records.set(record.n, { version: record.version, rows: rowsOf(record) })
      }
      part.to = records.at(-1)?.n ?? part.to
      isLast = records.length < RECORDS_AT_ONCE
    } while (!isLast && part.records.size < GATHERED_RECORDS && performance.now() < end)
    const isFull = isLast || part.records.size >= GATHERED_RECORDS
    if (isFull) write(index, part, isLast ? 'ready' : 'building')
    gathered = isFull ? null : part
  }
}
