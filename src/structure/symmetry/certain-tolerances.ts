import type { Cell } from '../crystal.ts'
import { AXES, greatestCommonDivisor, length, type Matrix3, metricOf, multiply, transpose } from '../linear-algebra.ts'
import { mayHaveFurther } from './further-operators.ts'
import { likePlaces, MOST_COMPARISONS } from './like-places.ts'
import { imageOf, type SymmetryOperator } from './operator.ts'
import { type PrimitiveCell, repeatDeviation } from './primitive-cell.ts'

/** Tolerances (Å) from which on, and up to which, a crystal has the group that was found within one of them; nothing needs to be sought there. */
export interface CertainTolerances {
  readonly least: number
  readonly most: number
}

/** Ratio of a tolerance to an operator's deviation at which the operator is surely found. */
const TIMES_WITHIN = 10
/** Point groups that are within no other one. */
const GREATEST_POINT_GROUPS = ['m-3m', '6/mmm']

/** Findings within a tolerance, and how far upwards is asked for what is certain. */
interface Search {
  readonly operators: readonly SymmetryOperator[]
  readonly pointGroup: string
  readonly tolerance: number
  /** Whether they were found within that tolerance: a finder in difficulties goes on to another one. */
  readonly isAsAsked: boolean
  readonly upTo: number
}

/** Certain down to where operators and repeats hold many times over, and upwards where the point group is a greatest one and no translation is left, or where no more operators are near. */
export function certainTolerances(crystal: Cell, primitive: PrimitiveCell, search: Search): CertainTolerances {
  const { cell } = primitive
  const { operators, pointGroup, tolerance, isAsAsked, upTo } = search
  const isGreatest = GREATEST_POINT_GROUPS.includes(pointGroup) && !mayRepeat(cell)
  const isCertain = isAsAsked && tolerance < upTo && !isGreatest && !mayHaveFurther(cell, search)
  const most = isGreatest ? Number.POSITIVE_INFINITY : isCertain ? upTo : tolerance
  if (!isAsAsked || operators.length * cell.sites.length ** 2 > MOST_COMPARISONS) return { least: tolerance, most }
  const enough = tolerance / TIMES_WITHIN
  const off = Math.max(repeatDeviation(crystal, primitive), deviationOf(cell, operators, enough))
  return { least: Math.min(tolerance, TIMES_WITHIN * off), most }
}

/** Translations permute the atoms of every element in cycles of one length. */
function mayRepeat({ sites }: Cell): boolean {
  const counts = new Map<string, number>()
  for (const { element } of sites) counts.set(element, (counts.get(element) ?? 0) + 1)
  return [...counts.values()].reduce(greatestCommonDivisor) > 1
}

/** Greatest distance (Å) of an atom's image by an operator from its next like, or of a lattice vector from its like; what is beyond `enough` need not be known. */
function deviationOf(cell: Cell, operators: readonly SymmetryOperator[], enough: number): number {
  const species = likePlaces(cell)
  const metric = metricOf(cell.lattice)
  const shortest = Math.min(...cell.lattice.map(length))
  let most = 0
  for (const operator of operators) {
    most = Math.max(most, metricDeviation(metric, operator.rotation) / shortest)
    for (const places of species) {
      for (const fraction of places.fractions) {
        // What is no farther than the farthest so far does not matter.
        const next = places.squaredDistance(imageOf(fraction, operator), most * most)
        if (next > most * most) most = Math.sqrt(next)
      }
    }
    if (most > enough) break
  }
  return most
}

/** By how much scalar products of vectors differ from those of their images. */
function metricDeviation(metric: Matrix3, rotation: Matrix3): number {
  const image = multiply(multiply(transpose(rotation), metric), rotation)
  let most = 0
  for (const i of AXES) for (const j of AXES) most = Math.max(most, Math.abs(metric[i][j] - image[i][j]))
  return most
}
