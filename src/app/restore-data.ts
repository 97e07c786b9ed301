import { restoreBackup } from '../store/sqlite/care/restore-backup.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { renewEdition } from './edition.ts'
import type { Config } from './settings.ts'

/** Puts a verified backup in the place of the data directory's database, which only `force` replaces. */
export async function restoreData(file: string, config: Config, force: boolean): Promise<void> {
  await restoreBackup(file, config.data, { force })
  const store = await openSqliteStore({ dataDirectory: config.data })
  try {
    await renewEdition(store)
  } finally {
    await store.close()
  }
}
