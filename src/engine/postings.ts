import type { Wholes } from './chunk-reader.ts'

/** The rows of every ordinal: those of `o` are `rows[starts[o]]` to `rows[starts[o + 1]]`, ascending, each once. */
export interface Postings {
  readonly starts: Uint32Array
  readonly rows: Uint16Array
}

/** What a column has in its rows, row after row. */
interface RowEntries {
  readonly dictionary: { readonly size: number }
  /** Ordinals; empty when there is only one value. */
  readonly entries: Wholes
  readonly entryCount: number
  readonly present: Uint16Array
  readonly offsets: Uint32Array
}

/**
 * Turns a column round, by counting: how many rows each value has, then each row to its place. The loop over all entries stands here twice:
 * to call something for each of them takes three times as long.
 */
export function postingsOf(column: RowEntries): Postings {
  const { entryCount, dictionary, present, offsets } = column
  const distinct = dictionary.size
  const entries = column.entries.length === 0 ? new Uint8Array(entryCount) : column.entries
  // The last row that had each value, counted from 1.
  const last = new Uint32Array(distinct)
  const starts = new Uint32Array(distinct + 1)
  for (let at = 0; at < present.length; at++) {
    const row = present[at] as number
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const ordinal = entries[entry] as number
      if (last[ordinal] === row + 1) continue
      last[ordinal] = row + 1
      starts[ordinal + 1] = (starts[ordinal + 1] as number) + 1
    }
  }
  for (let ordinal = 0; ordinal < distinct; ordinal++) {
    starts[ordinal + 1] = (starts[ordinal + 1] as number) + (starts[ordinal] as number)
  }
  const rows = new Uint16Array(starts[distinct] as number)
  const next = starts.slice(0, distinct)
  last.fill(0)
  for (let at = 0; at < present.length; at++) {
    const row = present[at] as number
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const ordinal = entries[entry] as number
      if (last[ordinal] === row + 1) continue
      last[ordinal] = row + 1
      const place = next[ordinal] as number
      rows[place] = row
      next[ordinal] = place + 1
    }
  }
  return { starts, rows }
}
