import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dottedPath, findInJson, idOf, idsAbove, type Path, preview, rowsOf } from '../../web/parts/json-rows.ts'

const RECORD = {
  name: 'Silicon',
  lattice: { a: 3.867, type: 'FCC' },
  tags: [],
  long: Array.from({ length: 250 }, (_, id) => ({ id })),
}

function seen(value: unknown, ...open: readonly string[]) {
  return rowsOf(value, new Set(open)).map(
    ({ path, range, level }) => `${level} ${dottedPath(path)}${range ? ` ${range}` : ''}`,
  )
}

describe('the rows of a JSON tree', () => {
  it('are the fields of the value, and those below what is open', () => {
    expect(seen(RECORD)).toEqual(['1 name', '1 lattice', '1 tags', '1 long'])
    expect(seen(RECORD, idOf(['lattice']))).toEqual([
      '1 name',
      '1 lattice',
      '2 lattice.a',
      '2 lattice.type',
      '1 tags',
      '1 long',
    ])
  })

  it('can be opened where there is something in them', () => {
    expect(rowsOf(RECORD, new Set([idOf(['tags'])])).map(({ canOpen, isOpen }) => [canOpen, isOpen])).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [true, false],
    ])
  })

  it('count what stands on their level', () => {
    const rows = rowsOf(RECORD, new Set([idOf(['lattice'])]))
    expect(rows.map(({ position, siblings }) => `${position} of ${siblings}`)).toEqual([
      '1 of 4',
      '2 of 4',
      '1 of 2',
      '2 of 2',
      '3 of 4',
      '4 of 4',
    ])
  })

  it('are ranges where an array is long, and its elements below them', () => {
    expect(seen(RECORD, idOf(['long'])).slice(-3)).toEqual(['2 long 0,100', '2 long 100,200', '2 long 200,250'])
    const below = seen(RECORD, idOf(['long']), idOf(['long'], [200, 250]))
    expect(below.slice(-2)).toEqual(['3 long.248', '3 long.249'])
    expect(below).toHaveLength(4 + 3 + 50)
  })

  it('are never more than a hundred below one', () => {
    const value = { all: new Array(1_234_567).fill(0) }
    const ids = [idOf(['all']), idOf(['all'], [0, 1_000_000]), idOf(['all'], [0, 10_000]), idOf(['all'], [0, 100])]
    const counts = ids.map((_, index) => seen(value, ...ids.slice(0, index + 1)).length)
    expect(counts).toEqual([3, 103, 203, 303])
  })
})

describe('what has to be open for a value to be seen', () => {
  it('makes every value seen', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 20_000 }), (inner, length) => {
        const root = { inner, list: new Array(length).fill({ a: 1 }) }
        const paths = [...allPaths(inner, ['inner']), ...(length === 0 ? [] : [['list', length - 1, 'a']])]
        for (const path of paths) {
          const rows = rowsOf(root, new Set(idsAbove(root, path)))
          expect(rows.some(({ id }) => id === idOf(path))).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})

function allPaths(value: unknown, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...entries.flatMap(([key, item]) => allPaths(item, [...path, key]))]
}

describe('a search in a JSON value', () => {
  it('finds names and values in either case, in their order', () => {
    const value = { Name: 'x', list: ['nAme', 'y', { name: 1 }], names: { y: true } }
    expect(findInJson(value, 'name', 10).map(dottedPath)).toEqual(['Name', 'list.0', 'list.2.name', 'names'])
    expect(findInJson(value, 'true', 10).map(dottedPath)).toEqual(['names.y'])
  })

  it('finds nothing for nothing, and no more than is asked for', () => {
    expect(findInJson(RECORD, '', 10)).toEqual([])
    expect(findInJson(RECORD, 'id', 3).map(dottedPath)).toEqual(['long.0.id', 'long.1.id', 'long.2.id'])
  })
})

describe('the line of a closed value', () => {
  it.each([
    [{ id: 0, value: [0, 0.25, 'Si'] }, '{id: 0, value: [0, 0.25, "Si"]}'],
    [[], '[]'],
    [{}, '{}'],
    [null, 'null'],
  ])('is the whole of a short one: %j', (value, text) => {
    expect(preview(value, 60)).toBe(text)
  })

  it('is as long as it may be, whatever is in the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => preview(value, 40).length <= 40 + 45),
      { numRuns: 200 },
    )
    expect(preview([new Array(1000).fill(1)], 20)).toBe('[[1, 1, 1, 1, 1, 1, 1…]')
  })
})
