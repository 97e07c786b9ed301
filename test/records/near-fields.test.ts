import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { guideOf } from '../../src/records/warnings/field-guide.ts'
import { nearFields } from '../../src/records/warnings/near-fields.ts'

function found(document: JsonObject, before: JsonObject = {}): readonly string[] {
  return nearFields(document, before, guideOf(materialKind)).map(({ path, meant }) => `${path} ${meant}`)
}

test('records with the same names of fields are told the same, whatever their values are', () => {
  const told = ['nmae name', 'lattice.alpa lattice.alpha']
  expect(found({ nmae: 'one', lattice: { alpa: 90 } })).toEqual(told)
  expect(found({ nmae: { a: 1 }, lattice: { alpa: null } })).toEqual(told)
})

test('what is there already is not meant, in a record of the same other fields', () => {
  expect(found({ nmae: 1 })).toEqual(['nmae name'])
  expect(found({ nmae: 1, name: 'silicon' })).toEqual([])
  expect(found({ nmae: 1 })).toEqual(['nmae name'])
})

test('the same name is meant for another one in another object', () => {
  expect(found({ alpa: 90 })).toEqual([])
  expect(found({ lattice: { alpa: 90 } })).toEqual(['lattice.alpa lattice.alpha'])
})

test('fields are told in the order that the record has them in', () => {
  expect(found({ nmae: 1, tagss: [] })).toEqual(['nmae name', 'tagss tags'])
  expect(found({ tagss: [], nmae: 1 })).toEqual(['tagss tags', 'nmae name'])
})

test('of a record that is changed, what it was before decides, remembered or not', () => {
  expect(found({ nmae: 1 })).toEqual(['nmae name'])
  expect(found({ nmae: 1 }, { nmae: 2 })).toEqual([])
  expect(found({ nmae: 1, name: 'new' }, { name: 'old' })).toEqual([])
  expect(found({ nmae: 1, name: 'old' }, { name: 'old' })).toEqual(['nmae name'])
  expect(found({ nmae: 1 })).toEqual(['nmae name'])
})
