import { type Bits, noBits, setRows } from './bits.ts'
import type { Column } from './column.ts'
import type { Kind } from './column-parts.ts'

/** The rows whose values a column does not have: odd ones, and those with a text that is cut or a value of one of the kinds; null: none. */
export function doubtfulRows(column: Column, kinds: readonly Kind[]): Bits | null {
  let doubtful: Bits | null = column.oddCount > 0 ? column.oddBits.slice() : null
  const add = (ordinal: number): void => {
    const { starts, rows } = column.postings
    doubtful ??= noBits(column.rows)
    setRows(doubtful, rows, starts[ordinal] as number, starts[ordinal + 1] as number)
  }
  for (const kind of kinds) if (column.dictionary.ordinalOfKind(kind) >= 0) add(column.dictionary.ordinalOfKind(kind))
  for (const ordinal of column.dictionary.cutTexts()) add(ordinal)
  return doubtful
}
