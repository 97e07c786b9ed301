import { WORKINGS, type Working } from '../../engine/column.ts'
import { ranksOf } from '../../engine/ranks.ts'
import type { Shelf } from '../shelf.ts'
import { type ChunkName, type SharedChunks, workedName } from './column-cache.ts'
import type { SegmentContent } from './segment-content.ts'
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
  const { bySegment } = chunks
  for (const [shelf, { segments }] of shelves) {
    const names = new Set(segments.flatMap(({ row }) => namesIn(row, bySegment.get(row.number) ?? NOTHING)))
    if (names.size > 0) usual.push({ ...shelf, names: [...names].slice(0, MOST_NAMES) })
    if (usual.length === MOST_SHELVES) break
  }
  return usual
}

const NOTHING: ReadonlySet<ChunkName> = new Set()

/** Paths of columns in chunks, and names of what was worked out. */
function namesIn({ catalog }: SegmentContent, chunks: ReadonlySet<ChunkName>): readonly string[] {
  if (chunks.size === 0) return []
  const columns = catalog.columns.filter(([, chunk]) => chunks.has(chunk)).map(([path]) => path)
  const bundles = catalog.bundles.filter(([, chunk]) => chunks.has(chunk)).map(([first]) => first)
  return [...columns, ...bundles, ...[...chunks].filter((name) => typeof name === 'string')]
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
