import { parametersOf, vectorsAlongX } from '../cell.ts'
import { reducedPair } from '../lattice.ts'
import {
  add,
  determinant,
  dot,
  IDENTITY,
  inverse,
  itemAt,
  length,
  type Matrix3,
  mapMatrix,
  multiply,
  scale,
  type Vector3,
} from '../linear-algebra.ts'
import { AXIS_ORDERS, cellAfter, changeWithin } from './change-of-cell.ts'
import { imageOf, type SymmetryOperator } from './operator.ts'
import { operatorsOfSetting, SPACE_GROUP_SETTINGS } from './space-group-setting.ts'
import type { FoundSymmetry } from './symmetry-report.ts'
import { anyPlaceOf, hasPlace, type WyckoffPosition, wyckoffPositions } from './wyckoff-positions.ts'

/**
 * Puts a crystal into the cell of its setting that people have it in. Other axes may have the same operators in the monoclinic and orthorhombic systems: there
 * it is the cell with the least sum of a and c, at an angle that is not acute; here the one that has the shortest a, then the shortest b.
 */
export function inShortestCell(found: FoundSymmetry): FoundSymmetry {
  const { lattice } = found.conventionalCell
  const choices = choicesOf(found.crystalSystem, lattice)
  const operators = operatorsOfSetting(itemAt(SPACE_GROUP_SETTINGS, found.hallNumber - 1))
  const toAxes = inverse(lattice)
  for (const { vectors } of choices.toSorted(byRank)) {
    if (vectors === lattice) return found
    const change = changeWithin(operators, mapMatrix(multiply(vectors, toAxes), Math.round))
    if (change !== undefined)
      return afterChange(found, change, { from: lattice, to: alongX(vectors, found.crystalSystem) }, operators)
  }
  return found
}

/** Vectors that a cell may have; what it is preferred by comes first. */
interface CellChoice {
  readonly vectors: Matrix3
  readonly rank: Vector3
}

/** The given vectors first, and others that span the lattice too. */
function choicesOf(crystalSystem: string, lattice: Matrix3): readonly CellChoice[] {
  if (crystalSystem === 'monoclinic') {
    return [lattice, ...monoclinicCells(lattice)].map((vectors) => {
      const [a, , c] = vectors
      return { vectors, rank: [dot(a, c) > SAME ? 1 : 0, length(a) + length(c), length(a)] }
    })
  }
  if (crystalSystem !== 'orthorhombic') return []
  return AXIS_ORDERS.map((axes) => {
    const vectors = axes === IDENTITY ? lattice : multiply(axes, lattice)
    const [a, b, c] = vectors
    return { vectors, rank: [length(a), length(b), length(c)] }
  })
}

/** In Å: what differs by less is the same. */
const SAME = 1e-6

function byRank({ rank: one }: CellChoice, { rank: other }: CellChoice): number {
  return one.map((value, at) => value - itemAt(other, at)).find((difference) => Math.abs(difference) > SAME) ?? 0
}

/** All pairs of the three shortest vectors across the unique axis that add up to nothing, and so are not at acute angles: each is the shortest that can take its place. */
function monoclinicCells([a, b, c]: Matrix3): readonly Matrix3[] {
  const [short, other] = reducedPair(a, c)
  const long = dot(short, other) > 0 ? scale(other, -1) : other
  const last = scale(add(short, long), -1)
  const sides = [short, long, last]
  return sides.flatMap((one) => sides.filter((side) => side !== one).map((side) => rightHanded([one, b, side])))
}

/** Reverses the second vector where the three would be left-handed. */
function rightHanded([a, b, c]: Matrix3): Matrix3 {
  return determinant([a, b, c]) > 0 ? [a, b, c] : [a, scale(b, -1), c]
}

/** The vectors as the finder has them, a along x, with the right angles of the system free of rounding. */
function alongX(vectors: Matrix3, crystalSystem: string): Matrix3 {
  const shape = parametersOf(vectors)
  const beta = crystalSystem === 'monoclinic' ? shape.beta : 90
  return vectorsAlongX({ ...shape, alpha: 90, beta, gamma: 90 })
}

/** What is told of a crystal in one cell, in another one with the same operators. Which sites are equivalent, and their order, does not change. */
function afterChange(
  found: FoundSymmetry,
  change: SymmetryOperator,
  lattices: Readonly<Record<'from' | 'to', Matrix3>>,
  operators: readonly SymmetryOperator[],
): FoundSymmetry {
  const positions = wyckoffPositions(found.hallNumber)
  const after = positionsAfter(change, positions, operators)
  const ofSites = found.wyckoffLetters.map((letter) => after.get(letter))
  return {
    ...found,
    wyckoffLetters: ofSites.map((position) => position?.letter ?? ''),
    siteSymmetries: ofSites.map((position) => position?.siteSymmetry ?? ''),
    conventionalCell: cellAfter(change, found.conventionalCell, lattices),
    primitiveCell: cellAfter(change, found.primitiveCell, lattices),
  }
}

/** By its letter in the old cell, which position of the new cell each is. */
export function positionsAfter(
  change: SymmetryOperator,
  positions: readonly WyckoffPosition[],
  operators: readonly SymmetryOperator[],
): ReadonlyMap<string, WyckoffPosition> {
  return new Map(
    positions.map((position) => {
      const place = imageOf(anyPlaceOf(position), change)
      const after = positions.find(
        (other) => other.multiplicity === position.multiplicity && hasPlace(other, place, operators),
      )
      if (after === undefined) throw new Error(`the position ${position.letter} has no like in the other cell`)
      return [position.letter, after]
    }),
  )
}
