import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConvexHull, convexHull, type HullPlace } from '../../src/calculations/hull/convex-hull.ts'
import type { HullEntry } from '../../src/calculations/hull/hull-entry.ts'

function entry(id: string, composition: Record<string, number>, energy: number): HullEntry {
  return { id, composition, energy }
}

function hullOf(entries: readonly HullEntry[], facets?: number): ConvexHull {
  const outcome = convexHull(entries, facets === undefined ? {} : { facets })
  if ('refusal' in outcome) throw new Error(outcome.refusal)
  return outcome
}

function place(hull: ConvexHull, id: string): HullPlace {
  const found = hull.places.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no place of ${id}`)
  return found
}

const METAL = entry('metal', { Fe: 2 }, -16)
const GAS = entry('gas', { O: 2 }, -10)
/** Formation energies -1, -1.5 and -0.6 eV/atom. */
const OXIDES = [
  entry('monoxide', { Fe: 1, O: 1 }, -15),
  entry('hematite', { Fe: 4, O: 6 }, -77),
  entry('other', { Fe: 1, O: 3 }, -25.4),
]

describe('hull of two elements', () => {
  const hull = hullOf([METAL, GAS, ...OXIDES])

  it('takes the lowest entry of each element as its reference', () => {
    const more = hullOf([entry('high', { Fe: 1 }, -7), METAL, GAS])
    expect(more.elements).toEqual(['Fe', 'O'])
    expect(more.references).toEqual(['metal', 'gas'])
    expect(place(more, 'high')).toEqual({
      id: 'high',
      formationEnergy: 1,
      energyAboveHull: 1,
      decomposition: [{ id: 'metal', fraction: 1 }],
    })
  })

  it('measures formation energies for each atom', () => {
    expect(hull.places.map(({ formationEnergy }) => formationEnergy)).toEqual([
      0,
      0,
      -1,
      expect.closeTo(-1.5, 12),
      expect.closeTo(-0.6, 12),
    ])
  })

  it('says how far above the hull an entry is, and what it decomposes into', () => {
    const { energyAboveHull, decomposition } = place(hull, 'monoxide')
    expect(energyAboveHull).toBeCloseTo(-1 + (1.5 * 5) / 6, 12)
    expect(decomposition).toEqual([
      { id: 'metal', fraction: expect.closeTo(1 / 6, 12) },
      { id: 'hematite', fraction: expect.closeTo(5 / 6, 12) },
    ])
  })

  it('gives an entry on the hull as its own decomposition', () => {
    expect(place(hull, 'hematite')).toMatchObject({
      energyAboveHull: 0,
      decomposition: [{ id: 'hematite', fraction: 1 }],
    })
  })

  it('lists what is in equilibrium', () => {
    expect(hull.facets).toEqual([
      ['gas', 'hematite'],
      ['hematite', 'metal'],
    ])
  })
})

describe('entries that tie', () => {
  it('puts scaled copies of one compound on the hull together', () => {
    const copies = [entry('b', { Fe: 1, O: 1 }, -15.3), entry('a', { Fe: 3, O: 3 }, -15.3 * 3)]
    const hull = hullOf([METAL, GAS, ...copies])
    expect(copies.map(({ id }) => place(hull, id).energyAboveHull)).toEqual([0, 0])
    expect(hull.facets).toEqual([
      ['a', 'gas'],
      ['a', 'metal'],
    ])
  })

  it('counts an entry on a tie line as on the hull', () => {
    const hull = hullOf([
      METAL,
      GAS,
      entry('low', { Fe: 3, O: 1 }, -31),
      entry('mixed', { Fe: 1, O: 1 }, -14.333333333),
    ])
    expect(place(hull, 'mixed')).toMatchObject({
      energyAboveHull: 0,
      decomposition: [{ id: 'mixed', fraction: 1 }],
    })
  })

  it('needs no formation energy below 0', () => {
    const hull = hullOf([METAL, GAS, entry('ideal', { Fe: 1, O: 1 }, -13), entry('bad', { Fe: 1, O: 1 }, -12)])
    expect(place(hull, 'ideal').energyAboveHull).toBe(0)
    expect(place(hull, 'bad')).toMatchObject({
      energyAboveHull: 0.5,
      decomposition: [
        { id: 'metal', fraction: 0.5 },
        { id: 'gas', fraction: 0.5 },
      ],
    })
    expect(hull.facets).toEqual([['gas', 'metal']])
  })

  it('divides a plane of four compounds into simplices that cover it', () => {
    const entries = [entry('x', { A: 1 }, 0), entry('y', { B: 1 }, 0), entry('z', { C: 1 }, 0)]
    const plane = [
      entry('p', { A: 2, B: 1, C: 1 }, -4),
      entry('q', { A: 1, B: 2, C: 1 }, -4),
      entry('r', { A: 1, B: 1, C: 2 }, -4),
      entry('s', { A: 1, B: 1, C: 1 }, -3),
    ]
    const hull = hullOf([...entries, ...plane])
    expect(plane.map(({ id }) => place(hull, id).energyAboveHull)).toEqual([0, 0, 0, 0])
    expect(volumeOf(hull, [...entries, ...plane])).toBeCloseTo(1, 12)
  })
})

it('divides a plane in one way of several, which stays the same', () => {
  const elements = ['A', 'B', 'C'].map((element) => entry(element, { [element]: 1 }, 0))
  const plane = [
    entry('p', { A: 2, B: 1 }, -3),
    entry('q', { A: 1, B: 2 }, -3),
    entry('r', { A: 2, C: 1 }, -3),
    entry('s', { A: 1, C: 2 }, -3),
    entry('t', { B: 1, C: 1 }, -2),
  ]
  const facets = hullOf([...elements, ...plane]).facets ?? []
  expect(facets.map((facet) => facet.join(' '))).toEqual(['A p r', 'B q t', 'C s t', 'p q r', 'q r s', 'q s t'])
})

describe('amounts', () => {
  it('are in any unit', () => {
    const thirds = hullOf([
      METAL,
      GAS,
      entry('whole', { Fe: 2, O: 1 }, -23),
      entry('parts', { Fe: 2 / 3, O: 1 / 3 }, -7),
    ])
    expect(place(thirds, 'parts').decomposition).toEqual([{ id: 'whole', fraction: 1 }])
    expect(place(thirds, 'parts').energyAboveHull).toBeCloseTo(23 / 3 - 7, 12)
  })

  it('are kept where they are in no ratio of small numbers', () => {
    const hull = hullOf([METAL, GAS, entry('odd', { Fe: Math.PI, O: Math.E }, -50)])
    const total = Math.PI + Math.E
    expect(place(hull, 'odd').formationEnergy).toBeCloseTo((-50 + 8 * Math.PI + 5 * Math.E) / total, 12)
    expect(place(hull, 'odd').energyAboveHull).toBe(0)
  })

  it('that are traces make a compound of an element', () => {
    const hull = hullOf([METAL, GAS, entry('doped', { Fe: 1e9, O: 1e-30 }, -9e9)])
    expect(hull.references).toEqual(['metal', 'gas'])
    expect(place(hull, 'doped')).toMatchObject({ energyAboveHull: 0, formationEnergy: -1 })
  })

  it('of 0 are none', () => {
    const hull = hullOf([METAL, entry('pure', { Fe: 1, O: 0 }, -7)])
    expect(hull.elements).toEqual(['Fe'])
    expect(hull.facets).toEqual([['metal']])
    expect(place(hull, 'pure').energyAboveHull).toBe(1)
  })
})

describe('entries without a hull', () => {
  it('are refused with the elements whose references are missing', () => {
    const outcome = convexHull([METAL, ...OXIDES, entry('sulfide', { Fe: 1, S: 2 }, -20)])
    expect(outcome).toEqual({
      refusal: 'Formation energies need an entry of each element alone; there is none of O, S.',
      missing: ['O', 'S'],
    })
  })

  it.each([
    ['is there twice; give each an id of its own', entry('metal', { Fe: 1 }, -8)],
    ['has an energy that is no number', entry('wrong', { Fe: 1 }, Number.NaN)],
    ['has an amount that is no number from 0 on', entry('wrong', { Fe: -1 }, 0)],
    ['has no atoms', entry('wrong', { Fe: 0 }, 0)],
    ['has an amount that is no number from 0 on', entry('wrong', { Fe: 1e300 }, 0)],
    ['has an energy that no atoms have', entry('wrong', { Fe: 1 }, 1e300)],
    ['has an energy that no atoms have', entry('wrong', { Fe: 1e-300 }, 1)],
  ])('are refused where one %s', (what, wrong) => {
    expect(convexHull([METAL, wrong])).toEqual({ refusal: `Entry "${wrong.id}" ${what}.`, id: wrong.id })
  })

  it('are refused where there are none, or too many elements', () => {
    expect(convexHull([])).toHaveProperty('refusal')
    const eleven = Array.from('ABCDEFGHIJK', (element) => entry(element, { [element]: 1 }, 0))
    expect(convexHull(eleven)).toEqual({
      refusal: 'The entries have 11 elements; hulls are found of 10 at most.',
    })
  })
})

it('lists no facets where there are more than asked for', () => {
  const entries = [METAL, GAS, ...OXIDES]
  expect(hullOf(entries, 2).facets).toHaveLength(2)
  expect(hullOf(entries, 1).facets).toBeNull()
  expect(hullOf(entries, 1).places).toEqual(hullOf(entries).places)
})

/** Systems of few energies, so that many points tie. */
const SYSTEMS = fc.integer({ min: 1, max: 4 }).chain((dimension) => {
  const elements = ['A', 'B', 'C', 'D'].slice(0, dimension)
  const amounts = fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: dimension, maxLength: dimension })
    .filter((all) => all.some((amount) => amount > 0))
  const energy = fc.oneof(fc.integer({ min: -8, max: 2 }), fc.double({ min: -8, max: 2, noNaN: true }))
  return fc
    .array(fc.tuple(amounts, energy), { maxLength: 9 })
    .map((compounds): readonly HullEntry[] => [
      ...elements.map((element) => entry(element, { [element]: 1 }, 0)),
      ...compounds.map(([all, value], index) =>
        entry(`c${index}`, Object.fromEntries(elements.map((element, axis) => [element, all[axis] ?? 0])), value),
      ),
    ])
})

/** Systems whose compounds have one of two energies for each atom, so that most of them lie in one plane. */
const PLANES = fc.integer({ min: 2, max: 4 }).chain((dimension) => {
  const elements = ['A', 'B', 'C', 'D'].slice(0, dimension)
  const amounts = fc
    .array(fc.constantFrom(0, 0, 1, 2, 3, 97, 1021), { minLength: dimension, maxLength: dimension })
    .filter((all) => all.filter((amount) => amount > 0).length > 1)
  const energy = fc.constantFrom(-1, -1, -1, -2)
  return fc.array(fc.tuple(amounts, energy), { minLength: 4, maxLength: 12 }).map((compounds): readonly HullEntry[] => [
    ...elements.map((element) => entry(element, { [element]: 1 }, 0)),
    ...compounds.map(([all, value], index) => {
      const atoms = all.reduce<number>((sum, amount) => sum + amount, 0)
      const composition = Object.fromEntries(elements.map((element, axis) => [element, all[axis] ?? 0]))
      return entry(`c${index}`, composition, value * atoms)
    }),
  ])
})

describe('any system', () => {
  it('has the lowest mixture of all under each entry', () => {
    fc.assert(
      fc.property(SYSTEMS, (entries) => {
        const hull = hullOf(entries)
        for (const [index, { energyAboveHull, formationEnergy, decomposition }] of hull.places.entries()) {
          const target = sharesOf(entries[index] as HullEntry, hull.elements)
          const lowest = lowestMixture(hull, entries, target)
          expect(formationEnergy - energyAboveHull).toBeCloseTo(lowest, 7)
          const mixed = hull.elements.map((_, axis) =>
            decomposition.reduce(
              (sum, { id, fraction }) => sum + fraction * (sharesById(hull, entries, id)[axis] ?? 0),
              0,
            ),
          )
          for (const [axis, share] of target.entries()) expect(mixed[axis]).toBeCloseTo(share, 7)
          expect(
            decomposition.reduce((sum, { id, fraction }) => sum + fraction * place(hull, id).formationEnergy, 0),
          ).toBeCloseTo(lowest, 7)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('has facets that cover all compositions once', () => {
    fc.assert(
      fc.property(SYSTEMS, (entries) => {
        const hull = hullOf(entries)
        expect(volumeOf(hull, entries)).toBeCloseTo(1, 9)
      }),
      { numRuns: 150 },
    )
  })

  it('has them where most compounds lie in one plane, too, and one answer in whichever order they come', () => {
    fc.assert(
      fc.property(PLANES, (entries) => {
        const hull = hullOf(entries)
        expect(volumeOf(hull, entries)).toBeCloseTo(1, 9)
        const turned = hullOf(entries.toReversed())
        expect(turned.facets).toEqual(hull.facets)
        for (const { id } of entries) expect(place(turned, id)).toEqual(place(hull, id))
      }),
      { numRuns: 300 },
    )
  })

  it('has one answer, in whichever order its entries come', () => {
    fc.assert(
      fc.property(
        SYSTEMS.chain((entries) =>
          fc.tuple(fc.constant(entries), fc.shuffledSubarray([...entries], { minLength: entries.length })),
        ),
        ([entries, shuffled]) => {
          const [one, other] = [hullOf(entries), hullOf(shuffled)]
          expect(other.facets).toEqual(one.facets)
          expect(other.references).toEqual(one.references)
          for (const { id } of entries) expect(place(other, id)).toEqual(place(one, id))
        },
      ),
      { numRuns: 100 },
    )
  })
})

function sharesOf({ composition }: HullEntry, elements: readonly string[]): readonly number[] {
  const total = Object.values(composition).reduce((sum, amount) => sum + amount, 0)
  return elements.map((element) => (composition[element] ?? 0) / total)
}

function sharesById(hull: ConvexHull, entries: readonly HullEntry[], id: string): readonly number[] {
  const found = entries.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no entry ${id}`)
  return sharesOf(found, hull.elements)
}

