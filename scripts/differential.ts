import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { storeEqualsMatcher } from '../test/support/differential.ts'
import { sqliteUnderTest } from '../test/support/sqlite-under-test.ts'

// Asks the store and the matcher random questions of random documents: tsx scripts/differential.ts --runs 100000 --seed 7
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const total = Number(values.runs)
const seed = Number(values.seed)
/** Runs between two lines of progress; each such part has a seed of its own, counted up from the given one. */
const PART = 5_000

const started = performance.now()
const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`
let done = 0
for (let part = seed; done < total; part++) {
  const result = await fc.check(storeEqualsMatcher(sqliteUnderTest), {
    numRuns: Math.min(PART, total - done),
    seed: part,
  })
  done += result.numRuns
  if (result.failed) {
    console.error(`seed ${part}: the store and the matcher differ after ${result.numRuns} runs (${elapsed()})`)
    console.error(JSON.stringify(result.counterexample, null, 2))
    console.error(result.errorInstance instanceof Error ? result.errorInstance.stack : result.errorInstance)
    process.exitCode = 1
    break
  }
  console.log(`${done} of ${total} runs, no difference (${elapsed()})`)
}
