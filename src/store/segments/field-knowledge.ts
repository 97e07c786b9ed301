import { countBits, intersection, isEmpty } from '../../engine/bits.ts'
import type { Column } from '../../engine/column.ts'
import { evaluateFilter } from '../../engine/evaluate-filter.ts'
import { hasColumn } from '../../engine/evaluate-values.ts'
import { addKindsIn, addPathsOf, kindsInColumn } from '../../engine/field-kinds.ts'
import { SHAPE_PATH } from '../../engine/gather-columns.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { FieldNode } from '../../query/ast/filter.ts'
import type { FieldKind } from '../../query/ast/survey.ts'
import { matcherOf } from '../../query/filter/match.ts'
import { type Scope, scopeName } from '../../query/plan.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import type { KnownFields } from '../port/record-store.ts'
import type { ColumnCache } from './column-cache.ts'
import type { LoadedSegment, ShelfView } from './shelf-view.ts'

/** Requesters that are remembered at a time, each with one collection. */
const REMEMBERED = 1000
/** Paths that are remembered for each: clients may ask for any. */
const REMEMBERED_PATHS = 1000

/** Whose knowledge it is. */
interface Asker {
  readonly collection: string
  readonly scope: Scope
}

/** How columns are asked that may not be at hand: they are read meanwhile, or `ask` fails and whoever asked loads them first. */
export type AskColumns = <Result>(ask: () => Result) => Result

/** What is known of fields, remembered for as long as nothing changes that the requester sees. */
export class KnowledgeOfFields {
  readonly #columns: ColumnCache
  readonly #ask: AskColumns
  readonly #known = new BoundedCache<Known>({ most: REMEMBERED })

  constructor(columns: ColumnCache, ask: AskColumns) {
    this.#columns = columns
    this.#ask = ask
  }

  /** What is known in some shelves, which are those that a requester sees now: nothing while segments are being made. */
  of({ collection, scope }: Asker, shelves: readonly ShelfView[]): KnownFields {
    const key = `${collection} ${scopeName(scope)}`
    const found = this.#known.get(key)
    if (found !== undefined && isSame(found.shelves, shelves)) return found
    const isWhole = shelves.every(({ backlog }) => backlog === null)
    const known = { shelves, knowledge: isWhole ? lookUp(this.#columns, this.#ask, shelves) : null }
    this.#known.set(key, known)
    return known
  }
}

interface Known extends KnownFields {
  readonly shelves: readonly ShelfView[]
}

/** A shelf has one view for as long as nothing in it changes, nor where its records are. */
function isSame(known: readonly ShelfView[], now: readonly ShelfView[]): boolean {
  return known.length === now.length && known.every((shelf, at) => shelf === now[at])
}

function lookUp(columns: ColumnCache, ask: AskColumns, shelves: readonly ShelfView[]): FieldKnowledge {
  const segments = shelves.flatMap((shelf) => shelf.segments)
  const tail = shelves.flatMap((shelf) => shelf.tail)
  const kinds = new BoundedCache<ReadonlySet<FieldKind>>({ most: REMEMBERED_PATHS })

  function kindsAt(path: string): ReadonlySet<FieldKind> {
    const parts = path.split('.')
    const found = new Set<FieldKind>()
    for (const { source, live, isWhole } of segments) {
      const column = source.column(path)
      const alive = isWhole ? null : live
      if (column !== null) for (const kind of kindsInColumn(column, parts.length, alive)) found.add(kind)
    }
    for (const { document } of tail) addKindsIn(document, parts, found)
    return found
  }

  function hasValue(path: string, value: string | number): boolean {
    const filter = equalTo(path, value)
    const matches = matcherOf(filter)
    return (
      tail.some(({ document }) => matches(document)) ||
      segments.some(({ source, live }) => !isEmpty(intersection(evaluateFilter(source, filter).may, live)))
    )
  }

  return {
    kindsAt(path) {
      if (!hasColumn(path.split('.'), path)) return null
      let found = kinds.get(path)
      if (found === undefined) {
        found = ask(() => kindsAt(path))
        kinds.set(path, found)
      }
      return found
    },
    hasValue: (path, value) => ask(() => hasValue(path, value)),
    paths(most) {
      const paths = new Set<string>()
      for (const { document } of tail) addPathsOf(document, paths)
      ask(() => {
        for (const segment of segments) for (const path of pathsIn(columns, segment)) paths.add(path)
      })
      paths.delete(SHAPE_PATH)
      return [...paths].sort().slice(0, most)
    },
  }
}

function equalTo(path: string, value: string | number): FieldNode {
  return {
    kind: 'field',
    path: { text: path, parts: path.split('.') },
    predicate: { operator: '$eq', value },
    place: null,
  }
}

/** The paths at which a living row has something: of a path in more rows than are dead, one lives for certain. */
export function* pathsIn(columns: ColumnCache, segment: LoadedSegment): Generator<string> {
  const { row, live, source } = segment
  const dead = row.numbers.length - countBits(live)
  const lives = (column: Column | null): boolean =>
    column !== null && (dead === 0 || !isEmpty(intersection(column.presentBits, live)))
  for (const [path, , present] of row.catalog.columns) if (present > dead || lives(source.column(path))) yield path
  for (const [path, column] of columns.bundled(row)) if (lives(column)) yield path
}
