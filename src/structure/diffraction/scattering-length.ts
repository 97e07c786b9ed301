import type { CrystalSite } from '../crystal.ts'
import { SCATTERING_LENGTH_ROWS } from './scattering-length-table.ts'

/** By symbol, and by symbol after mass number: `Fe`, `57Fe`. */
const lengths: ReadonlyMap<string, number> = new Map(SCATTERING_LENGTH_ROWS.trim().split('\n').flatMap(lengthsInRow))

function lengthsInRow(row: string): readonly (readonly [string, number])[] {
  const [symbol = '', natural = '-', ...isotopes] = row.split(' ')
  return [
    ...(natural === '-' ? [] : [[symbol, Number(natural)] as const]),
    ...isotopes.map((isotope) => {
      const [massNumber = '', length = ''] = isotope.split(':')
      return [`${massNumber}${symbol}`, Number(length)] as const
    }),
  ]
}

/** What of an atom scatters neutrons: `H`, or `2H` where it is one isotope. */
export function isotopeName({ element, isotope }: Pick<CrystalSite, 'element' | 'isotope'>): string {
  return isotope === undefined ? element : `${isotope}${element}`
}

/** How strongly a nucleus scatters slow neutrons, in fm; negative where the wave is turned over. Undefined where it is not tabulated. */
export function scatteringLength(name: string): number | undefined {
  return lengths.get(name)
}
