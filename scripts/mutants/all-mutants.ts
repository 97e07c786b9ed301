import { BODY_MUTANTS } from './in-bodies.ts'
import { BOUND_MUTANTS } from './in-bounds.ts'
import { BUILDING_MUTANTS } from './in-building.ts'
import { CHANGE_MUTANTS } from './in-changes.ts'
import { CRYSTAL_MUTANTS } from './in-crystals.ts'
import { DISORDER_MUTANTS } from './in-disorder.ts'
import { ENGINE_MUTANTS } from './in-engine.ts'
import { EVENT_MUTANTS } from './in-events.ts'
import { FILE_MUTANTS } from './in-files.ts'
import { HOME_MUTANTS } from './in-homes.ts'
import { HULL_MUTANTS } from './in-hulls.ts'
import { MATCHING_MUTANTS } from './in-matching.ts'
import { MEMORY_MUTANTS } from './in-memory.ts'
import { MOVE_MUTANTS } from './in-moves.ts'
import { POSTGRES_MUTANTS } from './in-postgres.ts'
import { PROPERTY_MUTANTS } from './in-properties.ts'
import { SEGMENT_MUTANTS } from './in-segments.ts'
import { SESSION_MUTANTS } from './in-sessions.ts'
import { STILLNESS_MUTANTS } from './in-stillness.ts'
import { STRUCTURE_MUTANTS } from './in-structures.ts'
import { SURVEY_MUTANTS } from './in-surveys.ts'
import { THREAD_MUTANTS } from './in-threads.ts'
import { WARNING_MUTANTS } from './in-warnings.ts'
import type { Mutant } from './mutant.ts'

/** By where they are made. */
export const MUTANTS: readonly Mutant[] = [
  ...SEGMENT_MUTANTS,
  ...PROPERTY_MUTANTS,
  ...FILE_MUTANTS,
  ...HULL_MUTANTS,
  ...ENGINE_MUTANTS,
  ...HOME_MUTANTS,
  ...MEMORY_MUTANTS,
  ...THREAD_MUTANTS,
  ...STRUCTURE_MUTANTS,
  ...BUILDING_MUTANTS,
  ...CRYSTAL_MUTANTS,
  ...MATCHING_MUTANTS,
  ...POSTGRES_MUTANTS,
  ...MOVE_MUTANTS,
  ...CHANGE_MUTANTS,
  ...SURVEY_MUTANTS,
  ...EVENT_MUTANTS,
  ...WARNING_MUTANTS,
  ...BOUND_MUTANTS,
  ...DISORDER_MUTANTS,
  ...SESSION_MUTANTS,
  ...BODY_MUTANTS,
  ...STILLNESS_MUTANTS,
]
