import type { QueryPlan } from '../../../query/plan.ts'
import type { RecordContent } from '../../changes/record-tables.ts'
import { damageMet } from '../../errors.ts'
import type { NumberCipher } from '../../number-cipher.ts'
import { type ChunkSource, ColumnCache } from '../../segments/column-cache.ts'
import { SelectionCache } from '../../segments/find-records.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import type { Connection } from '../base/database.ts'
import { numberCipher } from '../base/number-key.ts'
import { recordChecksum, type Sealed, undamaged } from '../base/row-checksum.ts'
import { RecordTextCache } from '../segments/record-texts.ts'
import { ShelfViews } from '../segments/shelf-views.ts'
import { type ChangeCounter, changeCounter, type Names, names } from './names.ts'

/** A connection that only reads, with what it remembers. */
export interface Reader {
  readonly connection: Connection
  readonly names: Names
  readonly cipher: NumberCipher
  readonly changesOf: ChangeCounter
  readonly columns: ColumnCache
  readonly texts: RecordTextCache
  readonly selections: SelectionCache
  /** The shelves that a plan asks, in the order of their homes. */
  shelvesOf(plan: Pick<QueryPlan, 'collection' | 'scope'>): readonly ShelfView[]
  /** The text of a record, which is refused when it is not what was written. */
  textOf(n: number): string
}

interface ReaderTerms {
  readonly chunks: ChunkSource
  /** Whether columns that are not at hand are waited for. */
  readonly isPatient: boolean
  readonly memory: ThreadMemory
  /** Tells the state apart that the connection reads, while it holds one; null where nobody knows. */
  readonly heldState: () => number | null
}

/** Prepares a connection for reading. */
export function createReader(connection: Connection, { chunks, isPatient, memory, heldState }: ReaderTerms): Reader {
  const known = names(connection)
  const find = connection.prepare<[number], Sealed<RecordContent>>(
    'SELECT n, collection, scope, owner, id, version, is_default, doc, note, checksum FROM record WHERE n = ?',
  )
  const everyHome = connection.prepare<[], number>('SELECT number FROM home ORDER BY number').pluck()
  const columns = new ColumnCache(memory.columns, chunks, isPatient)
  const texts = new RecordTextCache(connection, memory.documents)
  const shelves = new ShelfViews(connection, columns, {
    bytes: memory.views,
    forget: (numbers) => texts.forget(numbers),
    heldState,
  })
  return {
    connection,
    names: known,
    cipher: numberCipher(connection),
    changesOf: changeCounter(connection, known),
    columns,
    texts,
    selections: new SelectionCache(memory.selections),
    shelvesOf({ collection: name, scope }) {
      const collection = known.collection(name)
      if (collection === null) return []
      const homes = known.homes(scope) ?? everyHome.all()
      return homes.map((home, place) => shelves.view({ home, collection }, place))
    },
    textOf(n) {
      const row = find.get(n)
      if (row === undefined) throw damageMet(`A segment names record ${n}, which does not exist.`)
      return undamaged<RecordContent>(row, recordChecksum, row.id).doc
    },
  }
}

/** How many bytes a thread may keep of what it reads. */
export interface ThreadMemory {
  /** Columns at hand, beside what threads share of them. */
  readonly columns: number
  /** What a reader thread knows of what threads share. */
  readonly chunks: number
  readonly documents: number
  /** Which records are where, and those of tails. */
  readonly views: number
  /** What columns said of filters. */
  readonly selections: number
}

/** How the memory for reading is divided. */
export interface ReadingMemory {
  /** Columns that all threads see, and what was worked out from them. */
  readonly shared: number
  /** What the request thread has, and each reader thread: mostly by turns, so that together they seldom have as much. */
  readonly ofThread: ThreadMemory
}

/** For a lab's server; enough for the columns that a million records are asked for. */
export const DEFAULT_MEMORY_MB = 256

/** Divides a number of MiB. */
export function memoryOf(megabytes: number): ReadingMemory {
  const share = (percent: number): number => Math.floor((megabytes * 2 ** 20 * percent) / 100)
  const ofThread = {
    columns: share(10),
    chunks: share(30),
    documents: share(20),
    views: share(15),
    selections: share(5),
  }
  return { shared: share(50), ofThread }
}
