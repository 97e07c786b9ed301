/** Factor of two decimals, as people write them in a formula. */
const PRECISION = 100
const CLOSE = 1e-6
/** Numbers up to this are read as they are. */
const EASILY_READ = 12
/** Whole numbers above this are of no formula that people wrote. */
const LARGEST_UNIT = 1000

/**
 * Writes the formula of a disordered crystal as people do: lowest whole numbers such as Zn129Pb102Fe69As200O1000 as Zn1.29Pb1.02Fe0.69As2O10. The
 * ratios are the same; the unit is the largest that leaves some element whole and no other more than two decimals.
 */
export function disorderedFormula(formula: string): string {
  const counts = Array.from(formula.matchAll(/([A-Z][a-z]?)(\d*)/g), ([, symbol = '', count = '']) => {
    return [symbol, count === '' ? 1 : Number(count)] as const
  })
  const numbers = counts.map(([, count]) => count)
  if (numbers.every((count) => count <= EASILY_READ)) return formula
  const units = [...new Set(numbers.flatMap(divisorsOf))].sort((one, other) => other - one)
  const unit = units.find((one) => numbers.every((count) => isWhole((count / one) * PRECISION)))
  if (unit === undefined || !/^(?:[A-Z][a-z]?\d*)+$/.test(formula)) return formula
  return counts.map(([symbol, count]) => `${symbol}${count === unit ? '' : count / unit}`).join('')
}

function divisorsOf(count: number): readonly number[] {
  const most = Math.min(count, LARGEST_UNIT)
  return Array.from({ length: Math.floor(most) }, (_, index) => index + 1).filter((unit) => isWhole(count / unit))
}

function isWhole(number: number): boolean {
  return number > CLOSE && Math.abs(number - Math.round(number)) < CLOSE
}
