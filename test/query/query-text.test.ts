import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { parseQueryText } from '../../src/query/context.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'

function refusalOf(text: string, place?: string): AppError {
  try {
    parseQueryText(text, DEFAULT_QUERY_BOUNDS, place)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the text was accepted')
}

describe('parseQueryText', () => {
  it('reads a query', () => {
    expect(parseQueryText('{"lattice.a":{"$gt":5}}')).toEqual({ 'lattice.a': { $gt: 5 } })
  })

  it('points at the line and column of a slip', () => {
    const { code, message, data } = refusalOf("{\n 'formula':'Si'}")
    expect(code).toBe(40001)
    expect(message).toBe(
      'A key in double quotes is missing, at line 2, column 2 of the query. JSON uses double quotes, not single ones: {"a":"b"}.',
    )
    expect(data).toMatchObject({ path: 'query', line: 2, column: 2 })
  })

  it('names the key that is given twice', () => {
    const { code, message, data } = refusalOf('{"$and":[{"a":1,"a":2}]}')
    expect(code).toBe(40012)
    expect(data.path).toBe('query.$and[0].a')
    expect(message).toContain('The key "a" is given twice')
  })

  it('refuses a number that would change its value', () => {
    expect(refusalOf('{"n":9007199254740993}')).toMatchObject({ code: 40013, data: { path: 'query.n' } })
  })

  it('refuses half a surrogate pair', () => {
    expect(refusalOf('{"a":"\\ud83d"}')).toMatchObject({ code: 40001, data: { path: 'query.a' } })
  })

  it('bounds depth and bytes before it reads', () => {
    expect(refusalOf('['.repeat(60_000)).code).toBe(40010)
    expect(refusalOf(`{"a":"${'é'.repeat(40_000)}"}`)).toMatchObject({ code: 40010, data: { path: 'query' } })
  })

  it('calls the text by the name of its parameter', () => {
    expect(refusalOf('{', 'projection').message).toContain('of the projection')
  })
})
