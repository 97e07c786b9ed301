import type { SortKey } from '../../../../query/ast/list-request.ts'
import type { LeafValue } from '../../../../query/narrow/narrowing.ts'
import { KeyBytes, TAG } from '../../../../query/order/key-bytes.ts'
import type { SortRange } from '../sort-range.ts'

/** Places of an index that come after `from` and before `before`; null for no end. */
export interface PlaceRange {
  readonly from: Buffer | null
  readonly before: Buffer | null
}

const EVERYWHERE: PlaceRange = { from: null, before: null }
const LONGEST_VALUE = 512
const TAG_OF = { number: TAG.number, string: TAG.string, boolean: TAG.bool } as const

const keys = new KeyBytes(LONGEST_VALUE)

/** The places of records whose first sort value is within a range, and perhaps a few more: ends that are not inclusive are taken in. */
export function placesWithin(range: SortRange | null, [first]: readonly SortKey[]): PlaceRange {
  if (range === null || first === undefined) return EVERYWHERE
  const bytesOf = (value: LeafValue | undefined): Buffer | null => {
    const written = value === undefined ? null : keys.write([value], [first])
    return written === null ? null : Buffer.from(written)
  }
  const ofType = Buffer.from([first.direction === 1 ? TAG_OF[range.type] : TAG_OF[range.type] ^ 0xff])
  const [lower, upper] = [bytesOf(range.lower?.value), bytesOf(range.upper?.value)]
  const [nearest, farthest] = first.direction === 1 ? [lower, upper] : [upper, lower]
  return { from: nearest ?? ofType, before: pastPrefix(farthest ?? ofType) }
}

/** The least bytes after all that begin so; null when there are none. */
function pastPrefix(prefix: Buffer): Buffer | null {
  for (let last = prefix.length - 1; last >= 0; last -= 1) {
    const byte = prefix[last] as number
    if (byte < 0xff) return Buffer.concat([prefix.subarray(0, last), Buffer.from([byte + 1])])
  }
  return null
}
