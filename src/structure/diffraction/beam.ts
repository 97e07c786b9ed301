import { readTable } from '../../kernel/project-files.ts'
import type { CrystalSite } from '../crystal.ts'

/** By symbol, and by symbol after mass number: `Fe`, `57Fe`. */
const lengths: ReadonlyMap<string, number> = new Map(
  readTable('structure/diffraction/scattering-lengths.tsv').flatMap(lengthsInRow),
)

function lengthsInRow(row: readonly string[]): readonly (readonly [string, number])[] {
  const [symbol = '', natural = '-', ...isotopes] = row
  return [
    ...(natural === '-' ? [] : [[symbol, Number(natural)] as const]),
    ...isotopes.map((isotope) => {
      const [massNumber = '', length = ''] = isotope.split(':')
      return [`${massNumber}${symbol}`, Number(length)] as const
    }),
  ]
}

/** Name of a neutron scatterer: `H`, or `2H` where it is one isotope. */
export function isotopeName({ element, isotope }: Pick<CrystalSite, 'element' | 'isotope'>): string {
  return isotope === undefined ? element : `${isotope}${element}`
}

/** Scattering length of a nucleus for slow neutrons, in fm; negative where the wave is turned over, undefined if not tabulated. */
export function scatteringLength(name: string): number | undefined {
  return lengths.get(name)
}

const coefficients: ReadonlyMap<string, readonly number[]> = new Map(
  readTable('structure/diffraction/scattering-factors.tsv').map(([symbol = '', ...numbers]) => [
    symbol,
    numbers.map(Number),
  ]),
)

/** Beyond this sin θ / λ (Å⁻¹) the tabulated coefficients say nothing. */
export const LARGEST_S = 2

/** X-ray scattering factor of a neutral atom, in electrons, at `s` = sin θ / λ in Å⁻¹, without dispersion; undefined beyond californium. */
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

/** Radiation for a powder, and how atoms scatter it. */
export interface Beam {
  /** Names what scatters at a site, apart from all that scatters otherwise. */
  readonly speciesOf: (site: CrystalSite) => string
  /** Scattering of a species at sin θ / λ in Å⁻¹; undefined where nobody has tabulated it. */
  readonly factorOf: (species: string) => ((s: number) => number) | undefined
  /** Tabulated quantity, for messages. */
  readonly quantity: string
  readonly tabulated: string
  /** Largest sin θ / λ, in Å⁻¹, up to which factors are known. */
  readonly largestS: number
  /** Intensity of a powder's line by its angle alone. */
  readonly angleFactor: (theta: number) => number
}

/** Electrons scatter X-rays; the beam is not polarised before. */
const X_RAY: Beam = {
  speciesOf: ({ element }) => element,
  factorOf: scatteringFactorOf,
  quantity: 'scattering factor',
  tabulated: 'They are tabulated from hydrogen to californium.',
  largestS: LARGEST_S,
  angleFactor: (theta) => (1 + Math.cos(2 * theta) ** 2) * lorentz(theta),
}

/** Nuclei scatter neutrons: each isotope in its way, at all angles alike. */
const NEUTRON: Beam = {
  speciesOf: isotopeName,
  factorOf(species) {
    const length = scatteringLength(species)
    return length === undefined ? undefined : () => length
  },
  quantity: 'neutron scattering length',
  tabulated: 'They are tabulated from hydrogen to americium, but for some that are short-lived.',
  largestS: Number.POSITIVE_INFINITY,
  angleFactor: lorentz,
}

export const BEAMS = { xRay: X_RAY, neutron: NEUTRON } as const satisfies Readonly<Record<string, Beam>>

export type BeamName = keyof typeof BEAMS

function lorentz(theta: number): number {
  return 1 / (Math.sin(theta) ** 2 * Math.cos(theta))
}
