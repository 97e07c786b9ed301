import { WORKINGS, type Working } from '../../engine/column.ts'
import { ranksOf } from '../../engine/ranks.ts'
import type { Shelf } from '../shelf.ts'
import { type SharedChunks, workedName } from './column-cache.ts'
import type { LoadedSegment, ShelfView } from './shelf-view.ts'

/** What was asked of a shelf: paths of columns, and names of what was worked out from these. `place` is that of its home in questions. */
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
  chunks: SharedChunks,
): readonly UsualColumns[] {
  const usual: UsualColumns[] = []
  for (const [shelf, { segments }] of shelves) {
    const numbers = new Set(segments.map(({ row }) => row.number))
    const names = [
      ...new Set([...segments.flatMap((segment) => pathsAtHand(segment, chunks)), ...chunks.workedOf(numbers)]),
    ]
    if (names.length > 0) usual.push({ ...shelf, names: names.slice(0, MOST_NAMES) })
    if (usual.length === MOST_SHELVES) break
  }
  return usual
}

function pathsAtHand({ row: { number, catalog } }: LoadedSegment, chunks: SharedChunks): readonly string[] {
  const places: readonly (readonly [path: string, chunk: number, ...unknown[]])[] = [
    ...catalog.columns,
    ...catalog.bundles,
  ]
  return places.filter(([, chunk]) => chunks.has(number, chunk)).map(([path]) => path)
}

/** Reads columns of a segment as a question would, and works out the same from them. */
export function readColumns({ source }: LoadedSegment, names: readonly string[]): void {
  for (const name of names) {
    const working = WORKINGS.find((one) => name.endsWith(workedName('', one)))
    if (working === undefined) source.column(name)
    else workOut(source, name.slice(0, -workedName('', working).length), working)
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
