import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { FilterNode } from '../../src/query/ast/filter.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { compileProjection, projectDocument } from '../../src/query/fields/project-document.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { fieldsCases, fieldsFailureCases } from '../cases/fields.cases.ts'

function project(document: JsonObject, fields: Json, filterJson: Json = {}): JsonObject {
  const filter = parseFilter(filterJson)
  const node = fieldsOf(fields, filter)
  return node === null ? document : projectDocument(document, node, filter)
}

function fieldsOf(fields: Json, filter: FilterNode) {
  return parseProjection({ fields }, DEFAULT_QUERY_BOUNDS, 'projection', filter).fields
}

describe('fields', () => {
  it.each(fieldsCases.map((each) => [each.name, each] as const))('%s', (_, { document, fields, gives, filter }) => {
    // The text tells the order of fields, which an answer keeps.
    expect(JSON.stringify(project(document, fields, filter))).toBe(JSON.stringify(gives))
  })

  it('are cases of documents that match', () => {
    for (const { document, filter = {} } of fieldsCases) expect(matches(parseFilter(filter), document)).toBe(true)
  })

  it('have 80 cases with names of their own', () => {
    expect(new Set(fieldsCases.map(({ name }) => name)).size).toBe(fieldsCases.length)
    expect(fieldsCases.length).toBeGreaterThanOrEqual(80)
  })

  it('are projected alike by the prepared form', () => {
    for (const { document, fields, gives, filter: json = {} } of fieldsCases) {
      const filter = parseFilter(json)
      const node = fieldsOf(fields, filter)
      if (node !== null) expect(compileProjection(node, filter)(document)).toEqual(gives)
    }
  })

  it('never change the document', () => {
    for (const { document, fields, filter } of fieldsCases) {
      const before = JSON.stringify(document)
      project(document, fields, filter)
      expect(JSON.stringify(document)).toBe(before)
    }
  })

  it('part a document: what is included and what is excluded make the whole', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue()), names, (fields, chosen) => {
        const document = { _id: 'x', ...fields } as JsonObject
        const flags = (flag: number) => Object.fromEntries(chosen.map((name) => [name, flag]))
        const kept = project(document, { ...flags(1), _id: 0 })
        const others = project(document, flags(0))
        expect({ ...kept, ...others }).toEqual(document)
        expect(Object.keys(kept).length + Object.keys(others).length).toBe(Object.keys(document).length)
      }),
    )
  })
})

describe('a positional field is refused for', () => {
  it.each(fieldsFailureCases.map((each) => [each.name, each] as const))(
    '%s',
    (_, { document, filter, fields, code }) => {
      expect(matches(parseFilter(filter), document)).toBe(true)
      expect(() => project(document, fields, filter)).toThrow(expect.objectContaining({ code }))
    },
  )
})
