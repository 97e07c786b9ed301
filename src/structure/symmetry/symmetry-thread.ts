import { serveTasks } from '../../kernel/worker-task.ts'
import type { Crystal } from '../formats/crystal.ts'
import { analyzeSymmetry, loadSymmetryFinder } from './analyze-symmetry.ts'
import type { NoSymmetry, SymmetryReport } from './symmetry-report.ts'

/** What the service asks the thread. */
export interface SymmetryQuestion {
  readonly crystal: Pick<Crystal, 'lattice' | 'sites'>
  /** In ångström. */
  readonly tolerance: number
}

export const SYMMETRY_TASKS = {
  analyze({ crystal, tolerance }: SymmetryQuestion): SymmetryReport {
    try {
      return analyzeSymmetry(crystal, tolerance)
    } catch (error) {
      // A trap within WebAssembly leaves its memory in no defined state: the next question needs another thread.
      if (error instanceof Error && error.name === 'RuntimeError') process.exit()
      return notComputed(`the symmetry finder says: ${error instanceof Error ? error.message : String(error)}`)
    }
  },
}

function notComputed(reason: string): NoSymmetry {
  return { status: 'not computed', reason }
}

loadSymmetryFinder()
serveTasks(SYMMETRY_TASKS)
