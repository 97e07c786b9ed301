import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { validateRecord } from '../../src/records/validate-record.ts'
import { silicon } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'

/** Silicon with one value replaced, given by its JSON pointer; undefined removes it. */
function siliconWith(pointer: string, value: Json | undefined): JsonObject {
  const document = silicon({
    basis: {
      ...(silicon().basis as JsonObject),
      labels: [{ id: 1, value: 1 }],
      constraints: [{ id: 1, value: [true, false, true] }],
    },
    tags: ['a'],
    derivedProperties: [],
    isPublic: false,
  })
  const keys = pointer.split('/').slice(1)
  // biome-ignore lint/suspicious/noExplicitAny: any place of a document can be replaced.
  let parent: any = document
  for (const key of keys.slice(0, -1)) parent = parent[key]
  parent[keys.at(-1) as string] = value
  return JSON.parse(JSON.stringify(document))
}

const LEFT_HANDED = { a: [0, 3.867, 0], b: [3.867, 0, 0], c: [0, 0, 3.867] }

const VIOLATIONS: readonly (readonly [
  pointer: string,
  value: Json | undefined,
  expected: string,
  given: string,
  at?: string,
])[] = [
  ['/basis', undefined, 'an object, since this field is required', 'nothing'],
  ['/lattice', null, 'an object', 'null'],
  ['/lattice/a', undefined, 'a number, since this field is required', 'nothing'],
  ['/lattice/a', '3.867', 'a number', '"3.867"'],
  ['/lattice/a', 0, 'a number greater than 0', '0'],
  ['/lattice/a', 1e9, 'a length from 0.01 Å to 100,000 Å', '1000000000 angstrom'],
  ['/lattice/gamma', 180, 'a number less than 180', '180'],
  [
    '/lattice/gamma',
    130,
    'angles at which three vectors can span a volume',
    'alpha 60°, beta 60°, gamma 130°',
    '/lattice',
  ],
  [
    '/lattice/type',
    'fcc',
    `one of "CUB", "BCC", "FCC", "TET", "MCL", "ORC", "ORCC", "ORCF", "ORCI", "HEX", "BCT", "TRI", "MCLC", "RHL"`,
    '"fcc"',
  ],
  ['/lattice/units', { length: 'nm' }, 'one of "angstrom", "bohr"', '"nm"', '/lattice/units/length'],
  [
    '/lattice/vectors',
    LEFT_HANDED,
    'right-handed vectors (negate all three, and crystal coordinates with them)',
    'left-handed ones',
  ],
  [
    '/lattice/vectors',
    { a: [1, 0], b: [0, 1, 0], c: [0, 0, 1] },
    'an array of at least 3',
    'an array of 2',
    '/lattice/vectors/a',
  ],
  ['/basis/elements', [], 'an array of at least 1', 'an array of 0'],
  ['/basis/elements/0/value', 'SI', 'the symbol of an element ("Si"?)', '"SI"'],
  [
    '/basis/elements/0/value',
    'Si1',
    'the symbol of an element ("Si"? what tells atoms of one element apart goes to basis.labels)',
    '"Si1"',
  ],
  [
    '/basis/elements/0/value',
    'constructor',
    'the symbol of an element ("Co"? what tells atoms of one element apart goes to basis.labels)',
    '"constructor"',
  ],
  ['/basis/elements/0/id', 'x', 'a whole number', '"x"'],
  [
    '/basis/elements/0',
    { id: 2, value: 'Si' },
    'an id that no other item of the list has',
    '2',
    '/basis/elements/1/id',
  ],
  ['/basis/coordinates/1/id', 3, 'the id of one of basis.elements', '3'],
  [
    '/basis/coordinates/1',
    { id: 1, value: [0, 0, 0] },
    'an id that no other item of the list has',
    '1',
    '/basis/coordinates/1/id',
  ],
  ['/basis/coordinates/1/value/2', 'x', 'a number', '"x"'],
  ['/basis/labels/0/id', 7, 'the id of one of basis.elements', '7'],
  ['/basis/constraints/0/value/0', 1, 'true or false', '1'],
  ['/basis/units', 'angstrom', 'one of "crystal", "cartesian"', '"angstrom"'],
  ['/name', 5, 'a string', '5'],
  ['/tags', 'a', 'an array', '"a"'],
  ['/tags/0', null, 'a string', 'null'],
  ['/isPublic', 'yes', 'true or false', '"yes"'],
  [
    '/metadata',
    { $where: 1 },
    'a key that does not start with "$", which marks operators',
    'this key',
    '/metadata/$where',
  ],
  ['/metadata', { 'a/b~\0': 1 }, 'a key without the character NUL', 'this key', '/metadata/a~1b~0\0'],
  ['/metadata', ['\ud800'], 'text without unpaired surrogates', '"\ufffd"', '/metadata/0'],
]

