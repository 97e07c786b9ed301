import type { StoredRecord } from '../store/port/record-store.ts'

/**
 * Names a record in a change as it was read: by its own account, whoever changes it, and its version, so that the change fails where
 * either is another by now.
 */
export function addressOf(
  collection: string,
  { id, accountId, version }: Pick<StoredRecord, 'id' | 'accountId' | 'version'>,
) {
  return { collection, id, accountId, expectedVersion: version } as const
}
