import { NumberRow } from './number-row.ts'

/** Memory for merging columns, reused: each would leave megabytes behind. */
export class MergeRoom {
  readonly entries = new NumberRow()
  readonly present = new NumberRow()
  readonly counts = new NumberRow()
  readonly arrays = new NumberRow()
  readonly odd = new NumberRow()

  clear(): void {
    for (const row of [this.entries, this.present, this.counts, this.arrays, this.odd]) row.clear()
  }
}