describe('a material', () => {
  test('that is right is accepted, with labels, constraints and unknown fields', () => {
    expect(() => validateRecord(materialKind, siliconWith('/custom', { deep: [1, null, { x: '𝛼' }] }))).not.toThrow()
  })

  test('may have keys with dots and empty keys, which $getField reaches', () => {
    expect(() => validateRecord(materialKind, siliconWith('/custom', { 'price.usd': 1, '': 2 }))).not.toThrow()
  })

  const violations = VIOLATIONS.map(([pointer, value, expected, given, at = pointer]) => ({
    pointer,
    value,
    expected,
    given,
    at,
  }))
  test.each(violations)('is refused for $pointer = $value', async ({ pointer, value, expected, given, at }) => {
    const refusal = await refusalOf(() => validateRecord(materialKind, siliconWith(pointer, value)))
    expect(refusal.code).toBe(42201)
    expect(refusal.data.violations).toContainEqual({ pointer: at, expected, given })
    expect(refusal.message).toContain(given === 'nothing' ? 'is missing: give' : given)
  })

  test('is refused with every violation at once', async () => {
    const wrong = {
      ...silicon(),
      name: 1,
      lattice: { ...(silicon().lattice as JsonObject), a: -1, type: 'X' },
      basis: { elements: [{ id: 0, value: 'Xx' }], coordinates: [] },
    }
    const refusal = await refusalOf(() => validateRecord(materialKind, wrong))
    const pointers = (refusal.data.violations as { pointer: string }[]).map((violation) => violation.pointer)
    expect(pointers.sort()).toEqual([
      '/basis/coordinates',
      '/basis/elements/0/value',
      '/lattice/a',
      '/lattice/type',
      '/name',
    ])
    expect(refusal.data.violationCount).toBe(5)
    expect(refusal.message).toContain('and 2 more')
    // Ids are looked at once the lists have their shape.
    const basis = {
      elements: [{ id: 0, value: 'Xx' }],
      coordinates: [
        { id: 1, value: [0, 0, 0] },
        { id: 2, value: [0, 0, 0] },
      ],
    }
    const next = await refusalOf(() => validateRecord(materialKind, { ...silicon(), basis }))
    expect((next.data.violations as unknown[]).length).toBe(4)
  })

  test('is refused when it is deeper or larger than the limits', async () => {
    const limits = { bytes: 1e6, depth: 8, leaves: 100 }
    let deep: Json = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const tooDeep = await refusalOf(() => validateRecord(materialKind, { ...silicon(), deep }, limits))
    expect(tooDeep.message).toContain('at most 8 levels')
    const large = Array.from({ length: 200 }, (_, index) => index)
    const tooLarge = await refusalOf(() => validateRecord(materialKind, { ...silicon(), large }, limits))
    expect(tooLarge.message).toContain('a record of at most 100 values')
  })

  test('with Cartesian coordinates is refused when its vectors are those of another cell', async () => {
    const basis = { ...(silicon().basis as JsonObject), units: 'cartesian' }
    const lattice = { ...(silicon().lattice as JsonObject), vectors: { a: [5, 0, 0], b: [0, 5, 0], c: [0, 0, 5] } }
    const refusal = await refusalOf(() => validateRecord(materialKind, silicon({ basis, lattice })))
    expect(refusal.data.violations).toEqual([
      {
        pointer: '/lattice/vectors',
        expected: 'vectors with the lengths and angles of the lattice, since the coordinates are Cartesian',
        given: 'vectors of another cell',
      },
    ])
    expect(() => validateRecord(materialKind, silicon({ lattice }))).not.toThrow()
  })
})

