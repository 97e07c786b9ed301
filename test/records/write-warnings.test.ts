import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { writeWarnings } from '../../src/records/warnings/write-warnings.ts'

function told(written: { before?: JsonObject; edited: JsonObject; after: JsonObject }) {
  return writeWarnings({ form: materialKind, before: {}, ...written }).map(({ code, path }) => [code, path])
}

const FOUND = { key: 'basis', code: 7, severity: 'warning', message: 'Two atoms are near.' }
const SEVERAL = [FOUND, { ...FOUND, severity: 'info', message: 'By the way.' }]

test('what a check has found is told when it is new', () => {
  const edited = { name: 'changed' }
  const after = { name: 'changed', consistencyChecks: SEVERAL }
  expect(told({ edited, after })).toEqual([[7, 'basis']])
  expect(told({ before: { name: 'one', consistencyChecks: SEVERAL }, edited, after })).toEqual([])
  expect(told({ before: { consistencyChecks: [{ ...FOUND, message: 'Another.' }] }, edited, after })).toEqual([
    [7, 'basis'],
  ])
})

test('a computed field that is sent back as it was is no statement; another value is one', () => {
  const before = { formula: 'Si', density: 2.33 }
  const after = { formula: 'Ge', density: 5.32 }
  expect(told({ before, edited: before, after })).toEqual([])
  expect(told({ before, edited: { ...before, formula: 'Sn' }, after })).toEqual([[20022, 'formula']])
  expect(told({ edited: before, after })).toEqual([
    [20022, 'formula'],
    [20022, 'density'],
  ])
})

test('twenty warnings are told at the most', () => {
  const edited = { list: Array.from({ length: 15 }, (_, at) => ({ [`a.${at}`]: 1 })) }
  const checks = Array.from({ length: 15 }, (_, at) => ({ ...FOUND, message: `Finding ${at}.` }))
  expect(told({ edited, after: { ...edited, consistencyChecks: checks } })).toHaveLength(20)
})
