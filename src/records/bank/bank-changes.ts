import type { JsonObject } from '../../kernel/json.ts'
import type { Scope } from '../../query/plan/scope.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import type { RecordKind } from '../record-kind.ts'
import { isEntitySet } from '../sets/entity-set.ts'
import { bankId, type Contribution } from './bank.ts'
import { firstEntry, recount, sharedCount } from './bank-entry.ts'

/** A record before or after a change, as far as the bank has to do with it. */
export type SharedState = Pick<StoredRecord, 'isPublic' | 'text'>

const PUBLIC: Scope = { kind: 'public' }

/** Tells what a record in a state contributes to the bank of its kind. */
export function contributionOf(kind: RecordKind, state: SharedState | null): Contribution | null {
  const { bank } = kind
  if (bank === undefined || state === null || !state.isPublic) return null
  const document = JSON.parse(state.text) as JsonObject
  const key = isEntitySet(document) ? null : bank.keyOf(document)
  return key === null ? null : { bank, id: bankId(bank, key), document }
}

/**
 * Makes the changes of the bank that go with a change of a record: a content comes with the first public record that has it and goes
 * with the last, as its `sharedCount` tells.
 */
export async function bankChanges(
  deps: RecordDeps,
  before: Contribution | null,
  after: Contribution | null,
): Promise<readonly Change[]> {
  if (before?.id === after?.id) return []
  const changes = await Promise.all([
    before === null ? null : withdrawal(deps, before),
    after === null ? null : publication(deps, after),
  ])
  return changes.filter((change) => change !== null)
}

async function withdrawal(deps: RecordDeps, { bank, id }: Contribution): Promise<Change | null> {
  const entry = await deps.store.read(bank.collection, PUBLIC, id)
  if (entry === null) return null
  const count = sharedCount(entry)
  if (count > 1) return recount(deps, bank, entry, count - 1)
  return { action: 'erase', collection: bank.collection, id, expectedVersion: entry.version }
}

async function publication(deps: RecordDeps, contribution: Contribution): Promise<Change> {
  const { bank, id } = contribution
  const entry = await deps.store.read(bank.collection, PUBLIC, id)
  return entry === null ? firstEntry(deps, contribution, 1) : recount(deps, bank, entry, sharedCount(entry) + 1)
}
