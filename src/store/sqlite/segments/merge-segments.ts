import {
  type MergedContent,
  mergeContent,
  mergedParts,
  mergePolicy,
  type SegmentSize,
  segmentsToMerge,
} from '../../segments/merge-content.ts'
import { levelOf, type SegmentSizes, tailsToSeal } from '../../segments/segment-sizes.ts'
import type { Shelf } from '../../shelf.ts'
import { type Connection, inSnapshot } from '../base/database.ts'
import { tailTable } from './seal.ts'
import { segmentReader, segmentWriter } from './segment-rows.ts'

/** Segments of a shelf as one. */
export interface MergedSegments extends Shelf, MergedContent {}

/** Prepares finding segments of any shelf that should be merged next; in quiet, when nobody writes, there is time to have fewer. */
export function mergeFinder(connection: Connection): (inQuiet: boolean, sizes: SegmentSizes) => readonly number[] {
  const all = connection.prepare<[], SegmentSize & Shelf>(
    `SELECT number, home, collection, rows, dead_rows AS deadRows FROM segment INDEXED BY segment_home
     ORDER BY home, collection, number`,
  )
  const bytes = connection.prepare<[number], number>('SELECT MAX(length(bytes)) FROM chunk WHERE segment = ?').pluck()
  const bytesOf = (number: number) => bytes.get(number) ?? 0
  return (inQuiet, sizes) => {
    const policy = mergePolicy(sizes, inQuiet)
    let shelf: SegmentSize[] = []
    let of = ''
    for (const { home, collection, ...size } of all.all()) {
      const name = `${home}/${collection}`
      if (name !== of) {
        const found = segmentsToMerge(shelf, policy, bytesOf)
        if (found.length > 0) return found
        shelf = []
        of = name
      }
      shelf.push(size)
    }
    return segmentsToMerge(shelf, policy, bytesOf)
  }
}

/** Merges segments, as they are in one state of the database; null when one of them is not there any more. */
export function mergeSegments(
  connection: Connection,
  numbers: readonly number[],
  sizes: SegmentSizes,
): MergedSegments | null {
  return inSnapshot(connection, () => {
    const reader = segmentReader(connection)
    const segments = numbers.map((number) => reader.read(number)).filter((segment) => segment !== null)
    const [first] = segments
    if (first === undefined || segments.length < numbers.length) return null
    const { home, collection } = first
    return { home, collection, ...mergeContent(segments, reader.chunk, sizes) }
  })
}

/** Prepares the statements that put merged segments into the place of others, inside a transaction; false when one has gone. */
export function mergeWriter(connection: Connection, sizes: SegmentSizes): (merged: MergedSegments) => boolean {
  const reader = segmentReader(connection)
  const writer = segmentWriter(connection)
  const noteLayout = connection.prepare('UPDATE home SET layout = layout + 1 WHERE number = ?')
  return (merged) => {
    const segments = merged.of.map((number) => reader.read(number)).filter((segment) => segment !== null)
    if (segments.length < merged.of.length) return false
    for (const number of merged.of) writer.remove(number)
    const { home, collection } = merged
    for (const part of mergedParts(merged, segments))
      writer.insert({ home, collection, level: levelOf(part.numbers.length, sizes), ...part })
    noteLayout.run(home)
    return true
  }
}

/** Next step towards few and full segments, and small tails; plain data, so that it can be found on another thread than it is written on. */
export type TendingStep = { readonly merged: MergedSegments } | { readonly seal: readonly Shelf[] }

/** Prepares looking through all homes; null when nothing is to be done. */
export function tendingStepFinder(
  connection: Connection,
): (inQuiet: boolean, sizes: SegmentSizes) => TendingStep | null {
  const nextMerge = mergeFinder(connection)
  const tails = tailTable(connection)
  // Records of the backlog are in no segment yet, and cannot leave their tail before.
  const backlog = connection.prepare('SELECT 1 FROM backlog LIMIT 1')
  return (inQuiet, sizes) => {
    const seal = inQuiet && backlog.get() === undefined ? tailsToSeal(tails.sizes(), sizes) : []
    if (seal.length > 0) return { seal }
    // Somebody else may have merged them meanwhile: then others are next.
    for (let next = nextMerge(inQuiet, sizes); next.length > 0; next = nextMerge(inQuiet, sizes)) {
      const merged = mergeSegments(connection, next, sizes)
      if (merged !== null) return { merged }
    }
    return null
  }
}
