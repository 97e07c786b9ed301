import type { JsonObject } from '../../kernel/json.ts'
import type { Scope } from '../../query/plan/scope.ts'
import type { Change } from '../../store/port/record-store.ts'
import { addressOf } from '../address-of.ts'
import type { RecordDeps } from '../deps.ts'
import type { RecordKind } from '../record-kind.ts'
import { isEntitySet } from '../sets/entity-set.ts'
import { bankId, type Contribution } from './bank.ts'
import { entryText, firstEntry, recount, sharedCount } from './bank-entry.ts'

const PUBLIC: Scope = { kind: 'public' }

/** Tells what a record contributes to the bank of its kind. */
export function contributionOf({ bank }: RecordKind, isPublic: boolean, document: JsonObject): Contribution | null {
  if (bank === undefined || !isPublic) return null
  const key = isEntitySet(document) ? null : bank.keyOf(document)
  if (key === null) return null
  const id = bankId(bank, key)
  return { collection: bank.collection, id, entry: entryText(bank, id, document) }
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

async function withdrawal(deps: RecordDeps, { collection, id }: Contribution): Promise<Change | null> {
  const entry = await deps.store.read(collection, PUBLIC, id)
  if (entry === null) return null
  const count = await sharedCount(deps, entry)
  if (count > 1) return recount(deps, collection, entry, count - 1)
  return { action: 'erase', ...addressOf(collection, entry), follows: true }
}

async function publication(deps: RecordDeps, contribution: Contribution): Promise<Change> {
  const { collection, id } = contribution
  const entry = await deps.store.read(collection, PUBLIC, id)
  if (entry === null) return firstEntry(deps, contribution, 1)
  return recount(deps, collection, entry, (await sharedCount(deps, entry)) + 1)
}
