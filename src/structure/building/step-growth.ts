import { determinant } from '../linear-algebra.ts'
import type { BuildStep } from './build-step.ts'
import { supercellMatrix } from './supercell.ts'

/** Beyond this a build is refused before it is made. */
const MOST_TIMES = 10_000

/** About how many times as large as what it is given a build is, before anybody has read the structure: by it the work is counted before its turn. */
export function growthOf(steps: readonly BuildStep[]): number {
  const growth = steps.reduce((times, step) => times * growthOfStep(step), 1)
  return Math.min(MOST_TIMES, Math.max(1, growth))
}

function growthOfStep(step: BuildStep): number {
  if ('supercell' in step) return Math.abs(determinant(supercellMatrix(step.supercell)))
  // Slabs of two repeats are compared for each termination.
  if ('slab' in step) return 2 + (step.slab.layers ?? (step.slab.thickness ?? 0) / USUAL_SPACING_ANGSTROM)
  if ('standardCell' in step) return USUAL_CENTRINGS
  return 1
}

const USUAL_SPACING_ANGSTROM = 3
const USUAL_CENTRINGS = 2
