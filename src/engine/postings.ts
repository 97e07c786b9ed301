/** The rows of every ordinal: those of `o` are `rows[starts[o]]` to `rows[starts[o + 1]]`, ascending, each once. */
export interface Postings {
  readonly starts: Uint32Array
  readonly rows: Uint16Array
}

/** What a column has in its rows, row after row. */
interface RowEntries {
  readonly dictionary: { readonly size: number }
  readonly entryCount: number
  /** Whether every present row has exactly one entry. */
  readonly isSingle: boolean
  readonly present: Uint16Array
  readonly offsets: Uint32Array
  ordinalAt(entry: number): number
}

/** Turns a column round, by counting: how many rows each value has, then each row to its place. */
export function postingsOf(column: RowEntries): Postings {
  const { entryCount, isSingle } = column
  const distinct = column.dictionary.size
  const starts = new Uint32Array(distinct + 1)
  const last = isSingle ? null : new Int32Array(distinct).fill(-1)
  eachEntry(column, (row, ordinal) => {
    if (last !== null) {
      if (last[ordinal] === row) return
      last[ordinal] = row
    }
    starts[ordinal + 1] = (starts[ordinal + 1] as number) + 1
  })
  for (let ordinal = 0; ordinal < distinct; ordinal++) {
    starts[ordinal + 1] = (starts[ordinal + 1] as number) + (starts[ordinal] as number)
  }
  const rows = new Uint16Array(last === null ? entryCount : (starts[distinct] as number))
  const next = starts.slice(0, distinct)
  last?.fill(-1)
  eachEntry(column, (row, ordinal) => {
    if (last !== null) {
      if (last[ordinal] === row) return
      last[ordinal] = row
    }
    const at = next[ordinal] as number
    rows[at] = row
    next[ordinal] = at + 1
  })
  return { starts, rows }
}

function eachEntry(column: RowEntries, visit: (row: number, ordinal: number) => void): void {
  const { present, offsets } = column
  for (let at = 0; at < present.length; at++) {
    const row = present[at] as number
    const end = offsets[row + 1] as number
    for (let entry = offsets[row] as number; entry < end; entry++) visit(row, column.ordinalAt(entry))
  }
}
