import { radiusOf } from '../../page/scene/element-looks.ts'
import { findElement } from '../elements/element.ts'
import type { Surrounding } from './surroundings.ts'
import type { VoronoiFace } from './voronoi-cell.ts'

/** The atoms that an atom is bonded to, and how plain it is that they are so many: from 0 to 1. */
export interface NearNeighbours {
  readonly bonded: readonly Surrounding[]
  readonly likelihood: number
}

/** Surroundings of an atom: candidates, by index, and the faces of its Voronoi cell towards them. */
export interface Environment {
  readonly element: string
  readonly candidates: readonly Surrounding[]
  readonly faces: readonly VoronoiFace[]
  readonly elementOf: (site: number) => string
}

/** Up to the sum of the radii and this a bond counts fully, from the sum and the other on not at all. */
const FULL_WITHIN_ANGSTROM = 0.5
const NONE_BEYOND_ANGSTROM = 1
/** Extra weight of a bond that is as polar as can be. */
const POLARITY_WEIGHT = 3
/** The largest difference of electronegativities there is, of caesium and fluorine. */
const LARGEST_DIFFERENCE = 3.3

/** CrystalNN (Zimmermann and Jain, RSC Adv. 10, 6063 (2020)), weighted without oxidation states: the likeliest number of neighbours. */
export function nearNeighbours({ element, candidates, faces, elementOf }: Environment): NearNeighbours {
  const weighed = faces.map(({ neighbour, solidAngle, area }) => {
    const candidate = candidates[neighbour] as Surrounding
    const other = elementOf(candidate.site)
    // The angle over the area: far faces of open structures are large, and say little.
    const weight = ((solidAngle * solidAngle) / area) * polarity(element, other)
    return { candidate, weight, nearness: nearness(element, other, candidate.distance) }
  })
  const most = Math.max(0, ...weighed.map(({ weight }) => weight))
  const counted = weighed
    .map(({ candidate, weight, nearness: near }) => ({ candidate, weight: threeDecimals((weight / most) * near) }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.candidate.distance - other.candidate.distance)
  const { least, likelihood } = mostLikely([...new Set(counted.map(({ weight }) => weight))])
  return { bonded: counted.filter(({ weight }) => weight >= least).map(({ candidate }) => candidate), likelihood }
}

/** Likelihood of a number of neighbours is the area of a quarter circle between its least weight and the next one, the largest first. */
function mostLikely(weights: readonly number[]): { readonly least: number; readonly likelihood: number } {
  let best = { least: Number.POSITIVE_INFINITY, likelihood: 0 }
  let all = 0
  for (const [index, weight] of weights.entries()) {
    const likelihood = areaUpTo(weight) - areaUpTo(weights[index + 1] ?? 0)
    all += likelihood
    if (likelihood > best.likelihood) best = { least: weight, likelihood }
  }
  return 1 - all > best.likelihood ? { least: Number.POSITIVE_INFINITY, likelihood: 1 - all } : best
}

/** Share of a quarter of the unit circle nearer to its axis than `x`. */
function areaUpTo(x: number): number {
  return (x * Math.sqrt(1 - x * x) + Math.asin(x)) / (Math.PI / 2)
}

function polarity(one: string, other: string): number {
  const [x, y] = [findElement(one)?.electronegativity, findElement(other)?.electronegativity]
  if (typeof x !== 'number' || typeof y !== 'number') return 1
  return 1 + POLARITY_WEIGHT * Math.sqrt(Math.abs(x - y) / LARGEST_DIFFERENCE)
}

function nearness(one: string, other: string, distance: number): number {
  const beyond = distance - radiusOf(one) - radiusOf(other) - FULL_WITHIN_ANGSTROM
  const width = NONE_BEYOND_ANGSTROM - FULL_WITHIN_ANGSTROM
  if (beyond <= 0) return 1
  return beyond >= width ? 0 : (Math.cos((beyond / width) * Math.PI) + 1) / 2
}

function threeDecimals(value: number): number {
  return Math.round(value * 1000) / 1000
}
