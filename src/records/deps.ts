import type { Clock } from '../kernel/clock.ts'
import type { RandomSource } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { AccountStore } from '../store/port/account-store.ts'
import type { RecordStore } from '../store/port/record-store.ts'
import type { RecordWork } from './work/record-work.ts'

/** What the use cases of this room need from outside. */
export interface RecordDeps {
  readonly store: RecordStore
  readonly clock: Clock
  readonly random: RandomSource
  readonly accounts: AccountStore
  readonly log: Log
  /** Where what clients send is made into records. */
  readonly work: RecordWork
}
