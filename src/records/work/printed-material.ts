import { AppError, packError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { faultText } from '../../kernel/worker-channel.ts'
import type { SymmetryFinder } from '../../structure/symmetry/symmetry-report.ts'
import { type PrintedStructure, type PrintTerms, printMaterial } from '../kinds/material/print-material.ts'
import type { Failure } from './run-batch.ts'

/** A material that is to be written as a file. Plain data, as all of this file: it goes to another thread. */
export interface StoredMaterial {
  readonly text: string
  /** Reason for not seeking its symmetry. */
  readonly noSymmetry?: string
}

/** Outcome of writing one material. */
export type PrintOutcome = { readonly printed: PrintedStructure } | Failure

/** Writes a stored material as a structure file; whatever is wrong is the outcome of this one. */
export function printOutcome(text: string, terms: PrintTerms, finder: SymmetryFinder | undefined): PrintOutcome {
  try {
    return { printed: printMaterial(JSON.parse(text) as JsonObject, terms, finder) }
  } catch (error) {
    return error instanceof AppError ? { refusal: packError(error) } : { fault: faultText(error) }
  }
}
