import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ELEMENTS, elementClassesOf, elementsOfClass, readElementClass } from '../../../src/page/elements.ts'
import { readIon } from '../../../src/page/ion.ts'
import { type Condition, conditionsOf, ELEMENT_MODES, queryOf } from '../../../web/query/conditions.ts'

const symbol = fc.constantFrom(...ELEMENTS.map((one) => one.symbol))
const symbols = fc.uniqueArray(symbol, { minLength: 1, maxLength: 5 })
const path = fc.constantFrom('volume', 'lattice.type', 'spaceGroup.number', 'tags', 'a.b.c')
const scalar = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const bound = fc.double({ noNaN: true, noDefaultInfinity: true })

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant('elements' as const), mode: fc.constantFrom(...ELEMENT_MODES), symbols }),
  symbols.map((list) => ({ kind: 'system' as const, symbols: [...list].sort() })),
  fc.record({ kind: fc.constant('name' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('values' as const), path, values: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc
    .record({ kind: fc.constant('range' as const), path, min: fc.option(bound), max: fc.option(bound) })
    .filter(({ min, max }) => min !== null || max !== null),
  fc.record({
    kind: fc.constant('range' as const),
    path,
    min: bound,
    max: bound,
    open: fc.constantFrom('min' as const, 'max' as const, 'both' as const),
  }),
  fc.record({ kind: fc.constant('exists' as const), path }),
  fc.record({
    kind: fc.constant('word' as const),
    text: fc.string({ minLength: 1 }),
    fields: fc.constant(['name', 'tags', 'prototype.name']),
  }),
  fc.constantFrom<Condition>(
    {
      kind: 'anyOf',
      conditions: [
        { kind: 'exists', path: 'a' },
        { kind: 'values', path: 'b', values: [1, 2] },
      ],
    },
    { kind: 'noneOf', conditions: [{ kind: 'values', path: 'b', values: [1] }] },
    { kind: 'word', text: 'tio2', fields: ['name', 'tags'], or: [['formula', 'TiO2']] },
    {
      kind: 'anyOf',
      conditions: [
        { kind: 'exists', path: 'a' },
        {
          kind: 'allOf',
          conditions: [
            { kind: 'values', path: 'b', values: [1] },
            { kind: 'exists', path: 'c' },
          ],
        },
      ],
    },
  ),
  fc.constantFrom<Condition>(
    { kind: 'other', query: { $or: [{ a: 1 }, {}] } },
    { kind: 'other', query: { volume: { $gt: 3, $exists: true } } },
    { kind: 'other', query: { tags: { $size: 2 } } },
    { kind: 'other', query: { $expr: { $gt: ['$a', '$b'] } } },
  ),
)

describe('conditions', () => {
  it('are the same after they have been a query', () => {
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 6 }), (conditions) => {
        // As it goes to the server and comes back from the address.
        const query = JSON.parse(JSON.stringify(queryOf(conditions)))
        expect(conditionsOf(query)).toEqual(JSON.parse(JSON.stringify(conditions)))
      }),
      { numRuns: 2000 },
    )
  })

  it('of any query are that query again', () => {
    const json = fc.dictionary(
      fc.constantFrom('name', 'elements', 'chemicalSystem', 'volume', '$and', '$or', 'a.b'),
      fc.oneof(
        scalar,
        fc.dictionary(fc.constantFrom('$in', '$all', '$eq', '$gte', '$lte', '$regex', '$options', '$not'), scalar),
        fc.array(fc.dictionary(fc.constantFrom('a', '$in'), scalar), { maxLength: 3 }),
      ),
    )
    fc.assert(
      fc.property(json, (query) => {
        const conditions = conditionsOf(query)
        expect(conditionsOf(queryOf(conditions))).toEqual(conditions)
      }),
      { numRuns: 2000 },
    )
  })

  it('stand side by side in a query where their fields differ', () => {
    const range = { kind: 'range', path: 'volume', min: 1, max: null } as const
    const elements = { kind: 'elements', mode: 'all', symbols: ['Si'] } as const
    expect(queryOf([range, elements])).toEqual({ volume: { $gte: 1 }, elements: { $all: ['Si'] } })
    expect(queryOf([elements, { ...elements, mode: 'none', symbols: ['O'] }])).toEqual({
      $and: [{ elements: { $all: ['Si'] } }, { elements: { $nin: ['O'] } }],
    })
  })
})

describe('an element with its oxidation state', () => {
  it.each([
    ['Fe3+', 'Fe3+'],
    ['Fe+3', 'Fe3+'],
    ['Fe 3+', 'Fe3+'],
    ['Fe(III)', 'Fe3+'],
    ['Fe(+3)', 'Fe3+'],
    ['Fe³⁺', 'Fe3+'],
    ['Fe^{3+}', 'Fe3+'],
    ['O2-', 'O2-'],
    ['O(-II)', 'O2-'],
    ['O²⁻', 'O2-'],
    ['Na+', 'Na1+'],
    ['Fe2.5+', 'Fe2.5+'],
    ['Fe3', null],
    ['Fe(OH)3', null],
    ['VI', null],
    ['Xx3+', null],
    ['Si-O', null],
  ])('%s is read as %s', (text, ion) => {
    expect(readIon(text)).toBe(ion)
  })
})

describe('the elements', () => {
  it('stand in their periods and groups', () => {
    const place = (symbol: string) => {
      const element = ELEMENTS.find((one) => one.symbol === symbol)
      return [element?.number, element?.period, element?.group]
    }
    expect(['H', 'He', 'B', 'Ar', 'Fe', 'Ce', 'Lu', 'Hf', 'Rn', 'U', 'Og'].map(place)).toEqual([
      [1, 1, 1],
      [2, 1, 18],
      [5, 2, 13],
      [18, 3, 18],
      [26, 4, 8],
      [58, 6, null],
      [71, 6, 3],
      [72, 6, 4],
      [86, 6, 18],
      [92, 7, null],
      [118, 7, 18],
    ])
  })

  it('have the classes that people look for', () => {
    expect(elementsOfClass('chalcogen')).toEqual(['O', 'S', 'Se', 'Te', 'Po', 'Lv'])
    expect(elementsOfClass('lanthanide')).toHaveLength(15)
    expect(elementsOfClass('alkali metal')).toEqual(['Li', 'Na', 'K', 'Rb', 'Cs', 'Fr'])
    expect(elementsOfClass('transition metal')).toHaveLength(38)
    expect(elementsOfClass('rare earth')).toHaveLength(17)
    expect(elementsOfClass('metalloid')).toEqual(['B', 'Si', 'Ge', 'As', 'Sb', 'Te'])
    expect(elementClassesOf(['Cl', 'Na'])).toEqual(['alkali metal', 'halogen'])
    expect(elementClassesOf(['H', 'C'])).toEqual([])
  })

  it.each([
    ['Halogens', 'halogen'],
    ['noble gases', 'noble gas'],
    ['rare-earth', 'rare earth'],
    ['alkali', 'alkali metal'],
    ['Lanthanoids', 'lanthanide'],
    ['transitionmetal', 'transition metal'],
    ['halide', null],
  ])('%s are the class %s', (text, name) => {
    expect(readElementClass(text)).toBe(name)
  })
})
