import { type CompoundIndex, compoundReader } from '../compound/compound-index.ts'
import { type CompoundRecord, type CompoundRow, compoundRows, type NumberedShape } from '../compound/compound-rows.ts'
import type { Connection } from '../database.ts'
import type { NameNumbers } from './name-numbers.ts'

/** An index that holds rows, and the number of its path. */
export type KeptIndex = CompoundIndex & NumberedShape

/** Keeps compound indexes true to the records. */
export interface CompoundWriter {
  /** Replaces what a record has in the indexes of its collection; null where it was not there before, or is no more. */
  replace(collection: number, before: CompoundRecord | null, after: CompoundRecord | null): void
  /** What a record has in an index; an index that cannot hold it is given up. */
  rowsFor(index: KeptIndex, record: CompoundRecord): readonly CompoundRow[]
  /** Writes rows at once. */
  write(rows: readonly CompoundRow[]): void
  /** The indexes that hold rows, or are to. */
  kept(collection: number): readonly KeptIndex[]
  /** Writes what was added; what is read after a job, or rolled back with it, must be there. */
  flush(): void
  /** Drops what was added and not written, and what is known of the indexes: any process may change that between commits. */
  forget(): void
}

/**
 * Prepares the statements. Rows of many records are written in the order of the index. An index that cannot hold a record
 * is given up: it must never be taken for whole.
 */
export function compoundWriter(connection: Connection, numbers: NameNumbers): CompoundWriter {
  const readAll = compoundReader(connection)
  const insert = connection.prepare(
    'INSERT INTO compound_row (compound, scope, path_type, value, place, n) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const remove = connection.prepare(
    'DELETE FROM compound_row WHERE compound = ? AND scope = ? AND path_type = ? AND value = ? AND place = ?',
  )
  const giveUp = connection.prepare("UPDATE compound SET state = 'unsuitable', reason = ? WHERE number = ?")
  let known: KeptIndex[] | null = null
  let added: CompoundRow[] = []

  const numbered = (index: CompoundIndex): KeptIndex => {
    return { ...index, pathNumber: index.path === '' ? 0 : numbers.path(index.collection, index.path) }
  }
  const kept = (collection: number): readonly KeptIndex[] => {
    known ??= readAll().filter(isKept).map(numbered)
    return known.filter((index) => index.collection === collection)
  }

  function write(rows: readonly CompoundRow[]): void {
    for (const { compound, scope, pathType, value, place, n } of rows.toSorted(compareRows)) {
      insert.run(compound, scope, pathType, value, place, n)
    }
  }

  function flush(): void {
    const rows = added
    added = []
    write(rows)
  }

  function rowsOf(indexes: readonly KeptIndex[], record: CompoundRecord | null): readonly CompoundRow[] {
    if (record === null) return []
    const { rows, unsuitable } = compoundRows(indexes, record)
    for (const [number, reason] of unsuitable) giveUp.run(reason, number)
    if (unsuitable.size > 0) known = null
    return rows
  }

  return {
    replace(collection, before, after) {
      const n = before?.n ?? after?.n ?? 0
      const indexes = kept(collection).filter(({ state, builtTo }) => state === 'ready' || n <= builtTo)
      if (indexes.length === 0) return
      const old = new Map(rowsOf(indexes, before).map((row) => [nameOf(row), row]))
      if (old.size > 0 && added.length > 0) flush()
      for (const row of rowsOf(indexes, after)) if (!old.delete(nameOf(row))) added.push(row)
      for (const { compound, scope, pathType, value, place } of old.values()) {
        remove.run(compound, scope, pathType, value, place)
      }
    },
    rowsFor: (index, record) => rowsOf([index], record),
    write,
    kept,
    flush,
    forget() {
      known = null
      added = []
    },
  }
}

function isKept({ state }: CompoundIndex): boolean {
  return state === 'building' || state === 'ready'
}

/** Equal for equal rows of one record. */
function nameOf({ compound, scope, pathType, value, place }: CompoundRow): string {
  return `${compound} ${scope} ${pathType} ${place.toString('latin1')} ${value}`
}

/** Where JavaScript orders texts otherwise than the index does, only time is lost. */
function compareRows(a: CompoundRow, b: CompoundRow): number {
  if (a.compound !== b.compound) return a.compound - b.compound
  if (a.scope !== b.scope) return a.scope - b.scope
  if (a.pathType !== b.pathType) return a.pathType - b.pathType
  if (a.value !== b.value) return a.value < b.value ? -1 : 1
  return a.place.compare(b.place)
}
