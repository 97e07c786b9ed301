import { AppError } from '../../kernel/errors.ts'
import type { Warning } from '../../kernel/warnings.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** Refuses what a strict request would have been warned of: in the words of the first warning, with all of them as data. */
export function refuseWarnings(warnings: readonly Warning[]): void {
  const [first] = warnings
  if (first === undefined) return
  const { path, message, hint } = first
  throw new AppError(RECORD_ERRORS.warned, message, { path, ...(hint === undefined ? {} : { hint }), warnings })
}
