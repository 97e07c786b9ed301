import { readTable } from '../../kernel/project-files.ts'
import type { Vector3 } from '../linear-algebra.ts'
import type { LatticeVariation } from './lattice-variation.ts'
import type { StandardLattice } from './standard-lattice.ts'

/** Points by their labels, in fractions of the reciprocal vectors of the primitive cell. */
export type SpecialPoints = Readonly<Record<string, Vector3>>

/** The paper's table of a zone. */
export interface ZoneTable {
  /** Labels in the order of the path; each part is a line without a jump. */
  readonly path: readonly (readonly string[])[]
  /** Coordinates by labels, as sums of fractions and parameters. */
  readonly points: readonly (readonly [label: string, coordinates: readonly string[]])[]
}

const ZONE_TABLES: ReadonlyMap<string, ZoneTable> = new Map(
  readTable('structure/reciprocal/zones.tsv').map(([zone = '', path = '', points = '']) => [
    zone,
    { path: path.split('|').map((part) => part.split(' ')), points: points.split('; ').map(pointOf) },
  ]),
)

function pointOf(text: string): ZoneTable['points'][number] {
  const [label = '', coordinates = ''] = text.split(' ')
  return [label, coordinates.split(',')]
}

export function zoneTable(variation: LatticeVariation): ZoneTable {
  const table = ZONE_TABLES.get(variation)
  if (table === undefined) throw new Error(`zones.tsv has no zone ${variation}`)
  return table
}

/** The points of a zone for the parameters that a lattice gives it. */
export function specialPoints(variation: LatticeVariation, lattice: StandardLattice): SpecialPoints {
  const parameters = PARAMETERS[variation]?.(lattice) ?? {}
  const points = zoneTable(variation).points.map(([label, coordinates]) => {
    const [x = 0, y = 0, z = 0] = coordinates.map((sum) => sumOf(sum, parameters))
    return [label, [x, y, z] as const] as const
  })
  return Object.fromEntries(points)
}

type ZoneParameters = Readonly<Record<string, number>>

/** Value of a sum such as `1/2-δ`. */
function sumOf(sum: string, parameters: ZoneParameters): number {
  return sum
    .split(/(?=[+-])/)
    .map((term) => (term.startsWith('-') ? -valueOfTerm(term.slice(1), parameters) : valueOfTerm(term, parameters)))
    .reduce((total, term) => total + term)
}

function valueOfTerm(term: string, parameters: ZoneParameters): number {
  const [name = '', divisor = '1'] = term.replace('+', '').split('/')
  const value = parameters[name] ?? Number(name) / Number(divisor)
  if (Number.isNaN(value)) throw new Error(`zones.tsv has a parameter ${name} that its zone has not`)
  return value
}

/** The Greek letters of the tables, by the lengths in Å and the angle in degrees of the standard lattice. */
const PARAMETERS: Readonly<Partial<Record<LatticeVariation, (lattice: StandardLattice) => ZoneParameters>>> = {
  BCT1: ({ a, c }) => ({ η: (1 + (c / a) ** 2) / 4 }),
  BCT2: ({ a, c }) => ({ η: (1 + (a / c) ** 2) / 4, ζ: (a / c) ** 2 / 2 }),
  ORCF1: pointedFaceCentred,
  ORCF2: ({ a, b, c }) => ({
    η: (1 + (a / b) ** 2 - (a / c) ** 2) / 4,
    φ: (1 + (c / b) ** 2 - (c / a) ** 2) / 4,
    δ: (1 + (b / a) ** 2 - (b / c) ** 2) / 4,
  }),
  ORCF3: pointedFaceCentred,
  ORCI: ({ a, b, c }) => ({
    ζ: (1 + (a / c) ** 2) / 4,
    η: (1 + (b / c) ** 2) / 4,
    δ: (b * b - a * a) / (4 * c * c),
    μ: (a * a + b * b) / (4 * c * c),
  }),
  ORCC: ({ a, b }) => ({ ζ: (1 + (a / b) ** 2) / 4 }),
  RHL1: ({ alpha }) => {
    const cosine = Math.cos(radians(alpha))
    const η = (1 + 4 * cosine) / (2 + 4 * cosine)
    return { η, ν: 0.75 - η / 2 }
  },
  RHL2: ({ alpha }) => {
    const η = 1 / (2 * Math.tan(radians(alpha) / 2) ** 2)
    return { η, ν: 0.75 - η / 2 }
  },
  MCL: (lattice) => {
    const { cosine, sine2, bToC } = shapeOf(lattice)
    const η = (1 - bToC * cosine) / (2 * sine2)
    return { η, ν: 0.5 - (η * cosine) / bToC }
  },
  MCLC1: firstCentred,
  MCLC2: firstCentred,
  MCLC3: thirdCentred,
  MCLC4: thirdCentred,
  MCLC5: fifthCentred,
}

/** The first and the third face-centred orthorhombic zone. */
function pointedFaceCentred({ a, b, c }: StandardLattice): ZoneParameters {
  return { ζ: (1 + (a / b) ** 2 - (a / c) ** 2) / 4, η: (1 + (a / b) ** 2 + (a / c) ** 2) / 4 }
}

function firstCentred(lattice: StandardLattice): ZoneParameters {
  const { cosine, sine2, bToC, aToB } = shapeOf(lattice)
  const ζ = (2 - bToC * cosine) / (4 * sine2)
  const ψ = 0.75 - aToB ** 2 / (4 * sine2)
  return { ζ, η: 0.5 + (2 * ζ * cosine) / bToC, ψ, φ: ψ + (0.75 - ψ) * bToC * cosine }
}

function thirdCentred(lattice: StandardLattice): ZoneParameters {
  const { cosine, sine2, bToC, aToB } = shapeOf(lattice)
  const μ = (1 + aToB ** -2) / 4
  const δ = cosine / (2 * aToB ** 2 * bToC)
  const ζ = μ - 0.25 + (1 - bToC * cosine) / (4 * sine2)
  const η = 0.5 + (2 * ζ * cosine) / bToC
  return { μ, δ, ζ, η, φ: 1 + ζ - 2 * μ, ψ: η - 2 * δ }
}

function fifthCentred(lattice: StandardLattice): ZoneParameters {
  const { cosine, sine2, bToC, aToB } = shapeOf(lattice)
  const ζ = (aToB ** -2 + (1 - bToC * cosine) / sine2) / 4
  const η = 0.5 + (2 * ζ * cosine) / bToC
  const μ = η / 2 + aToB ** -2 / 4 - cosine / (2 * aToB ** 2 * bToC)
  const ν = 2 * μ - ζ
  const ω = (4 * ν - 1 - sine2 / aToB ** 2) / (2 * bToC * cosine)
  return { ζ, η, μ, ν, ω, δ: (ζ * cosine) / bToC + ω / 2 - 0.25, ρ: 1 - ζ * aToB ** 2 }
}

function shapeOf({ a, b, c, alpha }: StandardLattice) {
  const angle = radians(alpha)
  return { cosine: Math.cos(angle), sine2: Math.sin(angle) ** 2, bToC: b / c, aToB: a / b }
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
