import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { TOP_LEVEL_NAMES } from '../../src/query/filter/refuse-operator.ts'
import { FIELD_OPERATORS } from '../../src/query/filter/registry.ts'
import { questions, segmentsFollowDocuments, storeEqualsMatcher } from '../support/differential.ts'
import { endServer, postgresUnderTest } from '../support/postgres-under-test.ts'
import { sqliteUnderTest } from '../support/sqlite-under-test.ts'
import { STORE } from '../support/storage.ts'
import { triesOf } from '../support/study.ts'

/** The same questions each time; `scripts/differential.ts` asks others. */
const SEED = 20_240_131

const isOnPostgres = STORE === 'postgres'
const open = isOnPostgres ? postgresUnderTest : sqliteUnderTest
afterAll(endServer)

describe(`the store in ${STORE} and the matcher`, () => {
  it('give the same answers to random questions, in whatever state the segments are', async () => {
    const runs = triesOf('differential')
    // Documents are written into a database many times as slowly as they are asked about.
    const [numRuns, mostQuestions] = isOnPostgres ? [Math.ceil(0.15 * runs), 60] : [runs, 4]
    let answered = 0
    const onAnswered = (questions: number) => {
      answered += questions
    }
    await fc.assert(storeEqualsMatcher(open, { mostQuestions, onAnswered }), { numRuns, seed: SEED })
    expect(answered).toBeGreaterThan(2.25 * runs)
  })

  // Each run has stores of its own, which in PostgreSQL are databases.
  it('agree on what the segments hold, whatever is written, replaced and removed', async () => {
    const runs = triesOf('following')
    const numRuns = isOnPostgres ? Math.ceil(runs / 7.5) : runs
    await fc.assert(segmentsFollowDocuments(open), { numRuns, seed: SEED })
  })
})

describe('the random questions', () => {
  const asked = fc.sample(questions, { numRuns: 2_000, seed: SEED })
  const text = JSON.stringify(asked)

  it.each([...FIELD_OPERATORS.keys(), ...TOP_LEVEL_NAMES])('ask with %s', (name) => {
    expect(text).toContain(`"${name}":`)
  })

  it.each(['"$slice":', '.$":1', '"a.0', '"__proto__', '"$numberInt":', '"$getField":'])('ask with %s', (part) => {
    expect(text).toContain(part)
  })
})
