import { expect, test } from 'vitest'
import { oxideTypeOf } from '../../src/records/diagrams/oxide-type.ts'

type Atom = readonly [string, number]

/** Atoms in a row along a box of 20 Å, at distances in Å from its end. */
function row(...atoms: readonly Atom[]) {
  return {
    lattice: { type: 'CUB', a: 20, b: 20, c: 20, alpha: 90, beta: 90, gamma: 90 },
    basis: {
      units: 'crystal',
      elements: atoms.map(([value], id) => ({ id, value })),
      coordinates: atoms.map(([, at], id) => ({ id, value: [at / 20, 0, 0] })),
    },
  }
}

test.each<readonly [string | null, readonly Atom[]]>([
  [
    'oxide',
    [
      ['Li', 0],
      ['O', 2],
      ['O', 5],
    ],
  ],
  [
    'peroxide',
    [
      ['Li', 0],
      ['O', 2],
      ['O', 3.5],
    ],
  ],
  [
    'superoxide',
    [
      ['Li', 0],
      ['O', 2],
      ['O', 3.3],
    ],
  ],
  [
    'ozonide',
    [
      ['Li', 0],
      ['O', 2],
      ['O', 3.3],
      ['O', 4.6],
    ],
  ],
  [
    'hydroxide',
    [
      ['Li', 0],
      ['O', 2],
      ['H', 2.97],
      ['O', 3.5],
    ],
  ],
  [
    null,
    [
      ['O', 2],
      ['O', 3.2],
    ],
  ],
  [
    null,
    [
      ['Li', 0],
      ['F', 2],
    ],
  ],
])('%s is told by the distances of %j', (type, atoms) => {
  expect(oxideTypeOf(row(...atoms))).toBe(type)
})
