import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Condition } from '../../../web/query/conditions.ts'
import type { Piece } from '../../../web/query/search-line/piece.ts'
import { queryOfPieces, readLine } from '../../../web/query/search-line/read-line.ts'
import { MATERIAL_VOCABULARY, RECORD_VOCABULARY } from '../../../web/query/search-line/vocabulary.ts'
import { writeCondition, writeLine } from '../../../web/query/search-line/write-line.ts'
import { FAULTS, SEARCHES } from './searches.ts'

const TEXTS = SEARCHES.flatMap(([query, ...texts]) => texts.map((text) => [text, query] as const))

function piecesOf(text: string): readonly Piece[] {
  const reading = readLine(text, MATERIAL_VOCABULARY)
  if ('fault' in reading) throw new Error(`${text}: ${reading.fault.message}`)
  return reading.pieces
}

const conditionsOf = (text: string) => piecesOf(text).map(({ condition }) => condition)

describe('the search line', () => {
  it('has searches enough', () => {
    expect(TEXTS.length).toBeGreaterThanOrEqual(300)
    expect(new Set(TEXTS.map(([text]) => text)).size).toBe(TEXTS.length)
  })

  it.each(TEXTS)('%s is asked as it is meant', (text, query) => {
    expect(queryOfPieces(piecesOf(text))).toEqual(query)
  })

  it.each(FAULTS)('%s is refused: %s', (text, message, place) => {
    const reading = readLine(text, MATERIAL_VOCABULARY)
    if (!('fault' in reading)) throw new Error(JSON.stringify(reading.pieces))
    expect(reading.fault.message).toBe(message)
    expect(text.slice(reading.fault.from, reading.fault.to)).toBe(place)
  })

  it('is the same after its pieces have been a text', () => {
    for (const [text] of TEXTS) expect(conditionsOf(writeLine(piecesOf(text))), text).toEqual(conditionsOf(text))
  })

  it('without one of its pieces asks all that the others ask', () => {
    for (const [text] of TEXTS) {
      const pieces = piecesOf(text)
      for (const dropped of pieces) {
        const others = pieces.filter((one) => one !== dropped)
        expect(conditionsOf(writeLine(others)), text).toEqual(others.map(({ condition }) => condition))
      }
    }
  })

  it('offers what else a piece may mean, which is read as something else', () => {
    const offered = TEXTS.flatMap(([text]) => piecesOf(text)).filter(({ otherwise }) => otherwise.length > 0)
    for (const { condition, otherwise } of offered) {
      for (const text of otherwise) expect(conditionsOf(text), text).not.toEqual([condition])
    }
    expect(piecesOf('B1')[0]?.otherwise).toEqual(['formula: B1'])
    expect(piecesOf('Pm')[0]?.otherwise).toEqual(['formula: Pm', 'space group: Pm'])
    expect(piecesOf('Fe3+')[0]?.otherwise).toEqual(['Fe'])
  })

  it('writes any condition as a text that is read as it', () => {
    const conditions = new Set(TEXTS.flatMap(([text]) => conditionsOf(text)))
    for (const condition of conditions)
      expect(conditionsOf(writeCondition(condition, MATERIAL_VOCABULARY))).toEqual([condition])
  })

  it.each<[Condition, string]>([
    [{ kind: 'values', path: 'tags', values: ['metal'] }, 'tag: metal'],
    [{ kind: 'values', path: 'formula', values: ['TiO2'] }, 'TiO2'],
    [{ kind: 'values', path: 'spaceGroup.crystalSystem', values: ['cubic'] }, 'cubic'],
    [{ kind: 'values', path: 'lattice.type', values: ['FCC', 'CUB'] }, 'FCC or CUB'],
    [{ kind: 'values', path: 'x', values: ['7'] }, 'x: "7"'],
    [{ kind: 'range', path: 'properties.band_gap.value', min: 1, max: null }, 'band gap >= 1'],
    [{ kind: 'range', path: 'volume', min: 1, max: 2, open: 'both' }, 'volume > 1 and < 2'],
    [{ kind: 'elements', mode: 'none', symbols: ['O', 'S'] }, 'not O, not S'],
    [{ kind: 'elements', mode: 'any', symbols: ['O'] }, '{"elements":{"$in":["O"]}}'],
    [{ kind: 'other', query: { tags: { $size: 2 } } }, '{"tags":{"$size":2}}'],
  ])('writes %j as %s', (condition, text) => {
    expect(writeCondition(condition, MATERIAL_VOCABULARY)).toBe(text)
  })

  it('reads whatever is typed, or says what is wrong with it', () => {
    const piece = fc.constantFrom(
      'Ti',
      'or',
      'not',
      '(',
      ')',
      '"',
      '{',
      '}',
      '[',
      ']',
      '>',
      '<',
      '=',
      ':',
      ',',
      '1',
      'eV',
      'gap',
      'volume',
      '-',
      '*',
      ' ',
      'B1',
      'tag',
      '\\',
      'é',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
          fc.array(piece, { maxLength: 12 }).map((all) => all.join(' ')),
        ),
        (text) => {
          const reading = readLine(text, MATERIAL_VOCABULARY)
          if ('fault' in reading) return
          expect(conditionsOf(writeLine(reading.pieces))).toEqual(reading.pieces.map(({ condition }) => condition))
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('means the field that most records have', () => {
    const field = (path: string, count: number, unit: string | null = null, title: string | null = null) => ({
      path,
      types: ['number'],
      count,
      title,
      unit,
    })
    const known = {
      ...MATERIAL_VOCABULARY,
      fields: [
        field('bandGap', 900),
        field('properties.band_gap.value', 3, 'eV'),
        field('metadata.temperature', 7, 'K'),
        field('x.hardness', 1, null, 'Vickers hardness'),
      ],
    }
    const query = (text: string) => {
      const reading = readLine(text, known)
      return 'pieces' in reading ? queryOfPieces(reading.pieces) : reading.fault.message
    }
    expect(query('gap > 1')).toEqual({ bandGap: { $gt: 1 } })
    expect(query('band gap > 1')).toEqual({ bandGap: { $gt: 1 } })
    expect(query('bandgap > 1')).toEqual({ bandGap: { $gt: 1 } })
    expect(query('properties.band_gap.value > 1 eV')).toEqual({ 'properties.band_gap.value': { $gt: 1 } })
    expect(query('temperature < 300')).toEqual({ 'metadata.temperature': { $lt: 300 } })
    expect(query('vickers hardness > 10')).toEqual({ 'x.hardness': { $gt: 10 } })
    expect(query('gap > 1 eV')).toBe('No unit is known of bandGap: without eV its numbers are compared as they stand')
  })

  it('of records without elements knows words, fields and queries', () => {
    const query = (text: string) => {
      const reading = readLine(text, RECORD_VOCABULARY)
      return 'pieces' in reading ? queryOfPieces(reading.pieces) : reading.fault.message
    }
    const word = (text: string) => ({
      $or: ['name', 'tags', 'description'].map((path) => ({ [path]: { $regex: text, $options: 'i' } })),
    })
    expect(query('Si')).toEqual(word('Si'))
    expect(query('relax B1')).toEqual({ $and: [word('relax'), word('B1')] })
    expect(query('precision.cutoff > 40')).toEqual({ 'precision.cutoff': { $gt: 40 } })
    expect(query('{type: "dft"}')).toEqual({ type: 'dft' })
    expect(query('tag: cubic')).toEqual({ tags: 'cubic' })
  })
})
