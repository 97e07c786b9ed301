import { expect, test } from 'vitest'
import { deriveMaterial } from '../../src/records/kinds/material/derive-material.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { validateRecord } from '../../src/records/validate-record.ts'
import { findSymmetry } from '../../src/structure/symmetry/find-symmetry.ts'

type Species = readonly [string, readonly [number, number, number], object?]

const FCC = [
  [0, 0, 0],
  [0.5, 0.5, 0],
  [0.5, 0, 0.5],
  [0, 0.5, 0.5],
] as const

function material(species: readonly Species[], more: object = {}, basis: object = {}) {
  return JSON.parse(
    JSON.stringify({
      basis: {
        elements: species.map(([value, , fields], id) => ({ id, value, ...fields })),
        coordinates: species.map(([, value], id) => ({ id, value })),
        ...basis,
      },
      lattice: { a: 3.85, b: 3.85, c: 3.85, alpha: 90, beta: 90, gamma: 90 },
      ...more,
    }),
  )
}

const derive = (document: object) =>
  deriveMaterial(document as never, { symmetry: (crystal) => findSymmetry(crystal, 0.01) })
const alloy = FCC.flatMap((place): Species[] => [
  ['Cu', place, { occurrence: 0.75 }],
  ['Au', place, { occurrence: 0.25 }],
])

test('species that share sites are counted by their shares and make one site with one symmetry', () => {
  const derived = derive(material(alloy))
  expect(derived).toMatchObject({
    formula: 'Cu3Au',
    unitCellFormula: 'Cu3Au',
    elements: ['Au', 'Cu'],
    nSites: 4,
    composition: { Cu: 3, Au: 1 },
    isDisordered: true,
    disorderKinds: ['substitution'],
    spaceGroup: { number: 225 },
    consistencyChecks: [],
  })
  expect(derived.density).toBeCloseTo(((3 * 63.546 + 196.967) / 3.85 ** 3) * 1.66053907, 2)
  expect(derived.volumePerAtom).toBeCloseTo(3.85 ** 3 / 4, 5)
})

test('what the shares of a site leave is vacancy, and lowers the symmetry where sites differ in it', () => {
  const derived = derive(
    material([
      ['Fe', [0, 0, 0], { occurrence: 0.9 }],
      ['Fe', [0.5, 0.5, 0.5]],
    ]),
  )
  expect(derived).toMatchObject({
    unitCellFormula: 'Fe1.9',
    disorderKinds: ['vacancy'],
    spaceGroup: { number: 221 },
  })
})

test('alternatives may be as near as they are, members of one group not', () => {
  const species: Species[] = [
    ['O', [0, 0, 0]],
    ['H', [0.2, 0, 0], { occurrence: 0.5 }],
    ['H', [0.2, 0.05, 0], { occurrence: 0.5 }],
  ]
  const disorder = [
    { id: 1, assembly: 'A', group: '1' },
    { id: 2, assembly: 'A', group: '2' },
  ]
  const derived = derive(material(species, {}, { disorder }))
  expect(derived).toMatchObject({ disorderKinds: ['position'], nSites: 3, formula: 'HO', consistencyChecks: [] })
  const whole = species.map(([element, place]): Species => [element, place])
  expect(derive(material(whole, {}, { disorder })).consistencyChecks).toEqual([])
  expect(derive(material(whole)).consistencyChecks).not.toEqual([])
})

test('shares of two places may be as near as they are where they fit on one place, and not where they do not', () => {
  const near = (occurrence: number) =>
    material([
      ['Si', [0, 0, 0], { occurrence }],
      ['Si', [0.1, 0, 0], { occurrence }],
    ])
  const foundOf = (occurrence: number) => JSON.stringify(derive(near(occurrence)).consistencyChecks)
  expect(foundOf(0.5)).not.toContain('"key":"basis')
  expect(foundOf(0.7)).toContain('"key":"basis')
})

test('a crystal without disorder has its names as ever, and says that it has none', () => {
  const plain = material(FCC.map((place): Species => ['Cu', place]))
  const stated = material(FCC.map((place): Species => ['Cu', place, { occurrence: 1, oxidationState: 0 }]))
  const [one, other] = [derive(plain), derive(stated)]
  expect(one.hash).toBe('b7941170e200a8b552963a294e83dd7d')
  expect([other.hash, other.scaledHash]).toEqual([one.hash, one.scaledHash])
  expect(one).toMatchObject({ isDisordered: false, disorderKinds: [], composition: { Cu: 4 } })
  expect(derive(material(alloy)).hash).not.toBe(one.hash)
})

test('isotopes weigh what they weigh', () => {
  const heavy = derive(material([['H', [0, 0, 0], { isotope: 2 }]])).density as number
  const light = derive(material([['H', [0, 0, 0]]])).density as number
  expect(heavy / light).toBeCloseTo(2.014102 / 1.008, 4)
})

test.each([
  ['more than one atom', { occurrence: 0.8 }, { occurrence: 0.4 }],
  ['a whole atom and a share', { occurrence: 0.8 }, {}],
])('a site with %s is refused', (_what, one, other) => {
  const document = material([
    ['Cu', [0, 0, 0], one],
    ['Au', [0, 0, 0.001], other],
  ])
  expect(() => validateRecord(materialKind, document)).toThrow(/occurrences that add up to 1/)
})

test.each([0, -0.5, 1.2, '0.5'])('an occurrence of %j is refused', (occurrence) => {
  expect(() => validateRecord(materialKind, material([['Cu', [0, 0, 0], { occurrence }]]))).toThrow(/occurrence/)
})

test('a slab repeats along two vectors and has no volume worth telling', () => {
  const slab = material([['Cu', [0, 0, 0]]], { periodicDirections: [true, true, false] })
  expect(() => validateRecord(materialKind, slab)).not.toThrow()
  expect(derive(slab)).not.toHaveProperty('volume')
  const none = material([['Cu', [0, 0, 0]]], { periodicDirections: [false, false, false] })
  expect(() => validateRecord(materialKind, none)).toThrow(/periodicDirections/)
})

test('magnetic orders of one crystal have one hash, and names of their own', () => {
  const places: readonly Species[] = [
    ['Fe', [0, 0, 0]],
    ['Fe', [0.5, 0.5, 0.5]],
  ]
  const ordered = (...z: readonly number[]) =>
    derive(material(places, {}, { magneticMoments: z.map((value, id) => ({ id, value: [0, 0, value] })) }))
  const [ferro, antiferro] = [ordered(2.2, 2.2), ordered(2.2, -2.2)]
  expect(antiferro.hash).toBe(ferro.hash)
  expect(antiferro.magneticHash).not.toBe(ferro.magneticHash)
  expect(ordered(0, 0)).not.toHaveProperty('magneticHash')
})
