/**
 * The way of every record that is created, imported, changed, copied, restored or removed: it is built (`work/`), passes the checks, is committed together with what follows from it,
 * and then comes what is done afterwards. Each list below is all that there is of its stage, in its order. `write-record` alone commits; a gate holds it to that.
 *
 * What only the transaction can decide is the store's: whether the version is the one that was read, whether the id is free, quotas, the audit trail (`run-batch` of each store) and the
 * counters that events are told by. The answer under an `Idempotency-Key` and the actor of the audit trail go there with the commit.
 *
 * What the program writes by itself goes another way: the starter of an account, what is computed anew of stored records, counts of the bank, and entries by which changes are undone.
 * A removed record comes back as it was: it is not built, and not checked.
 */
import { bankChanges } from '../work/bank-changes.ts'
import { propertyChanges } from '../work/property-changes.ts'
import { noteEnergies } from './energy-notes.ts'
import { dropOldEntries } from './undo-entries.ts'
import type { Afterwards, Check, Following } from './write.ts'
import {
  equalContent,
  hiddenProperties,
  knownOrigins,
  knownReferences,
  sameCrystal,
  sameInSight,
  savedQuery,
  unknownFields,
} from './write-checks.ts'

/** Each may refuse the record, name one that is there in its place, or add what its writer is told. */
export const CHECKS: readonly Check[] = [
  equalContent,
  sameCrystal,
  sameInSight,
  unknownFields,
  savedQuery,
  knownReferences,
  hiddenProperties,
  knownOrigins,
]

/** Changes of other records that follow from those of a write, in the same transaction. */
export const FOLLOWING: readonly Following[] = [bankChanges, propertyChanges]

/** Actions after a write is on disk; the writer waits for them. */
export const AFTERWARDS: readonly Afterwards[] = [dropOldEntries, noteEnergies]
