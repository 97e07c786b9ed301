/** Denominators of shares that decimals only come near to. */
const DENOMINATORS = [3, 6, 7, 9, 11, 12]
/** Errors of rounding to three and to four decimals. */
const THREE_DECIMALS = 5.001e-4
const FOUR_DECIMALS = 5.001e-5

/** The simple fraction that decimals stand for; other numbers stay what they are. */
export function exactShare(value: number): number {
  const isOfThree = Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6
  const isOfFour = Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6
  for (const denominator of isOfFour ? DENOMINATORS : []) {
    const exact = Math.round(value * denominator) / denominator
    const off = Math.abs(value - exact)
    // Three decimals are near to many fractions: thirds and sixths are what sites have.
    if (off <= FOUR_DECIMALS || (isOfThree && denominator <= 6 && off <= THREE_DECIMALS && off > 0)) return exact
  }
  return value
}
