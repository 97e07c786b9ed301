import type { Addition } from './addition.ts'
import { CATALOGUE_ADDITIONS } from './catalogues.ts'
import { OPERATOR_ADDITIONS } from './operators.ts'
import { PROGRAM_ADDITIONS } from './program.ts'
import { RECORD_ADDITIONS } from './records.ts'

/** In the order of docs/architecture/additions.md. */
export const ADDITIONS: readonly Addition[] = [
  ...OPERATOR_ADDITIONS,
  ...RECORD_ADDITIONS,
  ...CATALOGUE_ADDITIONS,
  ...PROGRAM_ADDITIONS,
]
