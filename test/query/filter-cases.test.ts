import { describe, expect, it } from 'vitest'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { TOP_LEVEL_NAMES } from '../../src/query/filter/refuse-operator.ts'
import { FIELD_OPERATORS } from '../../src/query/filter/registry.ts'
import { FILTER_CASES } from '../cases/filter-cases.ts'

for (const [group, cases] of Object.entries(FILTER_CASES)) {
  describe(group, () => {
    it.each(cases.map((each) => [each.name, each] as const))('%s', (_, { documents, filter, selects }) => {
      const parsed = parseFilter(filter)
      const selected = Object.keys(documents).filter((name) => matches(parsed, documents[name] ?? {}))
      expect(selected.toSorted()).toEqual(selects.toSorted())
    })
  })
}

describe('the cases', () => {
  const written = JSON.stringify(Object.values(FILTER_CASES).map((cases) => cases.map(({ filter }) => filter)))

  it.each([...FIELD_OPERATORS.keys(), ...TOP_LEVEL_NAMES])('%s has a case', (name) => {
    expect(written).toContain(`"${name}"`)
  })

  it.each(Object.entries(FILTER_CASES))('have names of their own in %s', (_, cases) => {
    const names = cases.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('select documents that exist', () => {
    for (const { documents, selects } of Object.values(FILTER_CASES).flat()) {
      expect(Object.keys(documents)).toEqual(expect.arrayContaining([...selects]))
    }
  })
})
