import { expect, test } from 'vitest'
import { type Asked, readAsked } from '../../web/pages/materials/asked.ts'
import { MATERIALS } from '../../web/pages/materials/collections.ts'
import { columnsOf, listQuestion } from '../../web/pages/materials/question.ts'
import type { Condition } from '../../web/query/conditions.ts'

const GAP: Condition = { kind: 'range', path: 'properties.band_gap.value', min: 1, max: 3 }
const USUAL = MATERIALS.columns.map(({ path }) => path)

function asked(search: string, line: readonly Condition[] = []): Asked {
  return { ...readAsked(new URLSearchParams(search)), line }
}
const paths = (one: Asked) => columnsOf(MATERIALS, one).map(({ path }) => path)

test('a number that is asked for is a column, in the line and among the filters, once', () => {
  expect(paths(asked(''))).toEqual(USUAL)
  const withGap = [...USUAL.slice(0, 2), 'properties.band_gap.value', ...USUAL.slice(2)]
  expect(paths(asked('', [GAP]))).toEqual(withGap)
  expect(paths(asked('query={"properties.band_gap.value":{"$gt":1}}'))).toEqual(withGap)
  expect(paths(asked('query={"properties.band_gap.value":{"$gt":1}}', [GAP]))).toEqual(withGap)
  expect(paths(asked('query={"volume":{"$gt":1}}'))).toEqual(USUAL)
  expect(columnsOf(MATERIALS, asked('', [GAP])).at(2)).toMatchObject({ title: 'Band gap', unit: 'eV' })
})

test('columns that somebody has chosen stay as they are', () => {
  expect(paths(asked('columns=formula', [GAP]))).toEqual(['name', 'formula'])
})

test('a number that is asked for comes with the records', () => {
  const { search } = listQuestion(MATERIALS, asked('', [GAP]))
  expect(JSON.parse(search?.['projection'] ?? '').fields).toMatchObject({ 'properties.band_gap.value': 1, name: 1 })
})
