const FIRST_SURROGATE = 0xd800
const AFTER_SURROGATES = 0xe000

/**
 * Compares texts by their UTF-8 bytes, as MongoDB does. JavaScript compares UTF-16 units instead, which puts the
 * characters beyond U+FFFF (written with surrogates) before those from U+E000 on.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const unitA = a.charCodeAt(index)
    const unitB = b.charCodeAt(index)
    if (unitA !== unitB) return utf8Rank(unitA) - utf8Rank(unitB)
  }
  return a.length - b.length
}

/** Moves surrogates above all other units: what they encode has the longest UTF-8 form. */
export function utf8Rank(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit
  return unit < AFTER_SURROGATES ? unit + 0x2000 : unit - 0x800
}

/** The unit that `utf8Rank` gives a rank. */
export function unitOfRank(rank: number): number {
  if (rank < FIRST_SURROGATE) return rank
  return rank < FIRST_SURROGATE + 0x2000 ? rank + 0x800 : rank - 0x2000
}
