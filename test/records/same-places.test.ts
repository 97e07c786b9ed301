import { expect, test } from 'vitest'
import { findSamePlaces } from '../../src/records/kinds/material/same-places.ts'

interface Changes {
  readonly hash?: string
  readonly a?: number
  readonly elements?: readonly string[]
  readonly places?: readonly (readonly number[])[]
}

function carbide({ hash = 'one', a = 3.0745, elements = ['Si', 'C'], places }: Changes = {}): string {
  const at = places ?? elements.map((element) => (element === 'Si' ? [0, 0, 0] : [0.25, 0.25, 0.25]))
  return JSON.stringify({
    hash,
    lattice: { a, b: 3.0745, c: 3.0745, alpha: 60, beta: 60, gamma: 60 },
    basis: {
      units: 'crystal',
      elements: elements.map((value, id) => ({ id, value })),
      coordinates: at.map((value, id) => ({ id, value })),
    },
  })
}

const moved = (by: number) => [
  [0, 0, 0],
  [0.25 + by, 0.25, 0.25],
]

test.each<[string, Changes, boolean]>([
  ['one of the same numbers', {}, true],
  ['one that another hash has been rounded to', { hash: 'other', a: 3.0744989 }, true],
  ['one whose sites are a cell away', { places: moved(1) }, true],
  ['one whose sites are off by the digits that are not printed', { hash: 'other', places: moved(1e-5) }, true],
  ['one of the same hash whose sites are off by what that rounds', { places: moved(4e-4) }, true],
  ['one of another hash whose sites are off by as much', { hash: 'other', places: moved(4e-4) }, false],
  ['one whose cell is longer than rounding takes', { hash: 'other', a: 3.0749 }, false],
  ['one of the same hash that has its sites in another order', { elements: ['C', 'Si'] }, false],
  ['one with another element', { hash: 'other', elements: ['Si', 'Ge'] }, false],
  ['one with a site more', { hash: 'other', elements: ['Si', 'C', 'C'] }, false],
])('%s is the material of an output: %j, %s', (_, changes, isTheSame) => {
  expect(findSamePlaces({ text: carbide(), candidates: [null, carbide(changes)] })).toBe(isTheSame ? 1 : -1)
})
