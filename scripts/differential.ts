import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { storeEqualsMatcher } from '../test/support/differential.ts'

// Asks the store and the matcher random questions of random documents: tsx scripts/differential.ts --runs 100000 --seed 7
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const numRuns = Number(values.runs)
const seed = Number(values.seed)
const started = performance.now()
const result = fc.check(storeEqualsMatcher(), { numRuns, seed })
const seconds = ((performance.now() - started) / 1000).toFixed(1)
if (result.failed) {
  console.error(`seed ${seed}: the store and the matcher differ after ${result.numRuns} runs (${seconds} s)`)
  console.error(JSON.stringify(result.counterexample, null, 2))
  console.error(result.errorInstance instanceof Error ? result.errorInstance.stack : result.errorInstance)
  process.exitCode = 1
} else {
  console.log(`seed ${seed}: ${result.numRuns} runs, no difference (${seconds} s)`)
}
