import { allBits, type Bits, complement, countBits, intersection, noBits, union } from './bits.ts'

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
