import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { storeEqualsMatcher } from '../test/support/differential.ts'
import { endServer, postgresUnderTest } from '../test/support/postgres-under-test.ts'
import { sqliteUnderTest } from '../test/support/sqlite-under-test.ts'

// Asks a store and the matcher random questions of random documents: tsx scripts/differential.ts --store postgres --runs 100000 --seed 7
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    store: { type: 'string', default: 'sqlite' },
  },
})
const total = Number(values.runs)
const isOnPostgres = values.store === 'postgres'
/** Runs between two lines of progress; each such part has a seed of its own, counted up from the given one. */
const PART = isOnPostgres ? 250 : 5_000
/** Parts that are gone through at a time: where they wait for a database, one has what another does not need. */
const TOGETHER = isOnPostgres ? 4 : 1

const started = performance.now()
const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`
let begun = 0
let done = 0
let seed = Number(values.seed)

async function goOn(): Promise<void> {
  while (begun < total && process.exitCode === undefined) {
    const [part, numRuns] = [seed, Math.min(PART, total - begun)]
    seed += 1
    begun += numRuns
    const result = await fc.check(storeEqualsMatcher(isOnPostgres ? postgresUnderTest : sqliteUnderTest), {
      numRuns,
      seed: part,
    })
    done += result.numRuns
    if (result.failed) {
      console.error(`seed ${part}: the store and the matcher differ after ${result.numRuns} runs (${elapsed()})`)
      console.error(JSON.stringify(result.counterexample, null, 2))
      console.error(result.errorInstance instanceof Error ? result.errorInstance.stack : result.errorInstance)
      process.exitCode = 1
      return
    }
    console.log(`${done} of ${total} runs, no difference (${elapsed()})`)
  }
}

await Promise.all(Array.from({ length: TOGETHER }, goOn))
await endServer()
