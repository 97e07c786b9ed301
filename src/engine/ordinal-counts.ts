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

/** Counts how many of some rows (`null`: of all) have each value. A row that has one several times counts once for it. */
export function countOrdinals(column: Column, rows: Bits | null, mask: OrdinalMask): OrdinalCounts {
  const counts = new Uint32Array(column.dictionary.size)
  if (!column.isSingle) return countInArrays(column, rows, mask, counts)
  if (column.entries.length === 0) counts[0] = rows === null ? column.presentCount : countPresent(column, rows)
  else if (column.isDense) countDense(column, rows, counts)
  else countSparse(column, rows, counts)
  let withAny = 0
  for (let ordinal = 0; ordinal < counts.length; ordinal++) {
    if (mask[ordinal] === 1) withAny += counts[ordinal] as number
  }
  return { counts, withAny }
}

function countPresent({ present }: Column, rows: Bits): number {
  let count = 0
  for (let at = 0; at < present.length; at++) if (hasBit(rows, present[at] as number)) count += 1
  return count
}

/** Entry and row are the same number. */
function countDense({ entries }: Column, rows: Bits | null, counts: Uint32Array): void {
  if (rows === null) {
    for (let entry = 0; entry < entries.length; entry++) {
      const ordinal = entries[entry] as number
      counts[ordinal] = (counts[ordinal] as number) + 1
    }
    return
  }
  for (const row of rowsOf(rows)) {
    const ordinal = entries[row] as number
    counts[ordinal] = (counts[ordinal] as number) + 1
  }
}

function countSparse({ entries, present }: Column, rows: Bits | null, counts: Uint32Array): void {
  for (let at = 0; at < present.length; at++) {
    if (rows !== null && !hasBit(rows, present[at] as number)) continue
    const ordinal = entries[at] as number
    counts[ordinal] = (counts[ordinal] as number) + 1
  }
}

function countInArrays(column: Column, rows: Bits | null, mask: OrdinalMask, counts: Uint32Array): OrdinalCounts {
  const { present, offsets } = column
  const entries = column.entries.length === 0 ? new Uint8Array(column.entryCount) : column.entries
  // The last row that had each value, counted from 1.
  const last = new Uint32Array(counts.length)
  let withAny = 0
  for (let at = 0; at < present.length; at++) {
    const row = present[at] as number
    if (rows !== null && !hasBit(rows, row)) continue
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
