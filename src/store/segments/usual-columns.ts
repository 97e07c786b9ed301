import { WORKINGS, type Working } from '../../engine/column.ts'
import { ranksOf } from '../../engine/ranks.ts'
import type { Shelf } from '../shelf.ts'
import { BUNDLE, type ColumnCache } from './column-cache.ts'
import type { LoadedSegment, ShelfView } from './shelf-view.ts'

/** What was asked of a shelf: names of columns, and of what was worked out from these. `place` is that of its home in questions. */
export interface UsualColumns extends Shelf {
  readonly place: number
  readonly names: readonly string[]
}

/** Shelves whose columns are remembered, those asked last. */
const MOST_SHELVES = 32
const MOST_NAMES = 200

/** The columns that are at hand of some shelves. */
export function usualColumns(
  shelves: Iterable<readonly [Omit<UsualColumns, 'names'>, ShelfView]>,
  columns: ColumnCache,
): readonly UsualColumns[] {
  const usual: UsualColumns[] = []
  const { bySegment } = columns
  for (const [shelf, { segments }] of shelves) {
    const names = new Set(segments.flatMap(({ row }) => [...(bySegment.get(row.number) ?? [])]))
    if (names.size > 0) usual.push({ ...shelf, names: [...names].slice(0, MOST_NAMES) })
    if (usual.length === MOST_SHELVES) break
  }
  return usual
}

/** Reads columns of a segment as a question would, and works out the same from them. */
export function readColumns({ source }: LoadedSegment, names: readonly string[]): void {
  for (const name of names) {
    const mark = name.startsWith(BUNDLE) ? 0 : name.indexOf('/')
    const path = name.slice(mark + 1)
    const working = WORKINGS.find((one) => one === name.slice(0, mark))
    if (mark === 0) source.column(path)
    else if (working !== undefined) workOut(source, path, working)
  }
}

function workOut(source: LoadedSegment['source'], path: string, working: Working): void {
  const column = source.column(path)
  if (column === null || working === 'vectors') return
  if (working === 'offsets') void column.offsets
  else if (working === 'postings') void column.postings
  else {
    const [what, direction] = working.split(' ')
    const key = { path: { text: path, parts: path.split('.') }, direction: direction === '1' ? 1 : -1 } as const
    const [ranks] = ranksOf(source, [key]).keys
    if (what === 'groups') ranks?.groups()
  }
}
