import { isoInstant } from '../../kernel/clock.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { Scope } from '../../query/plan/scope.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import type { Bank, RecordKind } from '../record-kind.ts'
import { isEntitySet } from '../sets/entity-set.ts'
import { slugOf } from '../slug.ts'
import { BANK_ACCOUNT, bankId } from './bank.ts'

/** A record before or after a change, as far as the bank has to do with it. */
export type SharedState = Pick<StoredRecord, 'isPublic' | 'text'>

const PUBLIC: Scope = { kind: 'public' }

/** The content that a record shares with everybody: null while it is private. */
export interface Contribution {
  readonly bank: Bank
  readonly id: string
  readonly document: JsonObject
}

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
  const address = { collection: bank.collection, id, expectedVersion: entry.version }
  return count > 1 ? recount(deps, entry, address, count - 1) : { action: 'erase', ...address }
}

async function publication(deps: RecordDeps, { bank, id, document }: Contribution): Promise<Change> {
  const { collection } = bank
  const entry = await deps.store.read(collection, PUBLIC, id)
  if (entry !== null) {
    return recount(deps, entry, { collection, id, expectedVersion: entry.version }, sharedCount(entry) + 1)
  }
  const text = JSON.stringify(newEntry(deps, bank, id, document))
  return { action: 'insert', collection, id, accountId: BANK_ACCOUNT, isPublic: true, text }
}

function recount(
  deps: RecordDeps,
  { text }: StoredRecord,
  address: { readonly collection: string; readonly id: string; readonly expectedVersion: number },
  count: number,
): Change {
  const entry = { ...(JSON.parse(text) as JsonObject), sharedCount: count, updatedAt: isoInstant(deps.clock()) }
  return { action: 'replace', ...address, isPublic: true, keepsRevision: false, text: JSON.stringify(entry) }
}

function sharedCount({ text }: StoredRecord): number {
  return Number(ownField(JSON.parse(text) as JsonObject, 'sharedCount') ?? 1)
}

function newEntry(deps: RecordDeps, bank: Bank, _id: string, document: JsonObject): JsonObject {
  const entry = bank.entryOf(document)
  const now = isoInstant(deps.clock())
  return {
    _id,
    ...entry,
    slug: slugOf(String(ownField(entry, 'name') ?? '')),
    tags: [],
    isPublic: true,
    isDefault: false,
    sharedCount: 1,
    schemaVersion: ownField(document, 'schemaVersion') ?? null,
    createdAt: now,
    updatedAt: now,
  }
}
