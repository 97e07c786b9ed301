import type { Crystal } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { vectorsVolume } from '../lattice.ts'
import { IDENTITY, itemAt, type Matrix3, type Vector3 } from '../linear-algebra.ts'
import { primitiveCellOf } from '../symmetry/primitive-cell.ts'
import { operatorsOfSetting, SPACE_GROUP_SETTINGS } from '../symmetry/space-group-setting.ts'
import type { SymmetryReport } from '../symmetry/symmetry-report.ts'
import { BEAMS, type Beam, type BeamName } from './beam.ts'
import { type DiffractingCrystal, type ReflectionFamily, reflectionFamilies, reflectionsWithin } from './reflections.ts'

/** Cell that diffracts: the standard one, in which the crystal has its symmetry exactly, or the given one. */
export type DiffractionCell = 'conventional' | 'given'

export interface PatternTerms {
  readonly beam: BeamName
  /** In Å. */
  readonly wavelength: number
  /** Least and most 2θ in degrees. */
  readonly min: number
  readonly max: number
  readonly cell: DiffractionCell
}

/** Planes that reflect at one angle, as a detector sees them. */
export interface Peak {
  /** In degrees. */
  readonly twoTheta: number
  /** In Å. */
  readonly d: number
  /** 100 is the strongest peak within the range. */
  readonly intensity: number
  readonly reflections: readonly { readonly hkl: Vector3; readonly multiplicity: number }[]
}

export interface PowderPattern {
  /** The cell to which the indices refer. */
  readonly cell: DiffractionCell
  readonly lattice: Matrix3
  readonly peaks: readonly Peak[]
}

/** More points of the reciprocal lattice than this, or more than `MOST_TERMS` atoms times points, would keep a thread for seconds. */
export const MOST_REFLECTIONS = 100_000
export const MOST_TERMS = 30_000_000

/** Peaks that are nearer than this, in degrees, are one: no instrument tells them apart. */
const ONE_PEAK = 1e-3
/** Share of the strongest: less is rounding noise, or will not be seen. */
const FAINTEST = 1e-5

const RADIAN = Math.PI / 180

/** Refuses what no symmetry makes feasible, before it is sought: by the given cell, or by the smallest that repeats within the tolerance (Å). */
export function assertDiffracts(crystal: Crystal, terms: PatternTerms, tolerance: number): void {
  assertScatters(crystal, BEAMS[terms.beam])
  const cell = terms.cell === 'given' ? crystal : primitiveCellOf(crystal, tolerance).cell
  assertFeasible(cell, spacingsWithin(terms).closest, terms)
}

/** Peaks: |F|² times multiplicity and Lorentz factor, X-rays polarised without a monochromator; atoms neutral, at rest, no dispersion. */
export function powderPattern(
  crystal: Crystal,
  symmetry: SymmetryReport | undefined,
  terms: PatternTerms,
): PowderPattern {
  const beam = BEAMS[terms.beam]
  const isStandard =
    terms.cell === 'conventional' && symmetry?.status === 'computed' && isSymmetric(crystal, symmetry, beam)
  const diffracting = isStandard ? standardCrystal(crystal, symmetry) : crystalAsGiven(crystal)
  const spacings = spacingsWithin(terms)
  assertFeasible(diffracting.cell, spacings.closest, terms)
  const families = spacings.closest > 0 ? reflectionFamilies(diffracting, { ...spacings, beam }) : []
  const peaks = peaksOf(families, terms)
  return { cell: isStandard ? 'conventional' : 'given', lattice: diffracting.indexLattice, peaks }
}

type FoundReport = Extract<SymmetryReport, { status: 'computed' }>

/** Symmetry knows elements: isotopes of one may scatter otherwise, and then equivalent sites are none. */
function isSymmetric({ sites }: Crystal, { equivalentTo }: FoundReport, { speciesOf }: Beam): boolean {
  return sites.every((site, index) => speciesOf(site) === speciesOf(itemAt(sites, itemAt(equivalentTo, index))))
}

/** The sites of the standard cell are those of the crystal, idealised: which isotope each has, the crystal knows. */
function standardCrystal(
  { sites }: Crystal,
  { primitiveCell, conventionalCell, hallNumber, originals }: FoundReport,
): DiffractingCrystal {
  const setting = SPACE_GROUP_SETTINGS[hallNumber - 1]
  const operators = setting === undefined ? [] : operatorsOfSetting(setting)
  return {
    cell: {
      lattice: primitiveCell.lattice,
      sites: primitiveCell.sites.map((site, index) => {
        const { isotope } = itemAt(sites, itemAt(originals, index))
        return isotope === undefined ? site : { ...site, isotope }
      }),
    },
    indexLattice: conventionalCell.lattice,
    rotations: [IDENTITY, ...operators.map(({ rotation }) => rotation)],
  }
}

