import { BODY_MUTANTS } from './in-bodies.ts'
import { CRYSTAL_MUTANTS } from './in-crystals.ts'
import { ENGINE_MUTANTS } from './in-engine.ts'
import { HOME_MUTANTS } from './in-homes.ts'
import { MATCHING_MUTANTS } from './in-matching.ts'
import { MEMORY_MUTANTS } from './in-memory.ts'
import { MOVE_MUTANTS } from './in-moves.ts'
import { POSTGRES_MUTANTS } from './in-postgres.ts'
import { SEGMENT_MUTANTS } from './in-segments.ts'
import { STRUCTURE_MUTANTS } from './in-structures.ts'
import { THREAD_MUTANTS } from './in-threads.ts'
import type { Mutant } from './mutant.ts'

/** By where they are made. */
export const MUTANTS: readonly Mutant[] = [
  ...SEGMENT_MUTANTS,
  ...ENGINE_MUTANTS,
  ...HOME_MUTANTS,
  ...MEMORY_MUTANTS,
  ...THREAD_MUTANTS,
  ...STRUCTURE_MUTANTS,
  ...CRYSTAL_MUTANTS,
  ...MATCHING_MUTANTS,
  ...POSTGRES_MUTANTS,
  ...MOVE_MUTANTS,
  ...BODY_MUTANTS,
]
