import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { REFUSED_OPERATORS, TOP_LEVEL_NAMES } from '../../src/query/filter/refuse-operator.ts'
import { FIELD_OPERATORS } from '../../src/query/filter/registry.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'

const page = readFileSync(new URL('../../docs/reference/query-language.md', import.meta.url), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('|'))
const named = (name: string) => rows.some((row) => row.split('|')[1]?.includes(`\`${name}\``))

describe('docs/reference/query-language.md', () => {
  it.each([...FIELD_OPERATORS.keys(), ...TOP_LEVEL_NAMES, ...REFUSED_OPERATORS.keys()])('has a row for %s', (name) => {
    expect(named(name)).toBe(true)
  })

  it('names no operator that is not known', () => {
    const known = new Set([...FIELD_OPERATORS.keys(), ...TOP_LEVEL_NAMES, ...REFUSED_OPERATORS.keys()])
    const first = rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)\$[A-Za-z]+(?=`)/g) ?? [])
    expect(first.filter((name) => !known.has(name))).toEqual([])
  })

  it('shows filters that are accepted', () => {
    const block = /```json\n(.*?)```/s.exec(page)?.[1] ?? ''
    expect(() => parseFilter(JSON.parse(block))).not.toThrow()
  })

  it.each(Object.entries(DEFAULT_QUERY_BOUNDS))('gives the bound %s of %i', (_, bound) => {
    expect(rows.some((row) => row.includes(bound.toLocaleString('en-US')))).toBe(true)
  })
})
