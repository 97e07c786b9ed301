import { SCATTERING_FACTOR_ROWS } from './scattering-factor-table.ts'

const coefficients: ReadonlyMap<string, readonly number[]> = new Map(
  SCATTERING_FACTOR_ROWS.trim()
    .split('\n')
    .map((row) => {
      const [symbol = '', ...numbers] = row.split(' ')
      return [symbol, numbers.map(Number)]
    }),
)

/** Beyond this sin θ / λ (Å⁻¹) the tabulated coefficients say nothing. */
export const LARGEST_S = 2

/** How strongly a neutral atom scatters X-rays, in electrons, at `s` = sin θ / λ in Å⁻¹, without dispersion; undefined beyond californium. */
export function scatteringFactorOf(symbol: string): ((s: number) => number) | undefined {
  const row = coefficients.get(symbol)
  if (row === undefined) return undefined
  return (s) => {
    const squared = s * s
    let sum = row[8] ?? 0
    for (let at = 0; at < 8; at += 2) sum += (row[at] ?? 0) * Math.exp(-(row[at + 1] ?? 0) * squared)
    return sum
  }
}
