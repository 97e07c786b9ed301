// Space groups of relaxed supercells: `node --import tsx bench/supercells.ts [--seed 1]`.
import { parseArgs } from 'node:util'
import { analyzeSymmetry } from '../src/structure/symmetry/find-symmetry.ts'
import { DEFAULT_TOLERANCE_ANGSTROM } from '../src/structure/symmetry/symmetry-report.ts'
import { CUBIC_CRYSTALS, supercellOf, withNoise } from '../test/structure-symmetry/support/supercells.ts'
import { randomOf } from './corpus/random.ts'

const NOISE_ANGSTROM = [0, 1e-4, 5e-4, 1e-3, 2e-3]
const CELLS = [
  ['aluminium', 4],
  ['aluminium', 6],
  ['silicon', 3],
  ['silicon', 4],
  ['silicon', 5],
  ['rock salt', 4],
  ['rock salt', 5],
] as const
const ROUNDS = 5

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
const { next } = randomOf(Number(values.seed), 0)
for (const [name, times] of CELLS) {
  const { number, cell } = CUBIC_CRYSTALS[name]
  const ideal = supercellOf(cell, times)
  for (const noise of NOISE_ANGSTROM) {
    const took: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const relaxed = withNoise(ideal, noise, next)
      const cpu = process.cpuUsage()
      const found = analyzeSymmetry(relaxed, DEFAULT_TOLERANCE_ANGSTROM)
      const { user, system } = process.cpuUsage(cpu)
      if (found.number !== number) throw new Error(`${name} has the group ${number}, but ${found.number} was found`)
      took.push((user + system) / 1000)
    }
    const [least = 0, most = 0] = [Math.min(...took), Math.max(...took)]
    const what = `${name}, ${ideal.sites.length} atoms, noise ${noise} Å`
    process.stdout.write(`${what.padEnd(40)} ${least.toFixed(1)} to ${most.toFixed(1)} ms CPU, group ${number}\n`)
  }
}