function crystalAsGiven({ lattice, sites }: Crystal): DiffractingCrystal {
  return { cell: { lattice, sites }, indexLattice: lattice, rotations: [IDENTITY] }
}

function spacingsWithin({ wavelength, min, max }: PatternTerms): { closest: number; farthest: number } {
  const spacing = (twoTheta: number) => wavelength / (2 * Math.sin((twoTheta / 2) * RADIAN))
  return { closest: spacing(max), farthest: min === 0 ? Number.POSITIVE_INFINITY : spacing(min) }
}

function assertScatters({ periodic, sites }: Crystal, { speciesOf, factorOf, quantity, tabulated }: Beam): void {
  if (periodic.includes(false)) {
    const message = 'The structure does not repeat in all three directions, so it has no powder pattern.'
    throw refusal(FORMAT_ERRORS.notPeriodic, message, { hint: 'Give a crystal: a cell that repeats along a, b and c.' })
  }
  const unknown = sites.map(speciesOf).find((species) => factorOf(species) === undefined)
  if (unknown === undefined) return
  throw refusal(FORMAT_ERRORS.noScatteringFactor, `There is no ${quantity} of ${unknown}.`, { hint: tabulated })
}

function assertFeasible(
  cell: DiffractingCrystal['cell'],
  closest: number,
  { wavelength, max, beam }: PatternTerms,
): void {
  const { largestS } = BEAMS[beam]
  if (1 / (2 * closest) > largestS) {
    const most = Math.floor((2 * Math.asin(Math.min(1, largestS * wavelength))) / RADIAN)
    const message = `Scattering factors are tabulated up to sin θ / λ = ${largestS} Å⁻¹ only.`
    const hint = `With ${wavelength} Å, ask for at most ${most}°.`
    throw refusal(FORMAT_ERRORS.tooManyReflections, message, { path: 'max', hint })
  }
  const volume = vectorsVolume(cell.lattice)
  const count = Math.ceil(reflectionsWithin(volume, closest))
  const most = Math.min(MOST_REFLECTIONS, MOST_TERMS / cell.sites.length)
  if (count <= most) return
  const nearest = (most / ((4 / 3) * Math.PI * volume)) ** (-1 / 3)
  const angle = Math.floor(((2 * Math.asin(Math.min(1, wavelength / (2 * nearest)))) / RADIAN) * 10) / 10
  throw refusal(
    FORMAT_ERRORS.tooManyReflections,
    `Up to ${max}° this cell of ${cell.sites.length} atoms has about ${count} reflections; at most ${Math.floor(most)} are computed.`,
    { path: 'max', hint: `Ask for at most ${angle}°, or for a longer wavelength.` },
  )
}

function peaksOf(families: readonly ReflectionFamily[], { wavelength, beam }: PatternTerms): Peak[] {
  const { angleFactor } = BEAMS[beam]
  const lines = families
    .map((family) => {
      const theta = Math.asin(Math.min(1, wavelength / (2 * family.d)))
      return {
        ...family,
        twoTheta: (2 * theta) / RADIAN,
        strength: family.squaredFactor * family.multiplicity * angleFactor(theta),
      }
    })
    .sort((one, other) => one.twoTheta - other.twoTheta)
  const groups: (typeof lines)[] = []
  for (const line of lines) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && line.twoTheta - group[0].twoTheta < ONE_PEAK) group.push(line)
    else groups.push([line])
  }
  const strengths = groups.map((group) => group.reduce((sum, { strength }) => sum + strength, 0))
  const strongest = strengths.reduce((most, strength) => Math.max(most, strength), 0)
  return groups.flatMap((group, index): Peak[] => {
    const intensity = (strengths[index] ?? 0) / strongest
    const [first] = group
    if (first === undefined || !(intensity >= FAINTEST)) return []
    const seen = group
      .filter(({ strength }) => strength / strongest >= FAINTEST / group.length)
      .sort((one, other) => other.strength - one.strength)
    const reflections = seen.map(({ hkl, multiplicity }) => ({ hkl, multiplicity }))
    return [{ twoTheta: first.twoTheta, d: first.d, intensity: intensity * 100, reflections }]
  })
}
