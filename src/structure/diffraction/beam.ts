import type { CrystalSite } from '../crystal.ts'
import { LARGEST_S, scatteringFactorOf } from './scattering-factor.ts'
import { isotopeName, scatteringLength } from './scattering-length.ts'

/** What is sent through a powder, and how atoms scatter it. */
export interface Beam {
  /** Names what scatters at a site, apart from all that scatters otherwise. */
  readonly speciesOf: (site: CrystalSite) => string
  /** How strongly a species scatters at sin θ / λ in Å⁻¹; undefined where nobody has tabulated it. */
  readonly factorOf: (species: string) => ((s: number) => number) | undefined
  /** What is tabulated, for a message. */
  readonly quantity: string
  readonly tabulated: string
  /** Largest sin θ / λ, in Å⁻¹, up to which factors are known. */
  readonly largestS: number
  /** How strong a powder's line is by its angle alone. */
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
