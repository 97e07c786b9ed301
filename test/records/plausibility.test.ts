import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { checkMaterial } from '../../src/records/kinds/material/check-material.ts'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'

const DIAMOND = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
  [0.25, 0.25, 0.25],
  [0.25, 0.75, 0.75],
  [0.75, 0.25, 0.75],
  [0.75, 0.75, 0.25],
] as const
const ANGLES = { alpha: 90, beta: 90, gamma: 90 }

/** How a crystal is written: fields of its lattice and its basis, and what its coordinates are multiplied with. */
interface Writing {
  readonly lattice?: object
  readonly basis?: object
  readonly factor?: number
}

/** Conventional silicon in a cell of this edge, coordinates multiplied with a factor. */
function silicon(a: number, lattice: object = {}, basis: object = {}, factor = 1): JsonObject {
  return crystal('Si', a, DIAMOND, { lattice, basis, factor })
}

function crystal(
  element: string,
  a: number,
  places: readonly (readonly number[])[],
  { lattice = {}, basis = {}, factor = 1 }: Writing = {},
): JsonObject {
  return {
    basis: {
      elements: places.map((_, id) => ({ id, value: element })),
      coordinates: places.map((place, id) => ({ id, value: place.map((x) => x * factor) })),
      ...basis,
    },
    lattice: { a, b: a, c: a, ...ANGLES, ...lattice },
  } as JsonObject
}

/** The findings that are about the material as a whole. */
function findings(document: JsonObject) {
  const { consistencyChecks } = deriveMaterial(document)
  return (consistencyChecks as readonly { key: string; severity: string; message: string }[]).filter(
    ({ key }) => !/^(?:basis\.coordinates|spaceGroup)/.test(key),
  )
}

const CODES: Readonly<Record<string, number>> = { 'lattice.a': 20041, 'lattice.alpha': 20042, 'basis.units': 20043 }
const CARTESIAN = { units: 'cartesian' }
const MOLECULE = [
  [0, 0, 0],
  [0.96, 0, 0],
]

describe('a material in other units than it says', () => {
  it.each([
    ['picometres', silicon(543), 'lattice.a', 'divide them by 100'],
    ['nanometres', silicon(0.543), 'lattice.a', 'multiply them by 10'],
    ['bohr', silicon(10.26), 'lattice.a', 'lattice.units.length is "bohr"'],
    [
      'ångström where it says bohr',
      silicon(5.43, { units: { length: 'bohr' } }),
      'lattice.a',
      'leave lattice.units.length out',
    ],
    ['picometres where it says bohr', silicon(543, { units: { length: 'bohr' } }), 'lattice.a', 'divide them by 100'],
    ['picometres, with Cartesian coordinates', silicon(543, {}, CARTESIAN, 543), 'lattice.a', 'divide them by 100'],
    ['picometres, with one atom', crystal('Si', 543, [[0, 0, 0]]), 'lattice.a', 'divide them by 100'],
    ['nanometres, with one atom', crystal('Si', 0.543, [[0, 0, 0]]), 'lattice.a', 'multiply them by 10'],
    [
      'radians',
      silicon(5.43, { alpha: 1.5708, beta: 1.5708, gamma: 1.5708 }),
      'lattice.alpha',
      'lattice.units.angle is "radian"',
    ],
    ['Cartesian coordinates', silicon(5.43, {}, {}, 5.43), 'basis.units', 'basis.units is "cartesian"'],
    [
      'Cartesian coordinates in bohr',
      silicon(10.26, { units: { length: 'bohr' } }, {}, 10.26),
      'basis.units',
      'basis.units is "cartesian"',
    ],
    ['fractions', silicon(5.43, {}, CARTESIAN), 'basis.units', 'basis.units is "crystal"'],
    [
      'a molecule in picometres',
      { ...crystal('O', 2000, MOLECULE, { basis: CARTESIAN, factor: 100 }), isNonPeriodic: true },
      'lattice.a',
      'divide them by 100',
    ],
  ])('is stored with the unit named that was probably meant: %s', (_, document, key, hint) => {
    expect(findings(document)).toEqual([
      {
        key,
        name: 'default',
        severity: 'warning',
        code: CODES[key],
        message: expect.stringContaining(hint),
        hint: expect.stringContaining(hint),
      },
    ])
  })

  it('tells the distances in both units', () => {
    const [finding] = findings(silicon(543))
    expect(finding?.message).toBe(
      'With the lengths 543, 543, 543 the nearest atoms are 235 Å apart, 106 times the sum of their covalent radii; in picometre they would be 2.35 Å apart, 1.06 times the sum of their covalent radii. If they are in picometres, divide them by 100: lengths are in ångström.',
    )
  })

  it('tells the densities in both units where no atoms are near each other', () => {
    expect(findings(crystal('Si', 543, [[0, 0, 0]]))[0]?.message).toBe(
      'With the lengths 543, 543, 543 the density is 2.91e-7 g/cm³; in picometre it would be 0.291. If they are in picometres, divide them by 100: lengths are in ångström.',
    )
  })

  it.each([
    [
      'radians as degrees',
      { alpha: 0.5, beta: 0.5, gamma: 0.9 },
      'they can in radians: lattice.units.angle is "radian"',
    ],
    ['degrees as radians', { units: { angle: 'radian' } }, 'they can in degrees: leave lattice.units.angle out'],
  ])('is refused where no cell comes of it, with the unit in which one would: %s', (_, lattice, hint) => {
    const [violation] = checkMaterial(silicon(5.43, lattice), () => true)
    expect(violation).toMatchObject({ pointer: '/lattice', expected: expect.stringContaining(hint) })
  })
})

