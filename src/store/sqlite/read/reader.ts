import type { QueryPlan, Scope } from '../../../query/plan.ts'
import type { NumberCipher } from '../../number-cipher.ts'
import { ColumnCache, type Handing } from '../../segments/column-cache.ts'
import type { Effort } from '../../segments/effort.ts'
import { SelectionCache } from '../../segments/find-records.ts'
import type { ShelfView } from '../../segments/shelf-view.ts'
import type { ThreadMemory } from '../../threads/store-options.ts'
import { type Connection, numberCipher } from '../base/database.ts'
import { RecordTextCache } from '../base/record-rows.ts'
import { segmentReader } from '../segments/segment-rows.ts'
import { ShelfViews } from '../segments/shelf-views.ts'
import { changeCounter, type NumberLookup, names } from './current-state.ts'

/** Marks states of collections: what changes is in the tail, stamped, or has come into a segment, where it was dead or another. */
function collectionMarks(connection: Connection, names: NumberLookup): (scope: Scope) => ReadonlyMap<string, string> {
  const homes = 'SELECT value FROM json_each(?)'
  const find = connection.prepare<[string, string], { name: string; part: string }>(
    `SELECT name, part FROM (
       SELECT collection, 't' || home || ':' || max(stamp) AS part FROM tail WHERE home IN (${homes}) GROUP BY home, collection
       UNION ALL
       SELECT collection, 's' || home || ':' || max(number) || ':' || count(*) || ':' || sum(dead_rows)
         FROM segment WHERE home IN (${homes}) GROUP BY home, collection
     ) JOIN collection ON collection.number = collection`,
  )
  const all = connection.prepare<[], number>('SELECT number FROM home').pluck()
  return (scope) => {
    const list = JSON.stringify(names.homes(scope) ?? all.all())
    const marks = new Map<string, string>()
    for (const { name, part } of find.all(list, list)) marks.set(name, `${marks.get(name) ?? ''} ${part}`)
    return marks
  }
}

/** A connection that only reads, with what it remembers. */
export interface Reader {
  readonly connection: Connection
  readonly names: NumberLookup
  readonly cipher: NumberCipher
  readonly changesOf: (scope: Scope) => number
  readonly marksOf: (scope: Scope) => ReadonlyMap<string, string>
  readonly columns: ColumnCache
  readonly texts: RecordTextCache
  readonly selections: SelectionCache
  /** The shelves that a plan asks, in the order of their homes. What of them has to be read is charged to the effort. */
  shelvesOf(plan: Pick<QueryPlan, 'collection' | 'scope'>, effort: Pick<Effort, 'spend'>): readonly ShelfView[]
  readonly views: ShelfViews
}

interface ReaderTerms {
  /** Whether columns that are not at hand are waited for. */
  readonly isPatient: boolean
  /** Of a thread that reads for another. */
  readonly handing?: Handing
  readonly memory: ThreadMemory
  /** Tells the state apart that the connection reads, while it holds one; null where nobody knows. */
  readonly state: { readonly held: number | null }
}

export function createReader(connection: Connection, { isPatient, handing, memory, state }: ReaderTerms): Reader {
  const known = names(connection)
  const everyHome = connection.prepare<[], number>('SELECT number FROM home ORDER BY number').pluck()
  const columns = new ColumnCache(memory.columns, isPatient ? segmentReader(connection).chunk : null, handing)
  const texts = new RecordTextCache(connection, memory.documents)
  const shelves = new ShelfViews(connection, columns, {
    bytes: memory.views,
    forget: (numbers) => texts.forget(numbers),
    state,
  })
  return {
    connection,
    names: known,
    cipher: numberCipher(connection),
    changesOf: changeCounter(connection, known),
    marksOf: collectionMarks(connection, known),
    columns,
    texts,
    selections: new SelectionCache(memory.selections),
    views: shelves,
    shelvesOf({ collection: name, scope }, effort) {
      const collection = known.collection(name)
      if (collection === null) return []
      const homes = known.homes(scope) ?? everyHome.all()
      const isKept = scope.kind !== 'operator'
      return homes.map((home, place) => shelves.view({ home, collection }, place, { isKept, effort }))
    },
  }
}
