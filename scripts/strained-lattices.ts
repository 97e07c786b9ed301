import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { strainedLatticesHaveTheirType } from '../test/structure-symmetry/support/strained-lattices.ts'
import { conclude, wholeNumber } from './measured.ts'

// Asks random lattices of all Bravais types, more and less strained, for their type: tsx scripts/strained-lattices.ts --runs 1000000 --seed 7
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const total = wholeNumber('runs', values.runs)
const seed = wholeNumber('seed', values.seed, 0)
/** Runs between two lines of progress; each such part has a seed of its own, counted up from the given one. */
const PART = 50_000

const started = performance.now()
const elapsed = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`
let [done, lower, isFine] = [0, 0, true]
const property = strainedLatticesHaveTheirType(() => {
  lower += 1
})
for (let part = seed; done < total && isFine; part++) {
  const result = fc.check(property, { numRuns: Math.min(PART, total - done), seed: part })
  done += result.numRuns
  if (result.failed) {
    console.error(`seed ${part}: a wrong type after ${result.numRuns} runs (${elapsed()})`)
    console.error(JSON.stringify(result.counterexample, null, 2))
    console.error(result.errorInstance instanceof Error ? result.errorInstance.stack : result.errorInstance)
    isFine = false
  } else {
    console.log(
      `${done} of ${total} lattices: none throws, none has a wrong type, ${lower} a lower one that holds (${elapsed()})`,
    )
  }
}
process.exitCode = conclude(isFine, [{ what: 'lattices', count: done, least: total }])
