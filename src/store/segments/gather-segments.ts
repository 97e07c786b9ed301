import { MOST_ROWS } from '../../engine/column-parts.ts'
import { type ColumnBounds, ColumnGatherer } from '../../engine/gather-columns.ts'
import { encodeSegment, rowOf } from '../../engine/segment-chunks.ts'
import { type Bits, countBits, noBits, setBit } from '../../engine/selection.ts'
import { parseDocument } from '../../kernel/json.ts'
import type { NewContent, SegmentContent } from './segment-content.ts'
import type { SegmentSizes } from './segment-sizes.ts'

export interface SealedRecord {
  readonly n: number
  readonly doc: string
}

/** Makes segments of records in the order of their numbers, which are given one after the other. */
export class SegmentGatherer {
  readonly #bounds: ColumnBounds | undefined
  readonly #gathered: { readonly numbers: number[]; readonly columns: ColumnGatherer }[] = []

  constructor({ columns }: Pick<SegmentSizes, 'columns'> = {}) {
    this.#bounds = columns
  }

  add({ n, doc }: SealedRecord): void {
    let last = this.#gathered.at(-1)
    if (last === undefined || last.numbers.length === MOST_ROWS) {
      last = { numbers: [], columns: new ColumnGatherer(this.#bounds) }
      this.#gathered.push(last)
    }
    last.numbers.push(n)
    last.columns.add(parseDocument(doc))
  }

  finish(): readonly NewContent[] {
    return this.#gathered.map(({ numbers, columns }) => ({
      numbers: Float64Array.from(numbers),
      dead: noBits(numbers.length),
      encoded: encodeSegment(columns.finish()),
    }))
  }
}

/** The same at once, text by text: all together may be more than there is memory for. */
export function gatherSegments(records: Iterable<SealedRecord>, sizes?: SegmentSizes): readonly NewContent[] {
  const gatherer = new SegmentGatherer(sizes)
  for (const record of records) gatherer.add(record)
  return gatherer.finish()
}

/** The dead rows of a segment when the records of these numbers are elsewhere; null: it has none of them, `none`: no row is left. */
export function withDead(
  segment: Pick<SegmentContent, 'numbers' | 'dead'>,
  numbers: readonly number[],
): { readonly dead: Bits; readonly deadRows: number } | 'none' | null {
  const dead = segment.dead.slice()
  for (const n of numbers) {
    const row = rowOf(segment.numbers, n)
    if (row >= 0) setBit(dead, row)
  }
  const deadRows = countBits(dead)
  if (deadRows === segment.numbers.length) return 'none'
  return deadRows === countBits(segment.dead) ? null : { dead, deadRows }
}
