import type { StoredRecord } from '../../store/port/record-store.ts'
import type { RecordDeps } from './deps.ts'

/** Reads a record of an account; null for one of another, which may be public. */
export async function ownRecord(
  { store }: RecordDeps,
  collection: string,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<StoredRecord | null> {
  const record = await store.read(collection, { kind: 'account', accountId }, id)
  return record?.accountId === accountId ? record : null
}
