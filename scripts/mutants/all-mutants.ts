import { SEGMENT_MUTANTS } from './in-segments.ts'
import type { Mutant } from './mutant.ts'

/** By the rooms that they are made in. */
export const MUTANTS: readonly Mutant[] = [...SEGMENT_MUTANTS]
