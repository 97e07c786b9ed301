/**
 * Rows of a segment that match a condition, as far as columns tell: those in `must` do, those that are not in `may` do not, and of
 * the rest only their documents tell. `must` is a part of `may`, and the very same set where nothing is in doubt.
 */
export class Selection {
  readonly must: Bits
  readonly may: Bits
  #most = -1

  constructor(must: Bits, may: Bits) {
    this.must = must
    this.may = may
  }

  /** Most rows that can match; counted once, since selections are kept. */
  get most(): number {
    if (this.#most < 0) this.#most = countBits(this.may)
    return this.#most
  }
}

export function exactly(bits: Bits): Selection {
  return new Selection(bits, bits)
}

/** A selection of which it is not known whether anything is in doubt. */
export function between(must: Bits, may: Bits): Selection {
  for (let word = 0; word < must.length; word++) if (must[word] !== may[word]) return new Selection(must, may)
  return exactly(must)
}

export function everyRow(rows: number): Selection {
  return exactly(allBits(rows))
}

export function noRow(rows: number): Selection {
  return exactly(noBits(rows))
}

export function isExact({ must, may }: Selection): boolean {
  return must === may
}

export function both(a: Selection, b: Selection): Selection {
  const may = intersection(a.may, b.may)
  return isExact(a) && isExact(b) ? exactly(may) : new Selection(intersection(a.must, b.must), may)
}

export function either(a: Selection, b: Selection): Selection {
  const may = union(a.may, b.may)
  return isExact(a) && isExact(b) ? exactly(may) : new Selection(union(a.must, b.must), may)
}

export function negation(a: Selection, rows: number): Selection {
  const must = complement(a.may, rows)
  return isExact(a) ? exactly(must) : new Selection(must, complement(a.must, rows))
}

/** Whether something passes: no, yes, or that only its document tells. Together by the least, in turn by the most of them. */
export type Verdict = typeof NO | typeof PERHAPS | typeof YES
export const NO = 0
export const PERHAPS = 1
export const YES = 2

export function opposite(verdict: Verdict): Verdict {
  return (YES - verdict) as Verdict
}

export function verdictOf(passes: boolean): Verdict {
  return passes ? YES : NO
}

/** A set of rows: bit `row & 31` of word `row >> 5`. Bits beyond the last row are 0. */
export type Bits = Uint32Array

export function noBits(rows: number): Bits {
  return new Uint32Array((rows + 31) >>> 5)
}

export function allBits(rows: number): Bits {
  const bits = noBits(rows).fill(0xffffffff)
  trim(bits, rows)
  return bits
}

export function hasBit(bits: Bits, row: number): boolean {
  return ((bits[row >>> 5] as number) & (1 << (row & 31))) !== 0
}

export function setBit(bits: Bits, row: number): void {
  const word = row >>> 5
  bits[word] = (bits[word] as number) | (1 << (row & 31))
}

/** Sets the bits of a part of a list of rows. */
export function setRows(bits: Bits, list: Uint16Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const row = list[at] as number
    const word = row >>> 5
    bits[word] = (bits[word] as number) | (1 << (row & 31))
  }
}

export function intersection(a: Bits, b: Bits): Bits {
  const out = new Uint32Array(a.length)
  for (let word = 0; word < out.length; word++) out[word] = (a[word] as number) & (b[word] as number)
  return out
}

export function union(a: Bits, b: Bits): Bits {
  const out = new Uint32Array(a.length)
  for (let word = 0; word < out.length; word++) out[word] = (a[word] as number) | (b[word] as number)
  return out
}

export function difference(a: Bits, b: Bits): Bits {
  const out = new Uint32Array(a.length)
  for (let word = 0; word < out.length; word++) out[word] = (a[word] as number) & ~(b[word] as number)
  return out
}

export function complement(bits: Bits, rows: number): Bits {
  const out = new Uint32Array(bits.length)
  for (let word = 0; word < out.length; word++) out[word] = ~(bits[word] as number)
  trim(out, rows)
  return out
}

export function isEmpty(bits: Bits): boolean {
  for (let word = 0; word < bits.length; word++) if (bits[word] !== 0) return false
  return true
}

export function countBits(bits: Bits): number {
  let count = 0
  for (let word = 0; word < bits.length; word++) count += countWord(bits[word] as number)
  return count
}

/** The rows of either; null stands for no row. */
export function eitherRows(a: Bits | null, b: Bits | null): Bits | null {
  if (a === null || b === null) return a ?? b
  return union(a, b)
}

/** Counts those of so many places in order that come before something: all others come behind it. */
export function countBefore(places: number, isBefore: (place: number) => boolean): number {
  let low = 0
  let high = places
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Number of set bits of a word (population count: H. S. Warren, Hacker's Delight, 5-1). */
export function countWord(word: number): number {
  let value = word - ((word >>> 1) & 0x55555555)
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333)
  return (((value + (value >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** The rows of the set from one on, ascending; written to `out` as far as there is room, which is returned as far as it was filled. */
export function rowsOf(bits: Bits, out: Uint16Array = new Uint16Array(countBits(bits)), from = 0): Uint16Array {
  const first = from >>> 5
  let count = 0
  let value = (bits[first] ?? 0) & (-1 << (from & 31))
  for (let word = first; word < bits.length; value = bits[++word] as number) {
    while (value !== 0) {
      if (count === out.length) return out
      const lowest = value & -value
      out[count] = (word << 5) + (31 - Math.clz32(lowest))
      count += 1
      value ^= lowest
    }
  }
  return out.subarray(0, count)
}

function trim(bits: Bits, rows: number): void {
  const last = bits.length - 1
  if ((rows & 31) !== 0) bits[last] = (bits[last] as number) & ((1 << (rows & 31)) - 1)
}
