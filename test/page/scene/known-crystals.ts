import { readFileSync } from 'node:fs'
import type { Structure } from '../../../src/page/scene/structure.ts'
import type { Matrix3, Vector3 } from '../../../src/page/scene/vector.ts'
import { materialToCrystal } from '../../../src/structure/formats/json/material.ts'

const CENTERED: readonly Vector3[] = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
]

export function cubic(a: number): Matrix3 {
  return [
    [a, 0, 0],
    [0, a, 0],
    [0, 0, a],
  ]
}

function moved(places: readonly Vector3[], [x, y, z]: Vector3): Vector3[] {
  return places.map(([u, v, w]) => [(u + x) % 1, (v + y) % 1, (w + z) % 1])
}

export function crystal(lattice: Matrix3, ...atoms: readonly (readonly [string, readonly Vector3[]])[]): Structure {
  return {
    lattice,
    periodic: [true, true, true],
    species: atoms.flatMap(([symbol, places]) => places.map(() => symbol)),
    fractions: atoms.flatMap(([, places]) => places),
  }
}

export const ROCK_SALT = crystal(cubic(5.64), ['Na', CENTERED], ['Cl', moved(CENTERED, [0.5, 0.5, 0.5])])
export const DIAMOND = crystal(cubic(3.567), ['C', [...CENTERED, ...moved(CENTERED, [0.25, 0.25, 0.25])]])
export const PEROVSKITE = crystal(
  cubic(3.905),
  ['Sr', [[0.5, 0.5, 0.5]]],
  ['Ti', [[0, 0, 0]]],
  [
    'O',
    [
      [0.5, 0, 0],
      [0, 0.5, 0],
      [0, 0, 0.5],
    ],
  ],
)

const O = 0.1185
/** Dry ice, Pa-3: molecules at the corners and in the middles of the faces, each cut by them (de Smedt and Keesom, 1924). */
export const DRY_ICE = crystal(
  cubic(5.624),
  ['C', CENTERED],
  [
    'O',
    [
      [O, O, O],
      [-O, -O, -O],
      [0.5 - O, -O, 0.5 + O],
      [0.5 + O, O, 0.5 - O],
      [-O, 0.5 + O, 0.5 - O],
      [O, 0.5 - O, 0.5 + O],
      [0.5 + O, 0.5 - O, -O],
      [0.5 - O, 0.5 + O, O],
    ],
  ],
)

/** A crystal of the library of samples. */
export function sample(name: string): Structure {
  const text = readFileSync(new URL(`../../../samples/materials/${name}.json`, import.meta.url), 'utf8')
  const { lattice, periodic, sites } = materialToCrystal(JSON.parse(text))
  return {
    lattice,
    periodic,
    species: sites.map(({ element }) => element),
    fractions: sites.map(({ fraction }) => fraction),
  }
}