describe('the derived fields of a material', () => {
  test('of silicon are those of the published example', async () => {
    expect(await deriveMaterial(silicon())).toMatchObject({
      formula: 'Si',
      unitCellFormula: 'Si2',
      hash: 'a665723ef7429caef6ca89385fe25bae',
      scaledHash: '87e416358789a7c435eaaba0344af51d',
      isNonPeriodic: false,
      consistencyChecks: [{ key: 'spaceGroup', severity: 'info' }],
      lattice: {
        units: { length: 'angstrom', angle: 'degree' },
        vectors: {
          a: [3.34892, 0, 1.9335],
          b: [1.116307, 3.157392, 1.9335],
          c: [0, 0, 3.867],
          alat: 1,
          units: 'angstrom',
        },
      },
      derivedProperties: [
        { name: 'volume', value: 40.889097, units: 'angstrom^3' },
        { name: 'density', value: 2.281109, units: 'g/cm^3' },
        { name: 'elemental_ratio', value: 1, element: 'Si' },
      ],
    })
  })

  test('gives a crystal a fingerprint that does not depend on its elements, size and cell, and a molecule none', () => {
    const fingerprint = (changes: JsonObject = {}) => deriveMaterial(silicon(changes)).fingerprint
    const other = silicon({ lattice: { type: 'FCC', a: 5, b: 5, c: 5, alpha: 60, beta: 60, gamma: 60 } })
      .lattice as Json
    expect(fingerprint()).toMatch(/^[A-Za-z0-9+/]{64}$/)
    expect(fingerprint({ lattice: other })).toBe(fingerprint())
    expect(fingerprint({ isNonPeriodic: true })).toBeUndefined()
  })

  test('are the same for Cartesian coordinates, for bohr and radian, and for ids in another order', async () => {
    const cartesian = silicon({
      basis: {
        elements: [
          { id: 0, value: 'Si' },
          { id: 1, value: 'Si' },
        ],
        coordinates: [
          { id: 1, value: [1.11630675, 0.789348, 1.9335] },
          { id: 0, value: [0, 0, 0] },
        ],
        units: 'cartesian',
      },
    })
    const length = 3.867 / 0.529177210903
    const angle = Math.PI / 3
    const bohr = silicon({
      lattice: {
        type: 'FCC',
        a: length,
        b: length,
        c: length,
        alpha: angle,
        beta: angle,
        gamma: angle,
        units: { length: 'bohr', angle: 'radian' },
      },
    })
    for (const document of [cartesian, bohr]) {
      expect(await deriveMaterial(document)).toMatchObject({ hash: 'a665723ef7429caef6ca89385fe25bae', formula: 'Si' })
    }
    const { vectors } = (await deriveMaterial(bohr)).lattice as { vectors: { a: number[]; units: string } }
    expect(vectors.units).toBe('bohr')
    expect(vectors.a[0]).toBeCloseTo(3.34892 / 0.529177210903, 4)
  })

  test('keep vectors that agree with lengths and angles, and replace others', async () => {
    const box = { type: 'CUB', a: 2, b: 3, c: 4, alpha: 90, beta: 90, gamma: 90 }
    const turned = { a: [0, 2, 0], b: [0, 0, 3], c: [4, 0, 0], alat: 1, units: 'angstrom' }
    const kept = (await deriveMaterial(silicon({ lattice: { ...box, vectors: turned } }))).lattice as JsonObject
    expect(kept.vectors).toEqual(turned)
    const stretched = silicon({ lattice: { ...box, a: 2.1, vectors: turned } })
    const replaced = (await deriveMaterial(stretched)).lattice as JsonObject
    expect(replaced.vectors).toMatchObject({ a: [2.1, 0, 0], b: [0, 3, 0], c: [0, 0, 4] })
  })

  test('have the ratios of the elements and keep what only the client knows', async () => {
    const inchi = { name: 'inchi', value: 'InChI=1S/H2O/h1H2' }
    const water = silicon({
      isNonPeriodic: true,
      basis: {
        elements: ['O', 'H', 'H'].map((value, id) => ({ id, value })),
        coordinates: [
          [0, 0, 0],
          [0.1, 0, 0],
          [0, 0.1, 0],
        ].map((value, id) => ({ id, value })),
      },
      derivedProperties: [inchi, { name: 'volume', value: 1e9, units: 'angstrom^3' }],
    })
    const derived = await deriveMaterial(water)
    expect(derived.derivedProperties).toEqual([
      { name: 'elemental_ratio', value: 0.666667, element: 'H' },
      { name: 'elemental_ratio', value: 0.333333, element: 'O' },
      inchi,
    ])
    expect(derived.hash).toBe('29042ea6c1720dfd45bb0efdc80bddaf')
    expect(derived.basis).toMatchObject({ units: 'crystal' })
  })
})
