import type { Column } from './column.ts'
import { type Bits, hasBit, rowsOf } from './selection.ts'
import type { ValueDictionary } from './value-dictionary.ts'

/** Mask of a dictionary's ordinals: 1 where one counts. */
export type OrdinalMask = Uint8Array

export interface OrdinalCounts {
  readonly counts: Uint32Array
  /** Number of rows that have one that counts. */
  readonly withAny: number
}

/** The ordinals of the scalars whose values the dictionary has. */
export function scalarOrdinals(dictionary: ValueDictionary): OrdinalMask {
  const mask = new Uint8Array(dictionary.size)
  mask.fill(1, 0, dictionary.ordinalsOf('string')[1])
  mask.fill(1, ...dictionary.ordinalsOf('boolean'))
  return mask
}

export function numberOrdinals(dictionary: ValueDictionary): OrdinalMask {
  return new Uint8Array(dictionary.size).fill(1, ...dictionary.ordinalsOf('number'))
}

/** Counts how many of some rows have each value. A row that has one several times counts once for it. */
export function countOrdinals(column: Column, rows: Bits, mask: OrdinalMask): OrdinalCounts {
  const counts = new Uint32Array(column.dictionary.size)
  const entries = column.entries.length === 0 ? new Uint8Array(column.entryCount) : column.entries
  let withAny = 0
  if (column.isDense) {
    // Entry and row are the same number.
    for (const row of rowsOf(rows)) {
      const ordinal = entries[row] as number
      counts[ordinal] = (counts[ordinal] as number) + 1
      withAny += mask[ordinal] as number
    }
    return { counts, withAny }
  }
  const { present, offsets } = column
  // The last row that had each value, counted from 1.
  const last = new Uint32Array(counts.length)
  for (let at = 0; at < present.length; at++) {
    const row = present[at] as number
    if (!hasBit(rows, row)) continue
    const end = offsets[row + 1] as number
    let found = 0
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const ordinal = entries[entry] as number
      if (last[ordinal] === row + 1) continue
      last[ordinal] = row + 1
      counts[ordinal] = (counts[ordinal] as number) + 1
      found |= mask[ordinal] as number
    }
    withAny += found
  }
  return { counts, withAny }
}
