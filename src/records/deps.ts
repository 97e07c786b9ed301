import type { Clock } from '../kernel/clock.ts'
import type { RandomSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { AccountStore } from '../store/port/account-store.ts'
import type { RecordStore } from '../store/port/record-store.ts'
import type { StructureLimits } from '../structure/formats/crystal.ts'
import type { SymmetryService } from '../structure/symmetry/symmetry-report.ts'
import type { RecordLimits } from './limits.ts'

/** What the use cases of this room need from outside. */
export interface RecordDeps {
  readonly store: RecordStore
  readonly clock: Clock
  readonly random: RandomSource
  readonly accounts: AccountStore
  readonly log: Log
  readonly limits?: RecordLimits
  /** How much a structure file may hold. */
  readonly structureLimits?: StructureLimits | undefined
  /** Finds space groups; without it materials are stored without, and say so. */
  readonly symmetry?: SymmetryService | undefined
}
