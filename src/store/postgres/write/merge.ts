import {
  type MergePolicy,
  mergeContent,
  mergedParts,
  mergePolicy,
  segmentsToMerge,
} from '../../segments/merge-content.ts'
import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import { IN_ONE_STATE, type Sql, transact } from '../base/database.ts'
import {
  insertSegment,
  largestChunks,
  listSegments,
  readAllChunks,
  readSegments,
  removeSegment,
} from '../base/segment-rows.ts'
import { lockHomes } from './load-records.ts'

/** Merges segments of a shelf until none should be; what others have done meanwhile counts. */
export async function mergeShelf(sql: Sql, shelf: Shelf<string>, sizes: SegmentSizes, inQuiet: boolean): Promise<void> {
  const policy = mergePolicy(sizes, inQuiet)
  for (let last = ''; ; ) {
    const numbers = await nextToMerge(sql, shelf, policy)
    // Those that are there still cannot be read.
    if (numbers.length === 0 || last === numbers.join()) return
    last = numbers.join()
    await mergeOnce(sql, shelf, numbers, sizes)
  }
}

/** Sizes are asked for only where rows say that something should be merged: after most writes nothing should. */
async function nextToMerge(sql: Sql, shelf: Shelf<string>, policy: MergePolicy): Promise<readonly number[]> {
  const segments = await listSegments(sql, shelf)
  const byRows = segmentsToMerge(segments, policy, () => 0)
  if (byRows.length < 2) return byRows
  const bytes = await largestChunks(sql, shelf.home, byRows)
  return segmentsToMerge(segments, policy, (number) => bytes.get(number) ?? 0)
}

/** Columns are read and merged without the lock; under it they are put into the place of the segments, unless one has gone. */
async function mergeOnce(
  sql: Sql,
  shelf: Shelf<string>,
  numbers: readonly number[],
  sizes: SegmentSizes,
): Promise<void> {
  const { segments, chunks } = await readWhole(sql, shelf, numbers)
  if (segments.length < numbers.length) return
  const merged = mergeContent(segments, (segment, chunk) => chunks.get(segment)?.get(chunk) as Uint8Array, sizes)
  await transact(sql, async (transaction) => {
    await lockHomes(transaction, [shelf.home])
    const present = await readSegments(transaction, shelf, merged.of)
    if (present.length < merged.of.length) return
    const inOrder = merged.of.map(
      (number) => present.find((segment) => segment.number === number) as (typeof present)[0],
    )
    for (const number of merged.of) await removeSegment(transaction, shelf, number)
    for (const part of mergedParts(merged, inOrder)) await insertSegment(transaction, shelf, part)
    await transaction`UPDATE home SET layout = layout + 1 WHERE home = ${shelf.home}`
  })
}

/** Segments with all that is in them, of one state: another process may put others into their place. */
function readWhole(sql: Sql, shelf: Shelf<string>, numbers: readonly number[]) {
  return transact(
    sql,
    async (transaction) => {
      const segments = await readSegments(transaction, shelf, numbers)
      const chunks = new Map<number, ReadonlyMap<number, Uint8Array>>()
      for (const { number } of segments) chunks.set(number, await readAllChunks(transaction, shelf.home, number))
      return { segments, chunks }
    },
    IN_ONE_STATE,
  )
}
