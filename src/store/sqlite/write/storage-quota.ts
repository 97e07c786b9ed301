import { NO_USAGE, type StorageQuota, storageQuota, type Usage } from '../../changes/storage-quota.ts'
import type { StorageLimits } from '../../port/record-store.ts'
import { type Connection, PUBLIC_HOME } from '../base/database.ts'

export function quotaOf(connection: Connection, limits: StorageLimits): StorageQuota {
  const usageOf = connection.prepare<[string], Usage>(
    'SELECT records, bytes FROM usage WHERE owner = (SELECT number FROM owner WHERE account = ?)',
  )
  const lengthOf = connection
    .prepare<[{ collection: string; id: string; account: string }], number>(
      `SELECT octet_length(record.doc) FROM record
     WHERE record.collection = (SELECT number FROM collection WHERE name = @collection) AND record.id = @id
       AND record.scope IN (${PUBLIC_HOME}, (SELECT number FROM owner WHERE account = @account))
       AND record.owner = (SELECT number FROM owner WHERE account = @account)`,
    )
    .pluck()
  return storageQuota(
    {
      usageOf: (account) => usageOf.get(account) ?? NO_USAGE,
      lengthOf: ({ collection, id, accountId: account }) => lengthOf.get({ collection, id, account }) ?? null,
    },
    limits,
  )
}
