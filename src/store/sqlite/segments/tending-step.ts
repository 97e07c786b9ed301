import type { SegmentSizes } from '../../segments/segment-sizes.ts'
import { tailsToSeal } from '../../segments/tails-to-seal.ts'
import type { Shelf } from '../../shelf.ts'
import type { Connection } from '../base/database.ts'
import { type MergedSegments, mergeFinder, mergeSegments } from './merge-segments.ts'
import { tailTable } from './tail.ts'

/** Next step towards few and full segments, and small tails; plain data, so that it can be found on another thread than it is written on. */
export type TendingStep = { readonly merged: MergedSegments } | { readonly seal: readonly Shelf[] }

/** Looks through all homes; null when nothing is to be done. */
export type FindTendingStep = (inQuiet: boolean, sizes: SegmentSizes) => TendingStep | null

export function tendingStepFinder(connection: Connection): FindTendingStep {
  const nextMerge = mergeFinder(connection)
  const tails = tailTable(connection)
  // Records of the backlog are in no segment yet, and cannot leave their tail before.
  const backlog = connection.prepare('SELECT 1 FROM backlog LIMIT 1')
  return (inQuiet, sizes) => {
    const seal = inQuiet && backlog.get() === undefined ? tailsToSeal(tails.sizes(), sizes) : []
    if (seal.length > 0) return { seal }
    // Somebody else may have merged them meanwhile: then others are next.
    for (let next = nextMerge(inQuiet, sizes); next.length > 0; next = nextMerge(inQuiet, sizes)) {
      const merged = mergeSegments(connection, next)
      if (merged !== null) return { merged }
    }
    return null
  }
}