/** Volume of all facets together, as a part of that of all compositions. */
function volumeOf(hull: ConvexHull, entries: readonly HullEntry[]): number {
  return (hull.facets ?? []).reduce(
    (sum, facet) => sum + Math.abs(determinantOf(facet.map((id) => sharesById(hull, entries, id)))),
    0,
  )
}

function determinantOf(rows: readonly (readonly number[])[]): number {
  const [first, ...others] = rows
  if (first === undefined) return 1
  return first.reduce((sum, value, column) => {
    const minor = others.map((row) => row.filter((_, index) => index !== column))
    return sum + (column % 2 === 0 ? 1 : -1) * value * determinantOf(minor)
  }, 0)
}

/** The least energy of mixtures of as many entries as there are elements, by trying all of them. */
function lowestMixture(hull: ConvexHull, entries: readonly HullEntry[], target: readonly number[]): number {
  let lowest = Infinity
  const points = hull.places.map(({ formationEnergy }, index) => ({
    shares: sharesOf(entries[index] as HullEntry, hull.elements),
    energy: formationEnergy,
  }))
  const choose = (from: number, chosen: readonly (typeof points)[number][]): void => {
    if (chosen.length < hull.elements.length) {
      for (let index = from; index < points.length; index++)
        choose(index + 1, [...chosen, points[index] as (typeof points)[number]])
      return
    }
    const rows = chosen.map(({ shares }) => shares)
    const whole = determinantOf(rows)
    if (Math.abs(whole) < 1e-9) return
    const parts = chosen.map(
      (_, index) => determinantOf(rows.map((row, other) => (other === index ? target : row))) / whole,
    )
    if (parts.some((part) => part < -1e-9)) return
    const energy = parts.reduce((sum, part, index) => sum + part * (chosen[index]?.energy ?? 0), 0)
    lowest = Math.min(lowest, energy)
  }
  choose(0, [])
  return lowest
}
