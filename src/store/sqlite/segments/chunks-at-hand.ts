import { WORKINGS } from '../../../engine/column-workings.ts'
import { columnsOfFilter, columnsOfSort } from '../../../engine/needed-columns.ts'
import { locate } from '../../../engine/segment-chunks.ts'
import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import { type ChunkHandle, type SharedChunks, workedName } from './column-cache.ts'
import type { ShelfView } from './shelf-views.ts'

/** The chunks that a plan needs and what was worked out from them, as far as they are at hand: another thread need not read them once more. */
export function chunksAtHand(
  { filter, sort }: QueryPlan,
  shelves: readonly ShelfView[],
  chunks: SharedChunks,
): readonly ChunkHandle[] {
  const paths = [...new Set([...columnsOfFilter(filter), ...columnsOfSort(sort)])]
  const found = new Map<string, ChunkHandle>()
  for (const { segments } of shelves) {
    for (const { row } of segments) {
      for (const path of paths) {
        const place = locate(row.catalog, path)
        const bytes = place === null ? null : chunks.get(row.number, place.chunk)
        if (place !== null && bytes !== null) {
          found.set(`${row.number}#${place.chunk}`, { segment: row.number, chunk: place.chunk, bytes })
        }
        for (const working of WORKINGS) {
          const chunk = workedName(path, working)
          const worked = chunks.get(row.number, chunk)
          if (worked !== null) found.set(`${row.number}#${chunk}`, { segment: row.number, chunk, bytes: worked })
        }
      }
    }
  }
  return [...found.values()]
}
