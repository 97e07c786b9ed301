import { describe, expect, it } from 'vitest'
import { disorderedFormula } from '../../src/page/disordered-formula.ts'
import { me } from '../../web/app/session-state.ts'
import { listPath, NEWEST_FIRST, readAsked, sortOf } from '../../web/pages/materials/asked.ts'
import { facetsOf, MATERIALS, valueWords } from '../../web/pages/materials/collections.ts'
import { partsOf, wordsOf } from '../../web/pages/materials/condition-words.ts'
import { fieldsCalled, groupFields } from '../../web/pages/materials/field-groups.ts'
import { fittingIn } from '../../web/parts/fitting.ts'
import { spaceGroupParts } from '../../web/parts/space-group-parts.ts'

describe('tags on one line', () => {
  it.each<[room: number, widths: readonly number[], fitting: number]>([
    [100, [], 0],
    [100, [30, 30, 32], 3],
    [99, [30, 30, 32], 1],
    [104, [30, 30, 40], 2],
    [103, [30, 30, 41], 1],
    [50, [60], 0],
    [60, [60], 1],
  ])('in %i pixels, of %j, are %i', (room, widths, fitting) => {
    expect(fittingIn(room, widths, 4, 36)).toBe(fitting)
  })
})

describe('the formula of a disordered crystal', () => {
  it.each([
    ['Zn129Pb102Fe69As200O1000', 'Zn1.29Pb1.02Fe0.69As2O10'],
    ['La37Sr3Cu20O80', 'La1.85Sr0.15CuO4'],
    ['Fe19O20', 'Fe0.95O'],
    ['Y100Ba200Cu300O693', 'YBa2Cu3O6.93'],
    ['FeMnO2', 'FeMnO2'],
    ['Si333Ge667', 'Si333Ge667'],
    ['no formula', 'no formula'],
  ])('%s is read as %s', (kept, read) => expect(disorderedFormula(kept)).toBe(read))
})

describe('a space group whose number is not known', () => {
  it('has its lines above, and no screw axes', () => {
    expect(spaceGroupParts('P63/mmc', null).map(({ kind }) => kind)).not.toContain('screw')
    expect(spaceGroupParts('P63/mmc', 194).map(({ kind }) => kind)).toContain('screw')
    expect(spaceGroupParts('Fd-3m', null)).toContainEqual({ text: '3', kind: 'bar' })
  })
})

describe('the order of a list', () => {
  const asked = readAsked(new URLSearchParams())

  it('is the newest first, which goes without saying', () => {
    expect(sortOf(asked)).toBe(NEWEST_FIRST)
    expect(listPath('materials', { ...asked, sort: NEWEST_FIRST })).toBe('/materials')
    expect(listPath('materials', { ...asked, sort: 'createdAt' })).toBe('/materials?sort=createdAt')
  })
})

describe('fields to choose from', () => {
  const field = (path: string, title: string | null = null, unit: string | null = null) => {
    return { path, types: ['number'], count: 1, min: null, max: null, title, unit }
  }
  const fields = [
    field('basis.coordinates.id'),
    field('composition.Ag'),
    field('bandGap'),
    field('lattice.a'),
    field('properties.band_gap.group'),
    field('properties.band_gap.value'),
    field('strain', 'Strain of the film', '%'),
    field('hash'),
    field('volume'),
  ]

  it('stand in the order in which people ask for them, by title and unit', () => {
    expect(
      groupFields(fields).map(({ title, isFolded, fields: some }) => [
        title,
        isFolded,
        some.map((one) => [one.title, one.unit ?? ''].join(' ').trim()),
      ]),
    ).toEqual([
      ['Properties', false, ['Band gap eV']],
      ['Own fields', false, ['Band gap', 'Strain of the film %']],
      ['In general', false, ['Volume Å³']],
      ['More of properties', true, ['Band gap, method']],
      ['Lattice', true, ['a Å or bohr']],
      ['Composition', true, ['Atoms of Ag in the cell']],
      ['Basis', true, ['Basis coordinates id']],
      ['All others', true, ['Hash']],
    ])
  })

  it('are found by title and by path', () => {
    const found = (typed: string) => fieldsCalled(fields, typed).map(({ path }) => path)
    expect(found('band gap')).toEqual(['bandGap', 'properties.band_gap.group', 'properties.band_gap.value'])
    expect(found(' LATTICE.')).toEqual(['lattice.a'])
    expect(found('film')).toEqual(['strain'])
  })
})

describe('conditions as their chips say them', () => {
  const values = (path: string, ...some: readonly (string | number)[]) =>
    ({ kind: 'values', path, values: some }) as const
  const group = (text: string, number: number | null) => ({ path: 'spaceGroup.symbol', text, number })

  it('have space groups by their symbols, whether they are asked for by symbol or by number', () => {
    const parts = ['Space group: ', group('P4_2/mnm', 136), ' (136)', ', ', group('Fm-3m', 225), ' (225)']
    expect(partsOf(values('spaceGroup.number', 136, 225), MATERIALS)).toEqual(parts)
    expect(wordsOf(values('spaceGroup.number', 136), MATERIALS)).toBe('Space group: P42/mnm (136)')
    expect(partsOf(values('spaceGroup.symbol', 'P63/mmc'), MATERIALS)).toEqual(['Space group: ', group('P63/mmc', 194)])
    expect(wordsOf(values('spaceGroup.number', 999), MATERIALS)).toBe('Space group: 999')
  })

  it('have values that are printed also within what they join', () => {
    const either = { kind: 'anyOf', conditions: [values('formula', 'TiO2'), values('nSites', 3)] } as const
    const formula = { path: 'formula', text: 'TiO2', number: null }
    const sites = { path: 'nSites', text: '3', number: null }
    expect(partsOf({ kind: 'noneOf', conditions: [either] }, MATERIALS)).toEqual([
      'not ',
      'Formula: ',
      formula,
      ' or ',
      'Sites: ',
      sites,
    ])
  })
})

describe('filters of lists', () => {
  const OTHERS = { ...MATERIALS, name: 'jobs', facets: [] }

  it('are by owner and by who sees a record in every list, an owner by what it is called', () => {
    for (const collection of [MATERIALS, OTHERS]) {
      const [owner, isPublic] = facetsOf(collection)
      expect([owner?.path, isPublic?.path]).toEqual(['owner.slug', 'isPublic'])
    }
    const lab = { _id: 'o', name: 'Lab-2', slug: 'lab-2', type: 'organization', title: 'Surface Lab 2' } as const
    const entity = { _id: 'u', name: 'ada', email: null, defaultAccountId: 'a' }
    me.value = { user: { entity }, accounts: [{ entity: lab, role: 'member' }] }
    expect(['lab-2', 'other'].map((slug) => valueWords(OTHERS, 'owner.slug', slug))).toEqual(['Surface Lab 2', 'other'])
    me.value = null
    expect(valueWords(OTHERS, 'isPublic', true)).toBe('everybody')
  })
})
