import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { findSymmetry, loadSymmetryFinder } from '../../src/structure/symmetry/find-symmetry.ts'
import { parseOperator } from '../../src/structure/symmetry/operator.ts'
import { valueServed } from './support/served.ts'

type Place = readonly [number, number, number]
interface Sites {
  readonly elements: readonly string[]
  readonly places: readonly Place[]
}

beforeAll(() => loadSymmetryFinder())

/** The value of a property of a crystal as it is served once its symmetry has been found. */
function served(
  [a, b, c]: Place,
  { elements, places }: Sites,
  more: JsonObject = {},
): <Value>(name: string) => Value | null {
  const document: JsonObject = {
    lattice: { a, b, c, alpha: 90, beta: 90, gamma: 90, ...((more.lattice as JsonObject | undefined) ?? {}) },
    basis: {
      elements: elements.map((value, id) => ({ id, value })),
      coordinates: places.map((value, id) => ({ id, value: [...value] })),
    },
  }
  const derived = deriveMaterial(document, { symmetry: (crystal) => findSymmetry(crystal, 0.01), symmetryTimeMs: 1000 })
  return <Value>(name: string) => valueServed({ ...document, ...derived }, name) as Value | null
}

const CENTRES: readonly Place[] = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
]
const shifted = (places: readonly Place[], [x, y, z]: Place): Place[] =>
  places.map(([u, v, w]): Place => [(u + x) % 1, (v + y) % 1, (w + z) % 1])
const ROCK_SALT: Sites = {
  elements: [...Array(4).fill('Na'), ...Array(4).fill('Cl')],
  places: [...CENTRES, ...shifted(CENTRES, [0.5, 0.5, 0.5])],
}
/** The tetragonal cell of TiO2, and one of a group that has screws. */
const RUTILE: Sites = {
  elements: ['Ti', 'Ti', 'O', 'O', 'O', 'O'],
  places: [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
    [0.305, 0.305, 0],
    [0.695, 0.695, 0],
    [0.195, 0.805, 0.5],
    [0.805, 0.195, 0.5],
  ],
}
const OPERATIONS = 'space_group_symmetry_operations_xyz'
/** One coordinate of an operation as the specification writes it. */
const PART = '[-+]?[xyz](?:[-+][xyz])?(?:[-+](?:1/2|[12]/3|[1-3]/4|[1-5]/6))?'
const OPERATION = new RegExp(`^${PART},${PART},${PART}$`)

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 2e-3

/** Asserts that the operations are as many, begin with the identity, and take every site to one of its element. */
function assertOperations(value: ReturnType<typeof served>, { elements, places }: Sites, count: number): void {
  const operations = value<readonly string[]>(OPERATIONS) ?? []
  expect([operations.length, new Set(operations).size, operations[0]]).toEqual([count, count, 'x,y,z'])
  for (const text of operations) {
    expect(text).toMatch(OPERATION)
    const { rotation, translation } = parseOperator(text) ?? expect.fail(text)
    for (const [index, place] of places.entries()) {
      const image = rotation.map(
        (row, axis) => row[0] * place[0] + row[1] * place[1] + row[2] * place[2] + (translation[axis] ?? 0),
      )
      const isThere = places.some(
        (other, at) => elements[at] === elements[index] && other.every((x, axis) => isWhole(x - (image[axis] ?? 0))),
      )
      expect([text, index, isThere]).toEqual([text, index, true])
    }
  }
}

