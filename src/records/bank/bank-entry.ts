import { isoInstant } from '../../kernel/clock.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import type { RecordDeps } from '../deps.ts'
import type { Bank } from '../record-kind.ts'
import { slugOf } from '../slug.ts'
import { BANK_ACCOUNT, type Contribution } from './bank.ts'

/** Puts a content into the bank that so many public records share. */
export function firstEntry(deps: RecordDeps, { bank, id, document }: Contribution, count: number): Change {
  const entry = bank.entryOf(document)
  const now = isoInstant(deps.clock())
  const text = JSON.stringify({
    _id: id,
    ...entry,
    slug: slugOf(String(ownField(entry, 'name') ?? '')),
    tags: [],
    isPublic: true,
    isDefault: false,
    sharedCount: count,
    schemaVersion: ownField(document, 'schemaVersion') ?? null,
    createdAt: now,
    updatedAt: now,
  })
  return { action: 'insert', collection: bank.collection, id, accountId: BANK_ACCOUNT, isPublic: true, text }
}

/** Says of an entry how many public records share its content now. */
export function recount(
  deps: RecordDeps,
  { collection }: Bank,
  { id, version, text }: StoredRecord,
  count: number,
): Change {
  const entry = { ...(JSON.parse(text) as JsonObject), sharedCount: count, updatedAt: isoInstant(deps.clock()) }
  const address = { collection, id, expectedVersion: version }
  return { action: 'replace', ...address, isPublic: true, keepsRevision: false, text: JSON.stringify(entry) }
}

/** How many public records share the content of an entry. */
export function sharedCount({ text }: Pick<StoredRecord, 'text'>): number {
  return Number(ownField(JSON.parse(text) as JsonObject, 'sharedCount') ?? 1)
}
