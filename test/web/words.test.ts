import { describe, expect, it } from 'vitest'
import { PAGE_PATHS, pagePath, readPageAddress } from '../../src/page/addresses.ts'
import { listPath, readAsked } from '../../web/pages/materials/asked.ts'
import { formatJson } from '../../web/parts/json-text.ts'

describe('the JSON of a record', () => {
  it('keeps a coordinate on one line and stays the same JSON', () => {
    const record = {
      name: 'Si "x"',
      basis: { coordinates: [{ id: 0, value: [0, 0.25, 0.5] }], elements: [] },
      none: null,
      deep: [[[[1]]]],
    }
    const text = formatJson(record)
    expect(JSON.parse(text)).toEqual(record)
    expect(text.split('\n')).toContain('      {"id":0,"value":[0,0.25,0.5]}')
  })

  it('breaks what is longer than a line', () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index)
    expect(formatJson(numbers).split('\n')).toHaveLength(62)
  })
})

describe('the address of a page', () => {
  const read = (address: string) => {
    const { pathname, search } = new URL(address, 'http://host')
    return readPageAddress(pathname, new URLSearchParams(search))
  }

  it('leads back to what was asked', () => {
    const asked = {
      search: 'TiO2, gap > 1 & < 3',
      query: '{"name": "a&b=c #1 + 100%", "é": ["?"]}',
      sort: '-name',
      limit: '50',
      skip: '50',
      after: 'a cursor',
      columns: 'name,lattice.a',
      x: 'volume',
      y: 'density',
      color: '',
    }
    const address = read(listPath('methods', asked))
    expect(address).toMatchObject({ page: 'records', at: { collection: 'methods' } })
    expect(readAsked(address?.search ?? new URLSearchParams())).toEqual(asked)
  })

  it.each(Object.keys(PAGE_PATHS) as (keyof typeof PAGE_PATHS)[])('of %s is read as it is written', (page) => {
    const at = Object.fromEntries([...PAGE_PATHS[page].matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'a/b?c é']))
    expect(read(pagePath(page, at))).toMatchObject({ page, at })
  })

  it('may have a slash at its end', () => {
    expect(read('/materials/')?.page).toBe('materials')
  })

  it('tells a new record from one that is there', () => {
    const pages = ['/materials/new', '/jobs/new', '/materials/a', '/jobs/a'].map((path) => read(path)?.page)
    expect(pages).toEqual(['newRecord', 'newRecord', 'material', 'record'])
  })

  it('that is of no page is none', () => {
    for (const path of ['/a/b/c', '/materials/a/b/c', '/docs/a/b']) expect([path, read(path)]).toEqual([path, null])
  })

  it('may be garbage', () => {
    expect(readPageAddress('/materials/%E0%A4%A', new URLSearchParams())?.at).toEqual({ id: '%E0%A4%A' })
  })
})
