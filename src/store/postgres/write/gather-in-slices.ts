import { type SealedRecord, SegmentGatherer } from '../../segments/gather-segments.ts'
import type { NewContent } from '../../segments/segment-content.ts'

/** For so long records are gathered before others on the thread have their turn. */
const SLICE_MS = 4

/** Makes segments of records, letting the event loop turn in between: writes compute on the thread that answers requests. */
export async function gatherInSlices(records: Iterable<SealedRecord>): Promise<readonly NewContent[]> {
  const gatherer = new SegmentGatherer()
  let end = performance.now() + SLICE_MS
  for (const record of records) {
    gatherer.add(record)
    if (performance.now() < end) continue
    await new Promise((resolve) => setImmediate(resolve))
    end = performance.now() + SLICE_MS
  }
  return gatherer.finish()
}
