import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Cell } from '../crystal.ts'
import {
  combineRows,
  IDENTITY,
  inverse,
  type Matrix3,
  mapMatrix,
  multiply,
  transpose,
  type Vector3,
} from '../linear-algebra.ts'
import { imageOf, inOtherAxes, OperatorSet, type SymmetryOperator } from './operator.ts'

/** Origins of one setting differ by quarters where other axes need another one. */
const QUARTERS = [0, 1 / 4, 1 / 2, 3 / 4]
const ORIGINS = QUARTERS.flatMap((x) => QUARTERS.flatMap((y) => QUARTERS.map((z): Vector3 => [x, y, z])))

/**
 * Finds how places change when a cell gets other axes (rows: whole combinations of the old ones) and an origin from which its operators are the same;
 * nothing where there is none. The operators have all centrings among them.
 */
export function changeWithin(operators: readonly SymmetryOperator[], axes: Matrix3): SymmetryOperator | undefined {
  const changes: Changes = known.get(operators) ?? new BoundedCache({ most: 50 })
  known.set(operators, changes)
  const key = axes.join()
  const found = changes.get(key) ?? { change: findChange(operators, axes) }
  changes.set(key, found)
  return found.change
}

type Changes = BoundedCache<{ readonly change: SymmetryOperator | undefined }>

/** Changes of the operators of a setting, which are one list, by the axes; to most settings the same few come. */
const known = new WeakMap<readonly SymmetryOperator[], Changes>()

function findChange(operators: readonly SymmetryOperator[], axes: Matrix3): SymmetryOperator | undefined {
  const rotation = mapMatrix(transpose(inverse(axes)), Math.round)
  const all = new OperatorSet(operators)
  return ORIGINS.map((translation) => ({ rotation, translation })).find((change) =>
    operators.every((operator) => all.find(inOtherAxes(operator, change)) !== undefined),
  )
}

// biome-ignore-start format: matrices
/** Orders of the axes, one of them reversed where the three would be left-handed. */
export const AXIS_ORDERS: readonly Matrix3[] = [
  IDENTITY,
  [
    [0, 1, 0],
    [0, 0, 1],
    [1, 0, 0],
  ],
  [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ],
  [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, -1],
  ],
  [
    [1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
  [
    [0, 0, 1],
    [0, 1, 0],
    [-1, 0, 0],
  ],
]
// biome-ignore-end format: matrices

/** Writes a cell that goes with the old one, itself or a primitive one of it, for the new one. */
export function cellAfter(
  change: SymmetryOperator,
  cell: Cell,
  { from, to }: Readonly<Record<'from' | 'to', Matrix3>>,
): Cell {
  const within = multiply(cell.lattice, inverse(from))
  const back = inverse(within)
  return {
    lattice: multiply(within, to),
    sites: cell.sites.map((site) => ({
      ...site,
      fraction: combineRows(imageOf(combineRows(site.fraction, within), change), back),
    })),
  }
}
