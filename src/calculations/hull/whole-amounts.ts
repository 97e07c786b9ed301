/** Largest amount that is taken as it is where all are whole. */
const MOST_WHOLE = 2 ** 40
/** Formula units that are tried to make all amounts whole: thirds, sixths, hundredths. */
const MOST_UNITS = 1000
/** Relative error of amounts that were written as decimals; pymatgen compares amounts to 1e-8 too. */
const AMOUNT_ERROR = 1e-8
/** Parts of the whole that amounts are rounded to where no number of formula units makes them whole. */
const PARTS = 2 ** 40

/**
 * Amounts of a composition as the smallest whole numbers in their ratio: 0.5 and 1 are 1 and 2. Amounts that are in no ratio of small numbers
 * become shares of 2^-40, which moves a composition by less than 1e-12.
 */
export function wholeAmounts(amounts: readonly number[]): readonly number[] {
  const largest = Math.max(...amounts)
  if (largest <= MOST_WHOLE && amounts.every(Number.isInteger)) return withoutCommonFactor(amounts)
  const smallest = Math.min(...amounts.filter((amount) => amount > 0))
  for (let units = 1; units <= MOST_UNITS && (largest / smallest) * units <= MOST_WHOLE; units++) {
    const whole = amounts.map((amount) => Math.round((amount / smallest) * units))
    if (whole.every((count, index) => isRatio(count, ((amounts[index] ?? 0) / smallest) * units)))
      return withoutCommonFactor(whole)
  }
  const total = amounts.reduce((sum, amount) => sum + amount / largest, 0)
  return withoutCommonFactor(
    amounts.map((amount) => (amount === 0 ? 0 : Math.max(1, Math.round((amount / largest / total) * PARTS)))),
  )
}

function isRatio(whole: number, exact: number): boolean {
  return Math.abs(whole - exact) <= AMOUNT_ERROR * exact
}

function withoutCommonFactor(whole: readonly number[]): readonly number[] {
  const factor = whole.reduce(commonFactor, 0)
  return factor > 1 ? whole.map((count) => count / factor) : whole
}

function commonFactor(one: number, other: number): number {
  let [a, b] = [one, other]
  while (b !== 0) [a, b] = [b, a % b]
  return a
}
