import { countBits, intersection, isEmpty } from '../../../engine/bits.ts'
import type { Column } from '../../../engine/column.ts'
import { evaluateFilter } from '../../../engine/evaluate-filter.ts'
import { hasColumn } from '../../../engine/evaluate-values.ts'
import { addKindsIn, addPathsOf, kindsInColumn } from '../../../engine/field-kinds.ts'
import { SHAPE_PATH } from '../../../engine/gather-columns.ts'
import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { FieldNode } from '../../../query/ast/filter.ts'
import { matcherOf } from '../../../query/filter/match.ts'
import { type Scope, scopeName } from '../../../query/plan.ts'
import type { FieldKind, FieldKnowledge } from '../../../query/warnings/field-knowledge.ts'
import type { LoadedSegment, ShelfView } from '../../segments/shelf-view.ts'
import type { Reader } from './reader.ts'

/** Requesters that are remembered at a time, each with one collection. */
const REMEMBERED = 1000
/** Paths that are remembered for each: clients may ask for any. */
const REMEMBERED_PATHS = 1000

/** Gives what is known of the fields of a collection as a requester sees it now; null while segments are being made. */
export type Knowledge = (collection: string, scope: Scope) => FieldKnowledge | null

/** What was looked up is remembered for as long as nothing changes that the requester sees. */
export function knowledgeOf(reader: Reader): Knowledge {
  const known = new BoundedCache<Known>({ most: REMEMBERED })
  return (collection, scope) => {
    const key = `${collection} ${scopeName(scope)}`
    const shelves = reader.shelvesOf({ collection, scope })
    const found = known.get(key)
    if (found !== undefined && isSame(found.shelves, shelves)) return found.knowledge
    const isWhole = shelves.every(({ backlog }) => backlog === null)
    const knowledge = isWhole ? lookUp(reader, shelves) : null
    known.set(key, { shelves, knowledge })
    return knowledge
  }
}

interface Known {
  readonly shelves: readonly ShelfView[]
  readonly knowledge: FieldKnowledge | null
}

/** A shelf has one view for as long as nothing in it changes, nor where its records are. */
function isSame(known: readonly ShelfView[], now: readonly ShelfView[]): boolean {
  return known.length === now.length && known.every((shelf, at) => shelf === now[at])
}

/** What is asked of columns is asked where the question has loaded them; what it has not is waited for. */
function lookUp(reader: Reader, shelves: readonly ShelfView[]): FieldKnowledge {
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
        found = reader.columns.patiently(() => kindsAt(path))
        kinds.set(path, found)
      }
      return found
    },
    hasValue: (path, value) => reader.columns.patiently(() => hasValue(path, value)),
    paths(most) {
      const paths = new Set<string>()
      for (const { document } of tail) addPathsOf(document, paths)
      reader.columns.patiently(() => {
        for (const segment of segments) for (const path of pathsIn(reader, segment)) paths.add(path)
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
function* pathsIn(reader: Reader, segment: LoadedSegment): Generator<string> {
  const { row, live, source } = segment
  const dead = row.numbers.length - countBits(live)
  const lives = (column: Column | null): boolean =>
    column !== null && (dead === 0 || !isEmpty(intersection(column.presentBits, live)))
  for (const [path, , present] of row.catalog.columns) if (present > dead || lives(source.column(path))) yield path
  for (const [path, column] of reader.columns.bundled(row)) if (lives(column)) yield path
}
