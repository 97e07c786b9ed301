import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasBit } from '../../src/engine/bits.ts'
import { evaluateFilter } from '../../src/engine/evaluate-filter.ts'
import { columnsOfFilter } from '../../src/engine/needed-columns.ts'
import { AppError } from '../../src/kernel/errors.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { FilterNode } from '../../src/query/ast/filter.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/bounds.ts'
import { matches } from '../../src/query/match/matches.ts'
import { parseFilter } from '../../src/query/parse/parse-filter.ts'
import { documents } from '../support/arbitraries.ts'
import { filters } from '../support/arbitrary-filters.ts'
import { columnsOf } from './support/columns.ts'

function parsed(filter: JsonObject): FilterNode | null {
  try {
    return parseFilter(filter, DEFAULT_QUERY_BOUNDS)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Null when an expression cannot be computed for the document. */
function answerOf(filter: FilterNode, document: JsonObject): boolean | null {
  try {
    return matches(filter, document)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

describe('a filter over columns', () => {
  it('is certain of no row whose document says otherwise', () => {
    let rows = 0
    let certain = 0
    fc.assert(
      fc.property(
        fc.array(documents, { maxLength: 40 }),
        fc.array(filters, { minLength: 1, maxLength: 4 }),
        (given, asked) => {
          for (const one of asked) {
            const filter = parsed(one)
            if (filter === null) continue
            const { must, may } = evaluateFilter(columnsOf(given, columnsOfFilter(filter)), filter)
            for (const [row, document] of given.entries()) {
              rows += 1
              if (hasBit(must, row) === hasBit(may, row)) certain += 1
              const isMatch = answerOf(filter, document)
              if (isMatch === null) continue
              if (isMatch !== hasBit(must, row) && hasBit(must, row) === hasBit(may, row)) {
                throw new Error(`${JSON.stringify(one)} on ${JSON.stringify(document)}: ${isMatch}, not ${!isMatch}`)
              }
              if (hasBit(must, row)) expect(hasBit(may, row)).toBe(true)
            }
          }
        },
      ),
      { numRuns: 1000, seed: 7 },
    )
    expect(certain / rows).toBeGreaterThan(0.6)
  })
})
