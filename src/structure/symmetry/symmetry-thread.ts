import { parentPort } from 'node:worker_threads'
import type { Crystal } from '../formats/crystal.ts'
import { analyzeSymmetry, loadSymmetryFinder } from './analyze-symmetry.ts'
import type { FoundSymmetry } from './symmetry-report.ts'

/** What the service asks the thread. */
export interface SymmetryQuestion {
  readonly id: number
  readonly crystal: Pick<Crystal, 'lattice' | 'sites'>
  readonly tolerance: number
}

/** What the thread answers: once that it is ready, then to every question a report or what went wrong. */
export type SymmetryAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly id: number; readonly report: FoundSymmetry }
  | { readonly kind: 'failure'; readonly id: number; readonly reason: string; readonly unusable: boolean }

const port = parentPort
if (port === null) throw new Error('symmetry-thread.ts runs as a worker thread only')

function answer(question: SymmetryQuestion): SymmetryAnswer {
  try {
    return { kind: 'report', id: question.id, report: analyzeSymmetry(question.crystal, question.tolerance) }
  } catch (error) {
    // A trap within WebAssembly leaves its memory in no defined state.
    const unusable = error instanceof Error && error.name === 'RuntimeError'
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'failure', id: question.id, reason, unusable }
  }
}

loadSymmetryFinder()
port.on('message', (question: SymmetryQuestion) => port.postMessage(answer(question)))
port.postMessage({ kind: 'ready' } satisfies SymmetryAnswer)
