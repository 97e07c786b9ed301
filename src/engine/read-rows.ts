import type { JsonObject } from '../kernel/json.ts'
import { type Bits, rowsOf } from './bits.ts'
import type { SegmentView, Working } from './page-question.ts'

/** How many documents are asked for together. */
const TOGETHER = 256
/** A document takes about as long as so many looks at a value. */
const DOCUMENT_STEPS = 16

/** Reads the documents of some rows of a segment, ascending, many at a time; gives how many they were. */
export function* readRows(
  segment: SegmentView,
  rows: Bits,
  spend: (steps: number) => void,
  take: (document: JsonObject, row: number) => void,
): Working<number> {
  const all = rowsOf(rows)
  for (let at = 0; at < all.length; at += TOGETHER) {
    const some = Array.from(all.subarray(at, at + TOGETHER))
    spend(some.length * DOCUMENT_STEPS)
    // What goes wrong with a document is thrown where the work is, not where the documents come from.
    let failure: { readonly error: unknown } | null = null
    yield {
      places: some.map((row) => ({ segment, row })),
      take(document, index) {
        try {
          if (failure === null) take(document, some[index] as number)
        } catch (error) {
          failure = { error }
        }
      },
    }
    if (failure !== null) throw (failure as { readonly error: unknown }).error
  }
  return all.length
}
