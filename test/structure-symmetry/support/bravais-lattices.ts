import type { LatticeType } from '../../../src/structure/lattice.ts'
import { IDENTITY, type Matrix3, multiply } from '../../../src/structure/linear-algebra.ts'

type Family = 'cubic' | 'tetragonal' | 'orthorhombic' | 'hexagonal' | 'rhombohedral' | 'monoclinic' | 'triclinic'
type Centring = 'P' | 'C' | 'I' | 'F' | 'R'

/** Each Bravais type by the shape of its conventional cell and the points within it: what they are is not asked of the code under test. */
const TYPES: Readonly<Record<LatticeType, readonly [Family, Centring]>> = {
  CUB: ['cubic', 'P'],
  BCC: ['cubic', 'I'],
  FCC: ['cubic', 'F'],
  TET: ['tetragonal', 'P'],
  BCT: ['tetragonal', 'I'],
  ORC: ['orthorhombic', 'P'],
  ORCC: ['orthorhombic', 'C'],
  ORCF: ['orthorhombic', 'F'],
  ORCI: ['orthorhombic', 'I'],
  HEX: ['hexagonal', 'P'],
  RHL: ['rhombohedral', 'R'],
  MCL: ['monoclinic', 'P'],
  MCLC: ['monoclinic', 'C'],
  TRI: ['triclinic', 'P'],
}

/** Vectors of a primitive cell as parts of the conventional one. */
const PRIMITIVE: Readonly<Record<Centring, Matrix3>> = {
  P: IDENTITY,
  C: rows([1 / 2, 1 / 2, 0, -1 / 2, 1 / 2, 0, 0, 0, 1]),
  I: rows([-1 / 2, 1 / 2, 1 / 2, 1 / 2, -1 / 2, 1 / 2, 1 / 2, 1 / 2, -1 / 2]),
  F: rows([0, 1 / 2, 1 / 2, 1 / 2, 0, 1 / 2, 1 / 2, 1 / 2, 0]),
  R: rows([2 / 3, 1 / 3, 1 / 3, -1 / 3, 1 / 3, 1 / 3, -1 / 3, -2 / 3, 1 / 3]),
}

const H = Math.sqrt(3) / 2
const ABOUT_X = rows([1, 0, 0, 0, -1, 0, 0, 0, -1])
const ABOUT_Y = rows([-1, 0, 0, 0, 1, 0, 0, 0, -1])
const QUARTER_ABOUT_Z = rows([0, 1, 0, -1, 0, 0, 0, 0, 1])
const THIRD_ABOUT_Z = rows([-1 / 2, H, 0, -H, -1 / 2, 0, 0, 0, 1])
const SIXTH_ABOUT_Z = rows([1 / 2, H, 0, -H, 1 / 2, 0, 0, 0, 1])
const THIRD_ABOUT_DIAGONAL = rows([0, 1, 0, 0, 0, 1, 1, 0, 0])

/** The rotations of the conventional cells below, acting on Cartesian rows. */
const ROTATIONS: Readonly<Record<Family, readonly Matrix3[]>> = {
  cubic: [...products([QUARTER_ABOUT_Z, THIRD_ABOUT_DIAGONAL]).values()],
  tetragonal: [...products([QUARTER_ABOUT_Z, ABOUT_X]).values()],
  orthorhombic: [...products([ABOUT_X, ABOUT_Y]).values()],
  hexagonal: [...products([SIXTH_ABOUT_Z, ABOUT_X]).values()],
  rhombohedral: [...products([THIRD_ABOUT_Z, ABOUT_X]).values()],
  monoclinic: [...products([ABOUT_Y]).values()],
  triclinic: [IDENTITY],
}

/** Lengths in Å, angles in radians; of them each type has what it leaves open. */
export interface Shape {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly angles: readonly [number, number, number]
}

function conventionalCell(family: Family, { a, b, c, angles: [alpha, beta, gamma] }: Shape): Matrix3 {
  switch (family) {
    case 'cubic':
      return rows([a, 0, 0, 0, a, 0, 0, 0, a])
    case 'tetragonal':
      return rows([a, 0, 0, 0, a, 0, 0, 0, c])
    case 'orthorhombic':
      return rows([a, 0, 0, 0, b, 0, 0, 0, c])
    case 'hexagonal':
    case 'rhombohedral':
      return rows([a, 0, 0, -a / 2, H * a, 0, 0, 0, c])
    case 'monoclinic':
      return rows([a, 0, 0, 0, b, 0, c * Math.cos(beta), 0, c * Math.sin(beta)])
    case 'triclinic':
      return rows([a, 0, 0, b * Math.cos(gamma), b * Math.sin(gamma), 0, c * Math.cos(beta), c * Math.cos(alpha), c])
  }
}

/** A primitive cell of a type, its edges along those of the conventional cell. */
export function latticeOfType(type: LatticeType, shape: Shape): Matrix3 {
  const [family, centring] = TYPES[type]
  return multiply(PRIMITIVE[centring], conventionalCell(family, shape))
}

/** All rotations that every lattice of a type has, acting on Cartesian rows. */
export function rotationsOfType(type: LatticeType): readonly Matrix3[] {
  return ROTATIONS[TYPES[type][0]]
}

/** All products of rotations, by their keys. */
export function products(generators: readonly Matrix3[]): ReadonlyMap<string, Matrix3> {
  const group = new Map([[keyOf(IDENTITY), IDENTITY]])
  // The map is walked while it grows.
  for (const element of group.values()) {
    for (const generator of generators) {
      const product = multiply(element, generator)
      group.set(keyOf(product), group.get(keyOf(product)) ?? product)
    }
  }
  return group
}

/** The same text for rotations that are the same but for rounding. */
export function keyOf(rotation: Matrix3): string {
  return rotation
    .flat()
    .map((entry) => Math.round(entry * 1000) + 0)
    .join()
}

/** Nine numbers row by row. */
export function rows([a, b, c, d, e, f, g, h, i]: readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]): Matrix3 {
  return [
    [a, b, c],
    [d, e, f],
    [g, h, i],
  ]
}
