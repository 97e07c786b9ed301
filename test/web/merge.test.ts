import { expect, test } from 'vitest'
import { conflictsOf, merged, updateOf } from '../../web/pages/edit/merge.ts'

const BASE = { name: 'Si', tags: ['a'], lattice: { a: 1, b: 2 }, note: 'x' }

test('an update has the fields that are others, and those that are gone', () => {
  const after = { name: 'Silicon', tags: ['a'], lattice: { b: 2, a: 1 } }
  expect(updateOf(BASE, after)).toEqual({ $set: { name: 'Silicon' }, $unset: { note: '' } })
  expect(updateOf(BASE, { ...BASE })).toBeNull()
})

test('a conflict is a field of which two have made two things', () => {
  const mine = { ...BASE, name: 'mine', tags: ['same'] }
  const theirs = { ...BASE, name: 'theirs', tags: ['same'], note: 'y' }
  expect(conflictsOf(BASE, mine, theirs)).toEqual([{ field: 'name', mine: 'mine', theirs: 'theirs' }])
})

test('what both have done is kept, and of conflicts what is chosen', () => {
  const { note: _, ...rest } = BASE
  const mine = { ...rest, name: 'mine' }
  const theirs = { ...BASE, name: 'theirs', tags: ['b'] }
  expect(merged(BASE, mine, theirs, () => true)).toEqual({ ...rest, name: 'mine', tags: ['b'] })
  expect(merged(BASE, mine, theirs, () => false)).toEqual({ ...rest, name: 'theirs', tags: ['b'] })
})
