import { isoInstant } from '../../kernel/clock.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import type { Change, StoredRecord } from '../../store/port/record-store.ts'
import { addressOf } from '../address-of.ts'
import type { RecordDeps } from '../deps.ts'
import type { Bank } from '../record-kind.ts'
import { slugOf } from '../slug.ts'
import { BANK_ACCOUNT, type Contribution } from './bank.ts'

/** What a record brings to its bank, as text. */
export function entryText(bank: Bank, id: string, document: JsonObject): string {
  const entry = bank.entryOf(document)
  return JSON.stringify({
    _id: id,
    ...entry,
    slug: slugOf(String(ownField(entry, 'name') ?? '')),
    tags: [],
    isPublic: true,
    isDefault: false,
    schemaVersion: ownField(document, 'schemaVersion') ?? null,
  })
}

/** Puts a content into the bank that so many public records share. */
export function firstEntry(deps: RecordDeps, { collection, id, entry }: Contribution, count: number): Change {
  const now = isoInstant(deps.clock())
  const shared = JSON.stringify({ sharedCount: count, createdAt: now, updatedAt: now })
  const text = `${entry.slice(0, -1)},${shared.slice(1)}`
  return { action: 'insert', collection, id, accountId: BANK_ACCOUNT, isPublic: true, text, follows: true }
}

/** Says of an entry how many public records share its content now. */
export async function recount(
  deps: RecordDeps,
  collection: string,
  entry: StoredRecord,
  count: number,
): Promise<Change> {
  const text = await deps.work.put(BANK_ACCOUNT, entry.text, {
    sharedCount: count,
    updatedAt: isoInstant(deps.clock()),
  })
  return {
    action: 'replace',
    ...addressOf(collection, entry),
    isPublic: true,
    keepsRevision: false,
    text,
    follows: true,
  }
}

/** How many public records share the content of an entry. */
export async function sharedCount(deps: RecordDeps, { text }: Pick<StoredRecord, 'text'>): Promise<number> {
  const { sharedCount: count } = await deps.work.pick(BANK_ACCOUNT, text, ['sharedCount'])
  return Number(count ?? 1)
}