describe('the symmetry of a standard cell', () => {
  test('is told whole', () => {
    const value = served([5.64, 5.64, 5.64], ROCK_SALT)
    assertOperations(value, ROCK_SALT, 192)
    expect([
      value('space_group_it_number'),
      value('space_group_symbol_hall'),
      value('space_group_symbol_hermann_mauguin'),
      value('space_group_symbol_hermann_mauguin_extended'),
    ]).toEqual([225, '-F 4 2 3', 'F m -3 m', 'F 4/m -3 2/m'])
    expect(value('wyckoff_positions')).toEqual([...Array(4).fill('a'), ...Array(4).fill('b')])
  })

  test('has screws and glides where the group has them', () => {
    const value = served([4.59, 4.59, 2.96], RUTILE)
    assertOperations(value, RUTILE, 16)
    expect(value('space_group_symbol_hermann_mauguin_extended')).toBe('P 42/m 21/n 2/m')
  })
})

describe('operations', () => {
  test.each<readonly [string, Place, Sites]>([
    ['another origin', [4.59, 4.59, 2.96], { ...RUTILE, places: shifted(RUTILE.places, [0.1, 0, 0]) }],
    ['other axes', [2.96, 4.59, 4.59], { ...RUTILE, places: RUTILE.places.map(([x, y, z]): Place => [z, x, y]) }],
    [
      'axes of nearly one length, the unique one not the third',
      [4.02, 4, 4],
      { elements: ['Po'], places: [[0, 0, 0]] },
    ],
    [
      'a cell twice as long',
      [5.64, 5.64, 11.28],
      {
        elements: [...ROCK_SALT.elements, ...ROCK_SALT.elements],
        places: [0, 0.5].flatMap((half) => ROCK_SALT.places.map(([x, y, z]): Place => [x, y, z / 2 + half])),
      },
    ],
  ])('are unknown for %s, and the group is not', (_name, lengths, sites) => {
    const value = served(lengths, sites)
    expect(value('space_group_it_number')).toEqual(expect.any(Number))
    expect(value('space_group_symbol_hall')).toEqual(expect.any(String))
    expect([value(OPERATIONS), value<unknown[]>('wyckoff_positions')?.length]).toEqual([null, sites.places.length])
  })

  test('are unknown for a primitive cell, which a centred group has no notation for', () => {
    const lattice = { a: 3.988, b: 3.988, c: 3.988, alpha: 60, beta: 60, gamma: 60 }
    const sites: Sites = {
      elements: ['Na', 'Cl'],
      places: [
        [0, 0, 0],
        [0.5, 0.5, 0.5],
      ],
    }
    const value = served([4, 4, 4], sites, { lattice })
    expect([value('space_group_it_number'), value(OPERATIONS)]).toEqual([225, null])
  })
})

test('letters are unknown where a position has one beyond z', () => {
  const places: readonly Place[] = [1, -1].flatMap((x) =>
    [1, -1].flatMap((y) => [1, -1].map((z): Place => [(x * 0.11 + 1) % 1, (y * 0.17 + 1) % 1, (z * 0.23 + 1) % 1])),
  )
  const value = served([5, 6, 7], { elements: places.map(() => 'Ar'), places })
  expect([value('space_group_it_number'), value('wyckoff_positions')]).toEqual([47, null])
})

test('what repeats in two directions has no space group, also where it had one before', () => {
  const document: JsonObject = {
    lattice: { a: 4, b: 4, c: 9, alpha: 90, beta: 90, gamma: 90 },
    basis: { elements: [{ id: 0, value: 'Cu' }], coordinates: [{ id: 0, value: [0, 0, 0] }] },
  }
  const deps = { symmetry: findSymmetryWithin, symmetryTimeMs: 1000 }
  const stored = { ...document, ...deriveMaterial(document, deps) }
  const slab = { ...document, periodicDirections: [true, true, false] }
  const served = { ...slab, ...deriveMaterial(slab, { ...deps, stored }) }
  const names = ['space_group_it_number', 'space_group_symbol_hall', 'wyckoff_positions', 'nperiodic_dimensions']
  expect(names.map((name) => valueServed(served, name))).toEqual([null, null, null, 2])
})

const findSymmetryWithin = (crystal: Parameters<typeof findSymmetry>[0]) => findSymmetry(crystal, 0.01)
