import fc from 'fast-check'
import { describe, it } from 'vitest'
import { indexFollowsDocuments, storeEqualsMatcher } from '../support/differential.ts'

describe('the embedded store and the matcher', () => {
  it('give the same answers to random questions, under every plan', () => {
    fc.assert(storeEqualsMatcher(), { numRuns: 800 })
  }, 180_000)

  it('agree on what the index holds, whatever is written, replaced and removed', () => {
    fc.assert(indexFollowsDocuments(), { numRuns: 150 })
  }, 180_000)
})
