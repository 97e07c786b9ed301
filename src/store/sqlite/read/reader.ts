import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import type { SqlFragment } from '../../../query/sql/sql-fragment.ts'
import type { Connection } from '../database.ts'
import { type RecordContent, recordChecksum, type Sealed, undamaged } from '../row-checksum.ts'
import { damageMet } from '../storage-fault.ts'
import type { BodyText } from './body-text.ts'
import { type ChangeCounter, changeCounter } from './change-counter.ts'
import { CompiledCache } from './compiled-cache.ts'
import { type ReadyCompounds, readyCompounds } from './compound/ready-compounds.ts'
import { type Names, names } from './names.ts'
import type { RowIndex } from './rows/row-index.ts'
import { StatementCache } from './statement-cache.ts'
import type { Target } from './target.ts'

/** A connection that only reads, with what it remembers. */
export interface Reader {
  readonly connection: Connection
  readonly statements: StatementCache
  readonly names: Names
  readonly targets: CompiledCache<Target>
  /** Projections as SQL; null where only parsing can tell. */
  readonly projections: CompiledCache<BodyText | null>
  readonly changesOf: ChangeCounter
  /** Orders and selections in memory; null for readers that do without. */
  readonly lists: Pick<RowIndex, 'find'> | null
  readonly compounds: ReadyCompounds
  /** The text of a record, which is refused when it is not what was written. */
  textOf(n: number): string
}

/** Prepares a connection for reading. */
export function createReader(
  connection: Connection,
  lists: Reader['lists'] = null,
  compounds: ReadyCompounds = readyCompounds(connection),
): Reader {
  const known = names(connection)
  const find = connection.prepare<[number], Sealed<RecordContent>>(
    'SELECT n, collection, scope, owner, id, version, is_default, doc, note, checksum FROM record WHERE n = ?',
  )
  return {
    connection,
    statements: new StatementCache(connection),
    names: known,
    targets: new CompiledCache(({ selection }) => sizeOf(selection.rows) + sizeOf(selection.test)),
    projections: new CompiledCache((projection) => sizeOf(projection?.text ?? null)),
    changesOf: changeCounter(connection, known),
    lists,
    compounds,
    textOf(n) {
      const row = find.get(n)
      if (row === undefined) throw damageMet(`The index names record ${n}, which does not exist.`)
      return undamaged<RecordContent>(row, recordChecksum, row.id).doc
    },
  }
}

/** Reads the text of a record as the document that it is. */
export function parseDocument(text: string): JsonObject {
  const document = JSON.parse(text) as Json
  if (!isJsonObject(document)) throw new Error('A stored record is not a JSON object.')
  return document
}

/** About how many bytes a fragment takes. */
function sizeOf(fragment: SqlFragment | null): number {
  return fragment === null ? 0 : 2 * fragment.text.length + 16 * fragment.values.length
}
