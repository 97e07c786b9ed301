import type { Change, StorageExceeded, StorageLimits } from '../../port/record-store.ts'
import type { Deed } from '../../sign.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'

/** Says whether a change would give its account more than it may have; null where it may be made. */
export type StorageQuota = (change: Change, deed: Deed | undefined) => StorageExceeded | null

interface Usage {
  readonly records: number
  readonly bytes: number
}

const NOTHING: Usage = { records: 0, bytes: 0 }

/**
 * Prepares the statements. What the program does by itself, in no user's name, is not refused; nor is what follows from other changes,
 * and the first default record of an account: nobody has asked for them.
 */
export function storageQuota(connection: Connection, limits: StorageLimits): StorageQuota {
  if (limits.records === 0 && limits.bytes === 0) return () => null
  const usageOf = connection.prepare<[string], Usage>(
    'SELECT records, bytes FROM usage WHERE owner = (SELECT number FROM owner WHERE account = ?)',
  )
  const usageBeside = connection.prepare<
    [{ collection: string; id: string; account: string }],
    Usage & { readonly length: number }
  >(
    `SELECT usage.records, usage.bytes, octet_length(record.doc) AS length
     FROM record JOIN usage ON usage.owner = record.owner
     WHERE record.collection = (SELECT number FROM collection WHERE name = @collection) AND record.id = @id
       AND record.scope IN (${PUBLIC_HOME}, (SELECT number FROM owner WHERE account = @account))
       AND record.owner = (SELECT number FROM owner WHERE account = @account)`,
  )
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
      const before = usageOf.get(change.accountId) ?? NOTHING
      const grows = { records: 1, bytes: Buffer.byteLength(change.text) }
      return exceededBy({ records: before.records + 1, bytes: before.bytes + grows.bytes }, grows)
    }
    if (change.action !== 'replace') return null
    const before = usageBeside.get({ collection: change.collection, id: change.id, account: change.accountId })
    if (before === undefined) return null
    const bytes = Buffer.byteLength(change.text) - before.length
    return exceededBy({ records: before.records, bytes: before.bytes + bytes }, { records: 0, bytes })
  }
}
