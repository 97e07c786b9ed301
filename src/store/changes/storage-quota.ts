import type { Change, StorageExceeded, StorageLimits } from '../port/record-store.ts'
import type { Deed } from './audit-entries.ts'

/** Says whether a change would give its account more than it may have; null where it may be made. */
export type StorageQuota = (change: Change, deed: Deed | undefined) => StorageExceeded | null

export interface Usage {
  readonly records: number
  readonly bytes: number
}

export const NO_USAGE: Usage = { records: 0, bytes: 0 }

/** Look-ups of what a store has. */
interface Stored {
  usageOf(account: string): Usage
  /** Bytes of the text of a record of its account; null if there is none. */
  lengthOf(of: Pick<Change, 'collection' | 'id' | 'accountId'>): number | null
}

/** Lets pass what nobody has asked for: acts in no user's name, what follows from other changes, and an account's first default record. */
export function storageQuota({ usageOf, lengthOf }: Stored, limits: StorageLimits): StorageQuota {
  if (limits.records === 0 && limits.bytes === 0) return () => null
  const exceededBy = (after: Usage, grows: Usage): StorageExceeded | null => {
    for (const quota of ['records', 'bytes'] as const) {
      const limit = limits[quota]
      if (limit > 0 && grows[quota] > 0 && after[quota] > limit) return { outcome: 'full', quota, limit }
    }
    return null
  }

  return (change, deed) => {
    if ((deed?.user ?? null) === null || change.follows === true) return null
    if (change.action === 'insert') {
      if (change.isDefault === true) return null
      const before = usageOf(change.accountId)
      const grows = { records: 1, bytes: Buffer.byteLength(change.text) }
      return exceededBy({ records: before.records + 1, bytes: before.bytes + grows.bytes }, grows)
    }
    if (change.action !== 'replace') return null
    const length = lengthOf(change)
    if (length === null) return null
    const before = usageOf(change.accountId)
    const bytes = Buffer.byteLength(change.text) - length
    return exceededBy({ records: before.records, bytes: before.bytes + bytes }, { records: 0, bytes })
  }
}
