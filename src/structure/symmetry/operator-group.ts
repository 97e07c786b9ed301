import { IDENTITY } from '../matrix-algebra.ts'
import type { Matrix3, Vector3 } from '../vector.ts'
import { compose, type SymmetryOperator } from './operator.ts'

/** Translations that are nearer than this, as fractions of the cell, were written with few digits. */
const SAME_TRANSLATION = 5e-3
const NOTHING: SymmetryOperator = { rotation: IDENTITY, translation: [0, 0, 0] }

/** Operators by rotation, to look one up: the same but for whole lattice translations and for few digits. */
export class OperatorSet {
  private readonly byRotation = new Map<number, SymmetryOperator[]>()

  constructor(operators: Iterable<SymmetryOperator> = []) {
    for (const operator of operators) this.add(operator)
  }

  add(operator: SymmetryOperator): void {
    const key = keyOf(operator.rotation)
    const known = this.byRotation.get(key)
    if (known === undefined) this.byRotation.set(key, [operator])
    else known.push(operator)
  }

  find({ rotation, translation }: SymmetryOperator): SymmetryOperator | undefined {
    return this.byRotation.get(keyOf(rotation))?.find((known) => isSame(known.translation, translation))
  }
}

/** Entries of rotations in any axes that a file would use are whole and small. */
const KEY_BASE = 11

function keyOf(rotation: Matrix3): number {
  let key = 0
  for (const row of rotation) for (const entry of row) key = key * KEY_BASE + entry
  return key
}

function isSame(one: Vector3, other: Vector3): boolean {
  return isWhole(one[0] - other[0]) && isWhole(one[1] - other[1]) && isWhole(one[2] - other[2])
}

function isWhole(difference: number): boolean {
  return Math.abs(difference - Math.round(difference)) < SAME_TRANSLATION
}

/** Two operators, and what the one after the other is. */
export interface Product {
  readonly first: SymmetryOperator
  readonly second: SymmetryOperator
  readonly product: SymmetryOperator
}

/**
 * A product of two of the operators that is not among them: they are no group then. The identity counts as listed. Only products with as many
 * operators as generate the rest are looked at, which is enough.
 */
export function productOutside(operators: readonly SymmetryOperator[]): Product | undefined {
  const listed = new OperatorSet([NOTHING, ...operators])
  const group = [NOTHING]
  const reached = new Set(group)
  const generators: SymmetryOperator[] = []
  for (const generator of operators) {
    if (reached.has(listed.find(generator) ?? generator)) continue
    generators.push(generator)
    // The list is walked while it grows.
    for (const first of group) {
      for (const second of generators) {
        const product = compose(second, first)
        const same = listed.find(product)
        if (same === undefined) return { first, second, product }
        if (reached.has(same)) continue
        reached.add(same)
        group.push(same)
      }
    }
  }
  return undefined
}
