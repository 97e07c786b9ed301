import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { parseProjection } from '../../src/query/fields/parse-projection.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import type { ProjectionRefusalCase } from '../cases/case.ts'
import { projectionRefusalCases } from '../cases/projection-refusals.cases.ts'

function refusalOf({ projection, filter }: ProjectionRefusalCase): AppError {
  const parsed = filter === undefined ? undefined : parseFilter(filter)
  try {
    parseProjection(projection, DEFAULT_QUERY_BOUNDS, 'projection', parsed)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the projection was accepted')
}

describe('a projection is refused for', () => {
  it.each(projectionRefusalCases.map((each) => [each.name, each] as const))('%s', (_, refused) => {
    const { code, data, message } = refusalOf(refused)
    expect({ code, path: data.path }).toEqual({ code: refused.code, path: refused.path })
    expect(message.length).toBeLessThan(600)
  })

  it('60 reasons with names of their own', () => {
    expect(new Set(projectionRefusalCases.map(({ name }) => name)).size).toBe(projectionRefusalCases.length)
    expect(projectionRefusalCases.length).toBeGreaterThanOrEqual(60)
  })
})

describe('a projection', () => {
  it('has defaults', () => {
    const defaults = { sort: [], fields: null, skip: 0, limit: 50 }
    expect(parseProjection(undefined)).toEqual(defaults)
    expect(parseProjection({})).toEqual(defaults)
  })

  it('takes limits from 1 to 500 and any page', () => {
    expect(parseProjection({ limit: 1, skip: 0 })).toMatchObject({ limit: 1, skip: 0 })
    expect(parseProjection({ limit: 500, skip: 1_000_000 })).toMatchObject({ limit: 500, skip: 1_000_000 })
  })

  it.each([
    [{ limit: 501 }, 'projection.limit must be an integer from 1 to 500, given 501.'],
    [{ limit: '10' }, 'projection.limit must be an integer from 1 to 500, given "10".'],
    [{ sorts: {} }, 'Unknown key "sorts" in projection. Did you mean sort?'],
    [
      { sort: ['a', 'desc'] },
      'projection.sort[1] is "desc", a direction where a field is expected. Write each field and its direction as a pair: [["formula","desc"]].',
    ],
    [
      { fields: { a: 1, b: 0 } },
      'projection.fields.b excludes a field, but another field is included. Use all 1 or all 0; only _id may differ.',
    ],
  ])('says what would be right: %j', (projection, message) => {
    expect(() => parseProjection(projection)).toThrow(message)
  })

  it('names the place as its caller does', () => {
    expect(() => parseProjection({ limit: 0 }, DEFAULT_QUERY_BOUNDS, 'body.projection')).toThrow(
      /^body\.projection\.limit /,
    )
  })
})
