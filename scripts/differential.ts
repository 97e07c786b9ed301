import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { COLLECTIONS_PER_STORE, storeEqualsMatcher } from '../test/support/differential.ts'
import { endServer, postgresUnderTest } from '../test/support/postgres-under-test.ts'
import { sqliteUnderTest } from '../test/support/sqlite-under-test.ts'
import { conclude, wholeNumber } from './measured.ts'

// Asks a store and the matcher random questions of random documents: tsx scripts/differential.ts --store postgres --questions 100000 --seed 7
const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '25000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    store: { type: 'string', default: 'sqlite' },
  },
})
const total = wholeNumber('questions', values.questions)
if (values.store !== 'sqlite' && values.store !== 'postgres')
  throw new Error(`--store ${values.store}: sqlite or postgres is wanted`)
const isOnPostgres = values.store === 'postgres'
/** Sets of documents between two lines of progress; each such part has a seed of its own, counted up from the given one. */
const PART = COLLECTIONS_PER_STORE * (isOnPostgres ? 1 : 40)
/** Documents are written into a database many times as slowly as they are asked about. */
const MOST_QUESTIONS = isOnPostgres ? 100 : 4
/** Parts that are gone through at a time: where they wait for a database, one has what another does not need. */
const TOGETHER = isOnPostgres ? 4 : 1

const started = performance.now()
const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`
let answered = 0
let seed = wholeNumber('seed', values.seed, 0)
let isFine = true

async function goOn(): Promise<void> {
  while (answered < total && isFine) {
    const part = seed
    seed += 1
    const property = storeEqualsMatcher(isOnPostgres ? postgresUnderTest : sqliteUnderTest, {
      mostQuestions: MOST_QUESTIONS,
      onAnswered: (questions) => {
        answered += questions
      },
    })
    const result = await fc.check(property, { numRuns: PART, seed: part })
    if (result.failed) {
      console.error(`seed ${part}: the store and the matcher differ after ${result.numRuns} sets (${elapsed()})`)
      console.error(JSON.stringify(result.counterexample, null, 2))
      console.error(result.errorInstance instanceof Error ? result.errorInstance.stack : result.errorInstance)
      isFine = false
      return
    }
    console.log(`${answered} of ${total} questions, no difference (${elapsed()})`)
  }
}

await Promise.all(Array.from({ length: TOGETHER }, goOn))
await endServer()
process.exitCode = conclude(isFine, [{ what: 'questions', count: answered, least: total }])
