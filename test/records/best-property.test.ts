import { describe, expect, it } from 'vitest'
import {
  bestOf,
  compareProperties,
  type PropertyState,
  propertyState,
} from '../../src/records/kinds/property/best-property.ts'
import { shownProperties } from '../../src/records/kinds/property/shown-properties.ts'

const state = (fields: Partial<PropertyState>): PropertyState => ({
  ...propertyState({ _id: 'p', data: { name: 'band_gaps' } }),
  createdAt: '2024-01-01',
  ...fields,
})

describe('of two properties the better one', () => {
  it.each<[string, Partial<PropertyState>, Partial<PropertyState>]>([
    [
      'is preferred, whatever else',
      { isPreferred: true },
      { isRefined: true, kpoints: 9, cutoff: 9, createdAt: '2025' },
    ],
    ['refines another, whatever its precision', { isRefined: true }, { kpoints: 9, cutoff: 9, createdAt: '2025' }],
    ['has denser k-points, whatever its cutoff', { kpoints: 2 }, { kpoints: 1, cutoff: 9, createdAt: '2025' }],
    ['has a higher cutoff, however old it is', { cutoff: 2 }, { cutoff: 1, createdAt: '2025' }],
    ['is newer', { createdAt: '2025' }, { createdAt: '2024' }],
    ['has the first id, of those of one moment', { id: 'a' }, { id: 'b' }],
  ])('%s', (_, better, worse) => {
    const [first, second] = [state(better), state(worse)]
    expect(Math.sign(compareProperties(first, second))).toBe(-1)
    expect(Math.sign(compareProperties(second, first))).toBe(1)
    expect(compareProperties(first, first)).toBe(0)
    expect(bestOf([second, first])).toEqual([first])
  })

  it('is what is given, not what follows from energies, of which that of the best energy comes first', () => {
    const given = { _id: 'g', createdAt: '2020', data: { name: 'energy_above_hull' } }
    const of = (isOfBestEnergy: boolean) =>
      propertyState({ ...given, createdAt: '2025', source: { type: 'hull', info: { isOfBestEnergy } } })
    expect(Math.sign(compareProperties(propertyState(given), of(true)))).toBe(-1)
    expect(Math.sign(compareProperties(of(true), of(false)))).toBe(-1)
  })
})

it('a property with a caveat is never the best, whatever it has', () => {
  const doubted = propertyState({
    _id: 'd',
    isPreferred: true,
    data: { name: 'band_gaps' },
    caveat: 'Levels are partly filled.',
  })
  const plain = state({})
  expect(bestOf([doubted, plain])).toEqual([plain])
  expect(bestOf([doubted])).toEqual([])
})

describe('k-points of a property', () => {
  it.each([
    [{ kppra: 4, kpoints: 9 }, 4],
    [{ value: 3, kpoints: 9 }, 3],
    [{ kpoints: 9 }, 9],
    [{ kppra: 'many' }, 0],
    [{}, 0],
  ])('of %j are %i', (precision, kpoints) => {
    expect(propertyState({ precision }).kpoints).toBe(kpoints)
  })
})

it('of two names that are shown as one the better property has their group', () => {
  const [better, worse] = [
    state({ id: 'better', name: 'band_gaps', group: 'g', kpoints: 2, summary: { value: 2 } }),
    state({ id: 'worse', name: 'band_gap', group: 'g', summary: { value: 1 } }),
  ]
  const shown = { value: 2, propertyId: 'better' }
  expect(shownProperties([worse, better])).toEqual({ band_gap: { ...shown, group: 'g', g: shown } })
})