describe('a material that no unit makes plausible', () => {
  it.each([
    [
      'atoms far apart',
      crystal('Fe', 15, [[0, 0, 0]]),
      { severity: 'info', key: 'lattice.a', code: 20045, part: 'No two atoms are nearer' },
    ],
    [
      'more mass than any solid',
      crystal('Os', 2.2, [
        [0, 0, 0],
        [0.5, 0.5, 0.5],
      ]),
      { severity: 'error', key: 'density', code: 20044, part: 'g/cm³; no solid has more than 30' },
    ],
  ])('is stored with a word of it: %s', (_, document, { severity, key, code, part }) => {
    expect(findings(document)).toEqual([
      { key, name: 'default', severity, code, message: expect.stringContaining(part) },
    ])
  })
})

describe('no other unit is named', () => {
  const pair = (distance: number): readonly (readonly number[])[] => [
    [0, 0, 0],
    [distance, 0, 0],
  ]
  it.each([
    [
      'where atoms are too close in it as well',
      crystal('Fe', 5.42, pair(0.15), { lattice: { units: { length: 'bohr' } } }),
    ],
    ['where the cell is nearly empty in it', crystal('Fe', 4, pair(0.05))],
  ])('%s', (_, document) => {
    const { consistencyChecks } = deriveMaterial(document)
    expect(consistencyChecks).toContainEqual(expect.objectContaining({ name: 'atomsOverlap' }))
    expect(findings(document)).toEqual([])
  })

  it.each([30, 60])('of a single atom in a box of %i Å', (edge) => {
    expect(findings(crystal('H', edge, [[0, 0, 0]]))).toEqual([expect.objectContaining({ code: 20045 })])
  })
})

describe('nothing is said of', () => {
  const box = { a: 20, b: 20, c: 20, ...ANGLES }
  it.each([
    ['silicon', silicon(5.43)],
    ['silicon under strain', silicon(6.2)],
    ['silicon in bohr', silicon(10.26, { units: { length: 'bohr' } })],
    ['Cartesian silicon', silicon(5.43, {}, CARTESIAN, 5.43)],
    [
      'atoms that were moved over a border',
      crystal(
        'Si',
        3.867,
        [
          [1, 1, 1],
          [1.25, 1.25, 1.25],
        ],
        { lattice: { alpha: 60, beta: 60, gamma: 60 } },
      ),
    ],
    [
      'atoms that were moved over two borders',
      crystal('Fe', 2.87, [
        [0, 0, 0],
        [1.5, 1.5, 1.5],
      ]),
    ],
    ['solid argon', crystal('Ar', 5.31, DIAMOND.slice(0, 4))],
    [
      'solid caesium',
      crystal('Cs', 6.14, [
        [0, 0, 0],
        [0.5, 0.5, 0.5],
      ]),
    ],
    [
      'a molecule in a box of a crystal',
      crystal('N', 20, [
        [0, 0, 0],
        [0.055, 0, 0],
      ]),
    ],
    [
      'a molecule',
      {
        ...crystal(
          'N',
          20,
          [
            [0, 0, 0],
            [1.1, 0, 0],
          ],
          { lattice: box, basis: CARTESIAN },
        ),
        isNonPeriodic: true,
      },
    ],
    ['a single atom', { ...crystal('N', 20, [[0, 0, 0]], { lattice: box }), isNonPeriodic: true }],
    [
      'angles given in radians',
      silicon(5.43, { alpha: Math.PI / 2, beta: Math.PI / 2, gamma: Math.PI / 2, units: { angle: 'radian' } }),
    ],
  ])('%s', (_, document) => {
    expect(findings(document)).toEqual([])
  })
})
