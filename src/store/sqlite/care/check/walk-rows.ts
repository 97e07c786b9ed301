import type { Connection } from '../../database.ts'

const ROWS_AT_ONCE = 500

/** Rows that could not be read: whatever has a number from `from` to `to`; `to` null for all that are behind. */
export interface Gap {
  readonly from: number
  readonly to: number | null
  readonly error: unknown
}

/** A table whose rows have numbers, in whose order they are. */
export interface NumberedTable {
  readonly name: string
  /** The column of the number. */
  readonly number: 'n' | 'rowid' | 'place'
  /** The columns that are read, beside the number. */
  readonly columns: string
}

/**
 * Reads a table in the order of its numbers, and goes on behind what cannot be read: it yields rows, and reports gaps. A damaged page
 * hides the rows that are on it; the page above tells where the next one begins.
 */
export function* walkRows<Row extends { readonly rowNumber: number }>(
  connection: Connection,
  table: NumberedTable,
  report: (gap: Gap) => void,
): Generator<Row, void> {
  const { name, number, columns } = table
  const select = `SELECT ${number} AS rowNumber, ${columns} FROM ${name} WHERE ${number} > ? ORDER BY ${number} LIMIT`
  const many = connection.prepare<[number], Row>(`${select} ${ROWS_AT_ONCE}`)
  const one = connection.prepare<[number], Row>(`${select} 1`)
  const next = connection
    .prepare<[number], number>(`SELECT ${number} FROM ${name} WHERE ${number} > ? ORDER BY ${number} LIMIT 1`)
    .pluck()
  let after = 0
  let singly = 0
  for (;;) {
    try {
      const rows = singly > 0 ? one.all(after) : many.all(after)
      const last = rows.at(-1)
      if (last === undefined) return
      if (last.rowNumber <= after) throw new Error('its rows are out of order')
      yield* rows
      after = last.rowNumber
      singly = Math.max(0, singly - 1)
    } catch (error) {
      if (singly === 0) {
        // Among many, it is not known which could not be read.
        singly = ROWS_AT_ONCE
        continue
      }
      const end = endOfGap((from) => next.get(from), after)
      const goesOn = end !== null && end > after
      report({ from: after + 1, to: goesOn ? end : null, error })
      if (!goesOn) return
      after = end
    }
  }
}

/** The last number of a gap that begins behind `after`; null when nothing behind can be read. `next` throws within the gap. */
function endOfGap(next: (after: number) => number | undefined, after: number): number | null {
  const canSeek = (from: number): boolean => {
    try {
      next(from)
      return true
    } catch {
      return false
    }
  }
  if (canSeek(after)) return next(after) ?? null
  let step = 1
  while (!canSeek(after + step)) {
    if (step > 2 ** 51) return null
    step *= 2
  }
  let [least, most] = [after + step / 2, after + step]
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2)
    if (canSeek(middle)) most = middle
    else least = middle
  }
  return next(most) === undefined ? null : most
}
