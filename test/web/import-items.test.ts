import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../web/api/client.ts'
import { type Item, materialIds, NOTHING_SAID, type State } from '../../web/pages/import/import-item.ts'
import { countItems, failuresOf, placeWords, summaryWords } from '../../web/pages/import/item-words.ts'
import { storingPortions } from '../../web/pages/import/storing-portions.ts'

let keys = 0
const item = (state: State, more: Partial<Item> = {}): Item => ({
  key: ++keys,
  file: new File(['x'.repeat(10)], `${keys}.vasp`),
  isChosen: true,
  said: NOTHING_SAID,
  state,
  ...more,
})
const ready: State = { step: 'ready', analysis: null }
const failed = (message: string, status = 422, code = 42226, data = {}): State => ({
  step: 'failed',
  error: Object.assign(new Error(message), { status, code, data }) as Refusal,
  at: 'reading',
})
const done = (outcome: 'stored' | 'skipped', _id = 'a'): State => ({
  step: 'done',
  analysis: null,
  reports: [{ file: 'a', outcome, _id }],
})
const times = (count: number, state: State) => Array.from({ length: count }, () => item(state))

describe('how many files stand where', () => {
  it.each([
    [[...times(13, ready), ...times(7, failed('No.'))], '20 files: 13 can be stored, 7 cannot.'],
    [[item(ready), item(ready, { isChosen: false })], '2 files: 1 can be stored, 1 is not chosen.'],
    [times(2000, { step: 'reading' }), '2,000 files: 2,000 are being read.'],
    [
      [item(done('stored')), item(done('skipped')), item(failed('No.'))],
      '3 files: 1 is stored, 1 was there already, 1 cannot be stored.',
    ],
    [[item({ step: 'storing', analysis: null })], '1 file: 1 is being stored.'],
  ])('is said in a sentence, %#', (items, words) => {
    expect(summaryWords(countItems(items))).toBe(words)
  })
})

describe('files that cannot be stored', () => {
  it('are together by their reason, whatever lines and names of theirs it has', () => {
    const failures = failuresOf([
      item(failed('Line 3: "abc" is no number.')),
      item(failed('It has no atoms.', 422, 42235)),
      item(failed('Line 17: "x" is no number.')),
      item(ready),
    ])
    expect(failures.map(({ reason, items }) => [reason, items.length])).toEqual([
      ['"abc" is no number.', 2],
      ['It has no atoms.', 1],
    ])
    expect(placeWords('Line 17: "x" is no number.')).toBe('Line 17')
    expect(placeWords('It has no atoms.')).toBe('')
  })

  it.each([
    [0, true],
    [401, true],
    [413, false],
    [422, false],
    [429, true],
    [503, true],
  ])('may go well another time or not: %i', (status, mayPass) => {
    expect(failuresOf([item(failed('No.', status))])[0]?.mayPass).toBe(mayPass)
  })

  it('can be read as a format where the reader names some', () => {
    const data = { remedy: { name: 'nameFormat', formats: 'cif, poscar' } }
    expect(failuresOf([item(failed('What is it?', 422, 42226, data))])[0]?.formats).toEqual(['cif', 'poscar'])
    expect(failuresOf([item(failed('No.'))])[0]?.formats).toEqual([])
  })
})

describe('files that are stored by one request', () => {
  const namesOf = (items: readonly Item[]) =>
    storingPortions(items).map((portion) => portion.items.map(({ file }) => file.name))
  const file = (name: string, bytes = 1) => ({ file: new File([new Uint8Array(bytes)], name) })

  it('are forty at most, and of eight MiB', () => {
    expect(namesOf(times(100, ready)).map(({ length }) => length)).toEqual([40, 40, 20])
    const large = ['a', 'b', 'c'].map((name) => item(ready, file(name, 3 * 1024 * 1024)))
    expect(namesOf(large)).toEqual([['a', 'b'], ['c']])
  })

  it('have names of their own, and the same is said of all of them', () => {
    const said = { ...NOTHING_SAID, format: 'xyz' }
    const items = [
      item(ready, file('a.vasp')),
      item(ready, file('a.vasp')),
      item(ready, { ...file('b.vasp'), said }),
      item(ready, { ...file('c.vasp'), said: { ...said, name: 'Mine' } }),
      item(ready, file('all.zip')),
      item(ready, { ...file('d.vasp'), said }),
    ]
    expect(namesOf(items)).toEqual([['a.vasp'], ['a.vasp'], ['b.vasp', 'd.vasp'], ['c.vasp'], ['all.zip']])
    expect(storingPortions(items).map((portion) => portion.said.format)).toEqual([null, null, 'xyz', 'xyz', null])
  })
})

it('puts into a set what a file has become, and not what is in a set of its own', () => {
  expect(materialIds(item(done('stored')))).toEqual(['a'])
  const reports = [
    { file: 'a', outcome: 'stored', _id: 'set', frames: 2 },
    { file: 'a', outcome: 'stored', _id: 'member', frame: 0 },
    { file: 'b', outcome: 'refused' },
  ] as const
  expect(materialIds(item({ step: 'done', analysis: null, reports }))).toEqual([])
})
