/**
 * The way of every record that is created, imported, changed, copied, restored or removed: it is built (`work/`), passes the checks, is committed together with what follows from it,
 * and then comes what is done afterwards. Each list below is all that there is of its stage, in its order.
 *
 * What only the transaction can decide is the store's: whether the version is the one that was read, whether the id is free, quotas, the audit trail and the counters that events are
 * told by (`store/changes/apply-change`). The answer under an `Idempotency-Key` and the actor of the audit trail go there with the commit.
 */
import { bankChanges } from '../work/bank.ts'
import { dropOldEntries } from './undo-entries.ts'
import type { Afterwards, Check, Following } from './write.ts'
import { equalContent, sameCrystal, sameInSight, unknownFields } from './write-checks.ts'

/** Each may refuse the record, name one that is there in its place, or add what its writer is told. */
export const CHECKS: readonly Check[] = [equalContent, sameCrystal, sameInSight, unknownFields]

/** Changes of other records that follow from those of a write, in the same transaction. */
export const FOLLOWING: readonly Following[] = [bankChanges]

/** Actions after a write is on disk; the writer waits for them. */
export const AFTERWARDS: readonly Afterwards[] = [dropOldEntries]
