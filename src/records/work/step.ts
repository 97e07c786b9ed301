import type { Change } from '../../store/port/record-store.ts'
import type { Transition } from './contribution.ts'

/** A change of a record, with what others have of it before and after. */
export interface Step extends Transition {
  readonly change: Change
}

/** What follows from the steps of a write: changes of other records, and changes that are made in the place of those of steps. */
export interface Followed {
  readonly changes: readonly Change[]
  readonly amended?: ReadonlyMap<Step, Change>
}
