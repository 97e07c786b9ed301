import { describe, expect, it } from 'vitest'
import { suggestionsFor, valuesQuestion, valueTyped } from '../../../web/query/search-line/suggest.ts'
import { MATERIAL_VOCABULARY, RECORD_VOCABULARY } from '../../../web/query/search-line/vocabulary.ts'

const field = (path: string, type: string) => ({ path, types: [type], count: 7, title: null, unit: null })
const KNOWN = { ...MATERIAL_VOCABULARY, fields: [field('bandGap', 'number'), field('dft.functional', 'string')] }
const FOUND = [
  {
    path: 'tags',
    values: [
      { value: 'semiconductor', count: 33 },
      { value: 'sample', count: 133 },
    ],
  },
  { path: 'prototype.name', values: [{ value: 'Halite, Rock Salt', count: 14 }] },
]

/** What the line would be with each suggestion taken. */
const taken = (text: string) =>
  suggestionsFor(text, KNOWN, FOUND).map(({ from, text: written }) => text.slice(0, from) + written)

describe('suggestions', () => {
  it.each<[string, readonly string[]]>([
    ['tita', ['Ti']],
    ['oxide, tita', ['oxide, Ti']],
    ['cub', ['cubic']],
    ['perovskite rare e', ['perovskite rare earth']],
    ['band g', ['band gap > ', 'bandGap > ']],
    ['bandg', ['band gap > ', 'bandGap > ']],
    ['dft', ['dft.functional: ']],
    ['semic', ['tag: semiconductor']],
    ['tag: semic', ['tag: semiconductor']],
    ['Ti or salt', ['Ti or prototype: "Halite, Rock Salt"']],
    ['prototype: "rock', ['prototype: "Halite, Rock Salt"']],
    ['t', []],
    ['', []],
    ['gap > 3', []],
  ])('of %j are %j', (text, lines) => {
    expect(taken(text)).toEqual(lines)
  })

  it('are at most nine, and three of a kind', () => {
    const kinds = suggestionsFor('al', KNOWN, []).map(({ kind }) => kind)
    expect(suggestionsFor('e', KNOWN, [])).toEqual([])
    expect(Math.max(...kinds.map((kind) => kinds.filter((one) => one === kind).length))).toBeLessThanOrEqual(3)
  })

  it('of values are asked for as they are typed, with what means something in a pattern as it is', () => {
    expect(valueTyped('Ti, semi')).toBe('semi')
    expect(valueTyped('Ti, s')).toBeNull()
    expect(valueTyped('gap > se')).toBeNull()
    expect(valueTyped('gap > 1, se')).toBe('se')
    expect(valuesQuestion('a-b', RECORD_VOCABULARY)).toEqual({
      query: { $or: [{ tags: { $regex: 'a-b', $options: 'i' } }, { name: { $regex: 'a-b', $options: 'i' } }] },
      facets: [
        { path: 'tags', limit: 30 },
        { path: 'name', limit: 30 },
      ],
      budgetMs: 200,
    })
  })
})
